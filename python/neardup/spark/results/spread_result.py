"""The result of a run that was spread over the cluster: its rows are in files, or in the shuffles of Spark."""

from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.pandas.types import from_arrow_schema

from neardup.errors import UsageError
from neardup.spark.results.results import SparkTable
from neardup.spark.session.batches import Batches, unpack
from neardup.spark.session.exchange import Exchange


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


def spark_types(schema: pa.Schema) -> pa.Schema:
    """Return the schema with types that Spark knows: it has no unsigned numbers."""
    unsigned = {pa.uint32(): pa.int64(), pa.uint64(): pa.int64()}
    return pa.schema([field.with_type(unsigned.get(field.type, field.type)) for field in schema])


class SpreadTable(SparkTable):
    """A table whose rows are packed, part by part, or in Parquet files."""

    def __init__(self, packed: DataFrame, schema: pa.Schema, *, are_paths: bool) -> None:
        self._schema = schema
        known = spark_types(schema)
        super().__init__(packed.mapInArrow(Unpack(known, are_paths), from_arrow_schema(known)))

    def _narrow(self, rows: pa.Table) -> pa.Table:
        return rows.cast(self._schema)


class SpreadResult:
    """The summary and the tables of a run, with the interface of `neardup._core.JobResult`."""

    def __init__(self, session: SparkSession, made: dict[str, DataFrame | Path]) -> None:
        self.summary = ""
        self._session = session
        self._made = made
        self._tables = dict[str, SpreadTable]()

    @property
    def tables(self) -> list[str]:
        """The names of the tables of the result."""
        return list(self._made)

    def table(self, name: str) -> SpreadTable:
        """Return one table of the result; `UsageError` names the tables there are."""
        if name not in self._made:
            raise UsageError(f'there is no table "{name}"; there are: {", ".join(self.tables)}')
        if name not in self._tables:
            made = self._made[name]
            self._tables[name] = self._of_files(made) if isinstance(made, Path) else of_rows(made)
        return self._tables[name]

    def _of_files(self, folder: Path) -> SpreadTable:
        """Return a table whose parts are files."""
        files = sorted(folder.iterdir())
        packed = pa.array([str(file).encode() for file in files], pa.binary())
        rows = pa.table({"part": pa.array(range(len(files)), pa.int32()), "packed": packed})
        paths = Exchange(len(files)).apply(self._session.createDataFrame(rows, "part int, packed binary"))
        return SpreadTable(paths, pq.read_schema(files[0]), are_paths=True)


def of_rows(packed: DataFrame) -> SpreadTable:
    """Return a table whose parts are packed rows, at least one."""
    [first] = packed.select("packed").take(1)
    return SpreadTable(packed, pa.ipc.open_stream(bytes(first["packed"])).schema, are_paths=False)
