"""The engine: verbs over Spark DataFrames."""

from collections.abc import Sequence
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame

from neardup.spark.frames.frame_reader import stream_of
from neardup.spark.pipeline import run
from neardup.spark.request import make_request, refuse, spread_options
from neardup.spark.results.results import SparkResult
from neardup.spark.results.spread_result import SpreadResult
from neardup.spark.session.operations import SparkOperations
from neardup.spark.session.watch import Notice, Progress, Watch
from neardup.spark.spread import SpreadRun


class SparkEngine(SparkOperations):
    """Runs `dedup`, `cluster` and `find_pairs` on the cluster of a Spark session."""

    def run(
        self,
        verb: str,
        inputs: Sequence[Any],
        options: dict[str, Any],
        progress: Progress | None = None,
        notice: Notice | None = None,
    ) -> SparkResult | SpreadResult:
        """Run a verb over inputs, with the options of the core."""
        self.watch = Watch(self.session.sparkContext, progress, notice)
        refuse(verb, options)
        spread = spread_options(inputs, options)
        if spread is not None:
            spread_run = SpreadRun(self, verb, list(inputs), spread)
            if not spread_run.has_archives:
                return spread_run.run()
            spread_run.give_up()
        try:
            return run(self, make_request(self, verb, inputs, options))
        finally:
            self.release_all()

    def stream(self, frame: DataFrame, options: dict[str, Any]) -> pa.RecordBatchReader:
        """Return the documents of a DataFrame in the order of their ids, as an Arrow stream of the wanted columns."""
        return stream_of(frame, options)
