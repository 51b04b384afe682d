"""Steps: the rows that the tasks of a step return, kept until the run is over."""

from pathlib import Path

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sf

from neardup import _core
from neardup.spark.session.exchange import MESSAGES, Exchange, root
from neardup.spread.kept_folder import KeptFolder


class KeptSteps:
    """The rows of the finished steps of a run.

    With a folder, they are Parquet files from which a later run of the same identity resumes. Without one, they are the
    files of a shuffle: Spark computes those of a lost executor again.
    """

    def __init__(self, session: SparkSession, parts: int, folder: Path | None, identity: str) -> None:
        self._session = session
        self._parts = parts
        self._folder = None if folder is None else KeptFolder(folder, identity)
        self._rows: dict[str, DataFrame] = {}

    def has(self, name: str) -> bool:
        """Return whether an earlier run finished the step."""
        return self._folder is not None and self._folder.has(name)

    def keep(self, name: str, rows: DataFrame) -> None:
        """Keep the rows of a step: with a folder, they are computed now, otherwise at their first use."""
        if self._folder is not None:
            rows.write.mode("overwrite").parquet(str(self._folder.step(name)))
            return
        # Rooted in a shuffle, so that later steps do not compute it again.
        self._rows[name] = root(Exchange(self._parts).apply(rows), self._session)

    def rows(self, name: str, stage: int) -> DataFrame:
        """Return the rows of a step that were sent to a stage."""
        if self._folder is not None and name not in self._rows:
            rows = self._session.read.schema(MESSAGES).parquet(str(self._folder.step(name)))
        else:
            rows = self._rows[name]
        return rows.where(sf.col("stage") == stage)

    def tallies(self, name: str) -> list[bytes]:
        """Return what the tasks of a step sent to the driver."""
        return [bytes(row["packed"]) for row in self.rows(name, _core.driver_stage).select("packed").collect()]
