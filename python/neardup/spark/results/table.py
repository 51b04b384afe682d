"""A table of a result, spread over the cluster."""

from contextlib import AbstractContextManager
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
from neardup.remote.place import Place
from neardup.spark.session.batches import Batches, unpack
from neardup.spark.session.exchange import Exchange
from neardup.table import Rows, Table


@dataclass(frozen=True)
class Unpack:
    """Kernel that returns the rows of packed tables, or of the Parquet files whose paths are packed."""

    schema: pa.Schema
    folder: Path | Place | None
    """The folder of the files."""

    def __call__(self, batches: Batches) -> Batches:
        for batch in batches:
            for packed in batch["packed"]:
                if self.folder is not None:
                    with opened(self.folder / packed.as_py().decode()) as file:
                        rows = pq.read_table(file).to_batches()
                else:
                    rows = list(unpack([packed.as_buffer()]))
                for some in rows:
                    yield some.cast(self.schema)


class SparkTable(Rows):
    """A table of a result, as a DataFrame, and in the memory of the driver on request.

    Its rows exist as long as the table, or a DataFrame that is derived from it.
    """

    def __init__(self, packed: DataFrame, schema: pa.Schema, folder: Path | Place | None = None) -> None:
        self._schema = schema
        known = spark_types(schema)
        self.frame = packed.mapInArrow(Unpack(known, folder), from_arrow_schema(known))
        """The rows as a DataFrame, in input order; pairs are in the order of their ids."""

    @classmethod
    def of_rows(cls, packed: DataFrame) -> "SparkTable":
        """Return a table whose parts are packed rows, at least one."""
        [first] = packed.select("packed").take(1)
        return cls(packed, pa.ipc.open_stream(bytes(first["packed"])).schema)

    @classmethod
    def of_files(cls, session: SparkSession, folder: Path | Place) -> "SparkTable":
        """Return a table whose parts are the files of a folder."""
        if isinstance(folder, Place):
            files = [place.address.rpartition("/")[2] for place, _ in folder.files()]
        else:
            folder = folder.absolute()
            files = sorted(file.name for file in folder.iterdir())
        packed = pa.array([file.encode() for file in files], pa.binary())
        rows = pa.table({"part": pa.array(range(len(files)), pa.int32()), "packed": packed})
        paths = Exchange(len(files)).apply(session.createDataFrame(rows, "part int, packed binary"))
        with opened(folder / files[0]) as file:
            return cls(paths, pq.read_schema(file), folder)

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


def opened(file: Path | Place) -> AbstractContextManager[Any]:
    """Open a file for reading at any position."""
    return file.reader() if isinstance(file, Place) else open(file, "rb")


def spark_types(schema: pa.Schema) -> pa.Schema:
    """Return the schema with types that Spark knows: it has no unsigned numbers."""
    unsigned = {pa.uint32(): pa.int64(), pa.uint64(): pa.int64()}
    return pa.schema([field.with_type(unsigned.get(field.type, field.type)) for field in schema])
