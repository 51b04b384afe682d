"""Steps: the rows that the tasks of a step return, kept until the run is over."""

from pathlib import Path
from shutil import rmtree

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sf

from neardup import _core
from neardup.spark.session.exchange import MESSAGES, Exchange, root


class KeptSteps:
    """The rows of the finished steps of a run.

    With a folder, they are Parquet files from which a later run of the same identity resumes. Without one, they are the
    files of a shuffle: Spark computes those of a lost executor again.
    """

    def __init__(self, session: SparkSession, parts: int, folder: Path | None, identity: str) -> None:
        self._session = session
        self._parts = parts
        self._folder = folder
        self._rows: dict[str, DataFrame] = {}
        if folder is not None:
            mark = folder / "identity"
            if not mark.exists() or mark.read_text(encoding="utf-8") != identity:
                rmtree(folder, ignore_errors=True)
                folder.mkdir(parents=True)
                mark.write_text(identity, encoding="utf-8")

    def has(self, name: str) -> bool:
        """Return whether an earlier run finished the step."""
        return self._folder is not None and (self._folder / name / "_SUCCESS").exists()

    def keep(self, name: str, rows: DataFrame) -> None:
        """Keep the rows of a step: with a folder, they are computed now, otherwise at their first use."""
        if self._folder is not None:
            rows.write.mode("overwrite").parquet(str(self._folder / name))
            return
        # Rooted in a shuffle, so that later steps do not compute it again.
        self._rows[name] = root(Exchange(self._parts).apply(rows), self._session)

    def rows(self, name: str, stage: int) -> DataFrame:
        """Return the rows of a step that were sent to a stage."""
        if self._folder is not None and name not in self._rows:
            rows = self._session.read.schema(MESSAGES).parquet(str(self._folder / name))
        else:
            rows = self._rows[name]
        return rows.where(sf.col("stage") == stage)

    def tallies(self, name: str) -> list[bytes]:
        """Return what the tasks of a step sent to the driver."""
        return [bytes(row["packed"]) for row in self.rows(name, _core.driver_stage).select("packed").collect()]
