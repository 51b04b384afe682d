"""The engine: verbs on a Spark cluster."""

from collections.abc import Sequence
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession

from neardup.allowed import allow
from neardup.inputs.sources import is_frame
from neardup.spark.cluster import SparkCluster
from neardup.spark.inputs.frame_reader import stream_of
from neardup.spark.inputs.frames import Frames
from neardup.spark.results.result import SparkResult
from neardup.spread.phases import Notice, Progress
from neardup.spread.request import make_request
from neardup.spread.run import Limits, SpreadRun


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
        cluster, are_frames = SparkCluster(self.session, progress), is_frame(inputs[0])
        request = make_request(verb, inputs, options, "Spark", Frames if are_frames else None)
        run = SpreadRun(cluster, request, self._limits).run()
        made = {
            name: cluster.table(run.steps, run.step_of(name), run.parts[run.step_of(name)])
            if folder is None
            else folder
            for name, folder in run.tables.items()
        }
        frame = inputs[0] if are_frames and len(inputs) == 1 else None
        return SparkResult(self.session, made, run.summary, frame, request.options.get("id_field"))

    def stream(self, frame: DataFrame, options: dict[str, Any]) -> pa.RecordBatchReader:
        """Return the documents of a DataFrame in the order of their ids, as an Arrow stream of the wanted columns."""
        return stream_of(frame, options)
