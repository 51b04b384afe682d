"""The engine: verbs on a Ray cluster."""

import logging
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pyarrow as pa
import ray

from neardup.allowed import allow
from neardup.errors import UsageError
from neardup.output.addresses import is_address, local_path
from neardup.ray.cluster import RayCluster
from neardup.ray.result import RayResult
from neardup.spread.phases import Notice, Progress
from neardup.spread.request import make_request
from neardup.spread.run import Limits, SpreadRun

ADDRESS = "RAY_ADDRESS"
"""The variable with the address of a cluster."""


class RayEngine:
    """Runs `dedup`, `cluster` and `find_pairs` on the Ray cluster of this process.

    That is the one of `ray.init`, or the one that Ray finds or starts by itself. `forest` is the maximum number of
    links that one task connects, about 100 bytes each; by default 8,000,000. More are connected by rounds of stars.
    `family` is the maximum number of connected documents that one task compares, copies counted once; by default
    200,000, or texts of 128 MiB. More are compared in blocks.
    """

    @allow
    def __init__(self, *, forest: int | None = None, family: int | None = None) -> None:
        self._limits = Limits(forest, family)

    def run(
        self,
        verb: str,
        inputs: Sequence[Any],
        options: dict[str, Any],
        progress: Progress | None = None,
        notice: Notice | None = None,  # noqa: ARG002  # a run on one machine forecasts its disk space
    ) -> RayResult:
        """Run a verb over inputs, with the options of the core."""
        if options.get("output") and is_address(local_path(str(options["output"]))):
            raise UsageError(
                "on Ray results are in a folder that all machines see by the same path; on Spark in any storage"
            )
        if not ray.is_initialized():
            ray.init()
        cluster = RayCluster(progress)
        run = SpreadRun(cluster, make_request(verb, inputs, options, "Ray"), self._limits).run()
        return RayResult(run)

    def stream(self, frame: Any, options: dict[str, Any]) -> pa.RecordBatchReader:  # noqa: ARG002
        """Raise `UsageError`: Ray has no table of its own here."""
        raise UsageError("Ray reads files and Arrow tables")


@contextmanager
def open_ray(cores: int | None = None) -> Iterator[None]:
    """Connect to the cluster that the variable RAY_ADDRESS names, or start one here, and disconnect at the end."""
    if cores is not None and os.environ.get(ADDRESS):
        raise UsageError(f"--threads: the cluster of {ADDRESS} knows how many cores it has")
    # Ray reports its use to its developers, except where it is told not to.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    ray.init(num_cpus=cores, include_dashboard=False, log_to_driver=False, logging_level=logging.ERROR)
    try:
        yield
    finally:
        ray.shutdown()
