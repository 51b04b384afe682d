"""The result of a run over Spark."""

from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from neardup import _core
from neardup.errors import UsageError
from neardup.table import Rows, Table

if TYPE_CHECKING:
    from neardup.spark.request import Request

INNER = ("rule_number",)
"""Columns that no result shows."""
NARROW = ("shared", "id_size", "original_size", "leader_size", "left_size", "right_size", "size", "group_size", "pass")
WIDE = ("row", *(f"{end}{name}" for end in ("", "left_", "right_") for name in ("offset", "length")))


class SparkTable(Rows):
    """A table of a result, as a DataFrame, and in the memory of the driver on request.

    Its rows exist as long as the table, or a DataFrame that is derived from it.
    """

    def __init__(self, settled: DataFrame) -> None:
        self.frame = settled.drop(*INNER)
        """The rows as a DataFrame, in input order; pairs are in the order of their ids."""

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
        return self._narrow(self.frame.toArrow())

    def _narrow(self, rows: pa.Table) -> pa.Table:
        """Cast the rows to the types that results have on one machine."""
        return narrow(rows)


def narrow(rows: pa.Table) -> pa.Table:
    """Cast counts to the types that results have on one machine, which Spark does not know."""
    kinds = {**dict.fromkeys(NARROW, pa.uint32()), **dict.fromkeys(WIDE, pa.uint64())}
    fields = [pa.field(field.name, kinds.get(field.name, field.type), field.nullable) for field in rows.schema]
    return rows.cast(pa.schema(fields))


class SparkResult:
    """The summary and the tables of a run, with the interface of `neardup._core.JobResult`."""

    def __init__(self, made: dict[str, DataFrame], request: "Request") -> None:
        self.summary = ""
        self.made = {name: SparkTable(table) for name, table in made.items()}
        self._request = request

    @property
    def tables(self) -> list[str]:
        """The names of the tables of the result."""
        kept = ["kept"] if "decisions" in self.made and self._request.frame is not None else []
        return [*self.made, *kept]

    def table(self, name: str) -> Any:
        """Return one table of the result; kept is the input's own DataFrame without the dropped documents.

        `UsageError` names the tables there are.
        """
        if name not in self.tables:
            raise UsageError(f'there is no table "{name}"; there are: {", ".join(self.tables)}')
        if name != "kept":
            return self.made[name]
        frame = cast(DataFrame, self._request.frame)
        id_field = self._request.documents.options["id_field"]
        gone = self.made["decisions"].frame.where("verdict = 'drop'").select(sf.col("id").alias("__id"))
        return frame.join(gone, sf.col(f"`{id_field}`").cast("string") == sf.col("__id"), "left_anti")
