"""The engine: verbs on a Spark cluster."""

from collections.abc import Sequence
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession

from neardup.allowed import allow
from neardup.spark.inputs.frame_reader import stream_of
from neardup.spark.request import make_request
from neardup.spark.results.result import SparkResult
from neardup.spark.session.watch import Notice, Progress, Watch
from neardup.spark.spread import Limits, SpreadRun


class SparkEngine:
    """Runs `dedup`, `cluster` and `find_pairs` on the cluster of a Spark session.

    `forest` is the maximum number of links that one task connects, about 100 bytes each; by default 8,000,000. More are
    connected by rounds of stars. `family` is the maximum number of connected documents that one task compares, copies
    counted once; by default 200,000, or texts of 128 MiB. More are compared in blocks.
    """

    @allow
    def __init__(self, session: SparkSession, *, forest: int | None = None, family: int | None = None) -> None:
        self.session = session
        self._limits = Limits(forest, family)

    def run(
        self,
        verb: str,
        inputs: Sequence[Any],
        options: dict[str, Any],
        progress: Progress | None = None,
        notice: Notice | None = None,  # noqa: ARG002  # a run on one machine forecasts its disk space
    ) -> SparkResult:
        """Run a verb over inputs, with the options of the core."""
        watch = Watch(self.session.sparkContext, progress)
        return SpreadRun(self.session, make_request(verb, inputs, options), self._limits, watch).run()

    def stream(self, frame: DataFrame, options: dict[str, Any]) -> pa.RecordBatchReader:
        """Return the documents of a DataFrame in the order of their ids, as an Arrow stream of the wanted columns."""
        return stream_of(frame, options)
