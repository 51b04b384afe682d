"""The result of a run over Spark."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sf

from neardup.errors import UsageError
from neardup.remote.place import Place
from neardup.spark.results.table import SparkTable


@dataclass
class SparkResult:
    """The summary and the tables of a run, with the interface of `neardup._core.JobResult`."""

    session: SparkSession
    made: dict[str, DataFrame | Path | Place]
    """The tables: packed rows, or folders of files."""
    summary: str
    frame: DataFrame | None = None
    """The input, if it is one DataFrame."""
    id_field: str | None = None
    _tables: dict[str, SparkTable] = field(default_factory=dict)

    @property
    def tables(self) -> list[str]:
        """The names of the tables of the result."""
        kept = ["kept"] if "decisions" in self.made and self.frame is not None else []
        return [*self.made, *kept]

    def table(self, name: str) -> Any:
        """Return one table of the result; kept is the input's own DataFrame without the dropped documents.

        `UsageError` names the tables there are.
        """
        if name not in self.tables:
            raise UsageError(f'there is no table "{name}"; there are: {", ".join(self.tables)}')
        if name == "kept" and self.frame is not None:
            gone = self.table("decisions").frame.where("verdict = 'drop'").select(sf.col("id").alias("__id"))
            own = sf.col(f"`{self.id_field}`").cast("string")
            return self.frame.join(gone, own == sf.col("__id"), "left_anti")
        if name not in self._tables:
            made = self.made[name]
            if isinstance(made, Path | Place):
                self._tables[name] = SparkTable.of_files(self.session, made)
            else:
                self._tables[name] = SparkTable.of_rows(made)
        return self._tables[name]
