"""Spark sessions for callers that have none yet: the command line, tests and benches."""

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType

from pyspark import SparkConf, SparkContext
from pyspark.sql import SparkSession

from neardup import _core

LEAST = 512 << 20
"""Minimum memory of Spark, in bytes; with less it does not start."""
LEAST_OF_TASK = 256 << 20
"""Minimum memory of a task, in bytes, however little there is: Python with its libraries takes most of it."""


@contextmanager
def open_session(
    master: str | None = None, cores: int | None = None, settings: Mapping[str, str] = MappingProxyType({})
) -> Iterator[SparkSession]:
    """Start a session, and stop it at the end.

    On this machine it has a quarter of the memory: the processes of its tasks need some, too. `settings` are Spark's
    own, and override those of `session_settings`.
    """
    # Tasks use the same Python, unless the user named another.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    chosen = session_settings(master, cores)
    # Spark's own default is 1 GB, whatever the machine. Its settings, wherever they are, override this variable.
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
    """Return Spark's settings for a session.

    Without `master` it runs where spark-submit says, else on this machine with `cores` cores, by default all.
    """
    chosen = {"spark.ui.showConsoleProgress": "false", "spark.log.level": "ERROR"}
    # Plans consist of many columns; recording where each was written costs more than it is worth.
    chosen["spark.python.sql.dataFrameDebugging.enabled"] = "false"
    # Plans of megabytes are not read by anyone, and Spark would remember a thousand.
    chosen |= {"spark.sql.maxPlanStringLength": "10000", "spark.sql.ui.retainedExecutions": "20"}
    # The options of spark-submit are in its own process, and cannot be read before the session starts.
    if master is None and not under_submit():
        master = f"local[{cores or '*'}]"
    if master is not None:
        chosen["spark.master"] = master
    if is_here(chosen):
        # One machine needs only enough partitions to keep its cores busy, and no other machine connects to it.
        chosen["spark.sql.shuffle.partitions"] = str(4 * (cores or os.cpu_count() or 1))
        chosen |= {"spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1"}
    return chosen


def is_here(settings: Mapping[str, str]) -> bool:
    """Return whether a session of these settings runs on this machine alone."""
    return settings.get("spark.master", "").startswith("local")


def task_memory(context: SparkContext) -> int | None:
    """Return the bytes that the work of a task may take; None if this is not known.

    Workers of Python are processes beside Java. On this machine, half of the memory is for the tasks that run at once.
    On a cluster, `spark.executor.pyspark.memory` says what an executor has for them; by default they take as much as
    Java.
    """
    conf, cores = context.getConf(), context.defaultParallelism
    if is_here({"spark.master": context.master or ""}):
        memory = _core.machine_memory and _core.machine_memory // 2
    else:
        size = conf.get("spark.executor.pyspark.memory") or conf.get("spark.executor.memory", "1g")
        memory = java_bytes(str(size))
        # A standalone cluster gives an executor all cores of its machine, which may be like this one.
        cores = int(conf.get("spark.executor.cores") or os.cpu_count() or 1)
    return memory and max(LEAST_OF_TASK, memory * task_cpus(conf) // cores)


def task_cpus(conf: SparkConf) -> int:
    """Return the number of cores that a task occupies."""
    return int(conf.get("spark.task.cpus") or 1)


def java_bytes(size: str) -> int:
    """Return a size as Spark writes it, in bytes; without a unit it is in megabytes."""
    number = size.lower().removesuffix("b")
    power = "kmgtp".find(number[-1:]) + 1
    return int(number[:-1]) << 10 * power if power else int(number) << 20


def under_submit() -> bool:
    """Return whether spark-submit started this process, and so knows its master."""
    return "PYSPARK_GATEWAY_PORT" in os.environ
