"""A table of a result, spread over the cluster."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.pandas.types import from_arrow_schema

from neardup import _core
from neardup.errors import UsageError
from neardup.spark.session.batches import Batches, unpack
from neardup.spark.session.exchange import Exchange
from neardup.table import Rows, Table


@dataclass(frozen=True)
class Unpack:
    """Kernel that returns the rows of packed tables, or of the Parquet files whose paths are packed."""

    schema: pa.Schema
    are_paths: bool

    def __call__(self, batches: Batches) -> Batches:
        for batch in batches:
            for packed in batch["packed"]:
                if self.are_paths:
                    rows = pq.read_table(packed.as_py().decode()).to_batches()
                else:
                    rows = list(unpack([packed.as_buffer()]))
                for some in rows:
                    yield some.cast(self.schema)


class SparkTable(Rows):
    """A table of a result, as a DataFrame, and in the memory of the driver on request.

    Its rows exist as long as the table, or a DataFrame that is derived from it.
    """

    def __init__(self, packed: DataFrame, schema: pa.Schema, *, are_paths: bool) -> None:
        self._schema = schema
        known = spark_types(schema)
        self.frame = packed.mapInArrow(Unpack(known, are_paths), from_arrow_schema(known))
        """The rows as a DataFrame, in input order; pairs are in the order of their ids."""

    @classmethod
    def of_rows(cls, packed: DataFrame) -> "SparkTable":
        """Return a table whose parts are packed rows, at least one."""
        [first] = packed.select("packed").take(1)
        return cls(packed, pa.ipc.open_stream(bytes(first["packed"])).schema, are_paths=False)

    @classmethod
    def of_files(cls, session: SparkSession, folder: Path) -> "SparkTable":
        """Return a table whose parts are the files of a folder."""
        files = sorted(folder.iterdir())
        packed = pa.array([str(file).encode() for file in files], pa.binary())
        rows = pa.table({"part": pa.array(range(len(files)), pa.int32()), "packed": packed})
        paths = Exchange(len(files)).apply(session.createDataFrame(rows, "part int, packed binary"))
        return cls(paths, pq.read_schema(files[0]), are_paths=True)

    @property
    def column_names(self) -> list[str]:
        """The names of the columns, in order."""
        return list(self.frame.columns)

    def column(self, name: str) -> list[Any]:
        """Copy one column into Python objects; `UsageError` names the columns there are."""
        if name not in self.column_names:
            raise UsageError(f'there is no column "{name}"; there are {", ".join(self.column_names)}')
        values: list[Any] = self.collect()[name].to_pylist()
        return values

    def __len__(self) -> int:
        return self.frame.count()

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        stream: object = self.collect().__arrow_c_stream__(requested_schema)
        return stream

    def _part(self, start: int, length: int) -> Table:
        return Table(_core.Table.of_stream(self.collect().slice(start, length)))

    def collect(self) -> pa.Table:
        """Bring all rows to the driver, once, in input order; pairs are in the order of their ids."""
        return self._collected

    @cached_property
    def _collected(self) -> pa.Table:
        return self.frame.toArrow().cast(self._schema)


def spark_types(schema: pa.Schema) -> pa.Schema:
    """Return the schema with types that Spark knows: it has no unsigned numbers."""
    unsigned = {pa.uint32(): pa.int64(), pa.uint64(): pa.int64()}
    return pa.schema([field.with_type(unsigned.get(field.type, field.type)) for field in schema])
