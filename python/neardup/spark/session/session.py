"""Spark sessions for callers that have none yet: the command line, tests and benches."""

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType

from pyspark.sql import SparkSession

from neardup import _core

LEAST = 512 << 20
"""Bytes without which Spark does not start."""


@contextmanager
def open_session(
    master: str | None = None, cores: int | None = None, settings: Mapping[str, str] = MappingProxyType({})
) -> Iterator[SparkSession]:
    """Start a session, and stop it in the end.

    On this machine it has a quarter of the memory: the processes of its tasks want some, too. `settings` are Spark's
    own, and go before those of `session_settings`.
    """
    # Tasks run by the same Python, unless the user named another.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    chosen = session_settings(master, cores)
    # Spark's own default is 1 GB, whatever the machine. Its settings, wherever they are, go before this variable.
    if is_here(chosen) and _core.machine_memory is not None:
        os.environ.setdefault("SPARK_DRIVER_MEMORY", f"{max(_core.machine_memory // 4, LEAST) >> 20}m")
    builder = SparkSession.builder.appName("neardup")
    for name, value in {**chosen, **settings}.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    try:
        yield session
    finally:
        session.stop()


def session_settings(master: str | None, cores: int | None) -> dict[str, str]:
    """Return Spark's settings of a session.

    Without `master` it runs where spark-submit says, or else on this many `cores` of this machine, by default on all.
    """
    chosen = {"spark.ui.showConsoleProgress": "false", "spark.log.level": "ERROR"}
    # Plans are made of many columns, and where each of them was written costs more than it is worth.
    chosen["spark.python.sql.dataFrameDebugging.enabled"] = "false"
    # Nor is a plan read of megabytes, of which Spark would remember a thousand.
    chosen |= {"spark.sql.maxPlanStringLength": "10000", "spark.sql.ui.retainedExecutions": "20"}
    # The options of spark-submit are in its own process, and cannot be read before the session starts.
    if master is None and not under_submit():
        master = f"local[{cores or '*'}]"
    if master is not None:
        chosen["spark.master"] = master
    if is_here(chosen):
        # One machine needs no more parts than keep its cores busy, and no other machine talks to it.
        chosen["spark.sql.shuffle.partitions"] = str(4 * (cores or os.cpu_count() or 1))
        chosen |= {"spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1"}
    return chosen


def is_here(settings: Mapping[str, str]) -> bool:
    """Return whether a session of these settings runs on this machine alone."""
    return settings.get("spark.master", "").startswith("local")


def under_submit() -> bool:
    """Say whether spark-submit started this process, and so knows its master."""
    return "PYSPARK_GATEWAY_PORT" in os.environ
