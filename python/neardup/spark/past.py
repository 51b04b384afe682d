"""The past of a run: rows that earlier runs kept, as Parquet files."""

from functools import reduce
from pathlib import Path

from pyspark.sql import DataFrame, SparkSession

from neardup import _core
from neardup.spark.session.exchange import MESSAGES
from neardup.spark.session.steps import KeptSteps

KEYS, LED = "keys", "led"
"""Folders of the rows: the first is partitioned by ranges of keys."""


class PastRows:
    """The rows of a past, in a folder that all executors see: those of its batches, and of a further one."""

    def __init__(self, session: SparkSession, folder: str, batches: int) -> None:
        self._session = session
        self._folder = Path(folder).absolute()
        self._batches = batches

    def add_to(self, kept: KeptSteps) -> None:
        """Make the rows of all batches steps of a run."""
        if self._batches:
            kept.add(_core.past_keys_step, self._read(KEYS))
            kept.add(_core.past_led_step, self._read(LED))

    def write(self, kept: KeptSteps) -> None:
        """Write the rows of the batch of a run."""
        keys, led = kept.rows("write", _core.past_stage), kept.rows("compare-1", _core.led_stage)
        keys.write.mode("overwrite").partitionBy("part").parquet(self._path(KEYS, self._batches))
        led.write.mode("overwrite").parquet(self._path(LED, self._batches))

    def _path(self, name: str, batch: int) -> str:
        return str(self._folder / name / f"batch-{batch:05}")

    def _read(self, name: str) -> DataFrame:
        read = [self._session.read.schema(MESSAGES).parquet(self._path(name, batch)) for batch in range(self._batches)]
        return reduce(DataFrame.unionByName, read)
