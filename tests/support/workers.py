"""A plugin that assigns tests to worker processes, so that only one of them starts each slow service."""

from pathlib import Path
from typing import Any

import pytest
from xdist.scheduler import LoadFileScheduling

IN_SESSION = (
    "test_spark.py",
    "test_spark_options.py",
    "test_spark_tables.py",
    "test_spark_resume.py",
    "test_spark_remote.py",
)
"""Files whose tests share the Spark session; in other files, only tests with `spark` among their parameters do."""


SLOW = [
    "spark",
    "test_spark_cluster.py",
    "test_spark_standalone.py",
    "test_resume.py",
    "test_memory.py",
    "test_kills.py",
    "test_full_disk.py",
]
"""Groups of tests that start first, the longest before the others, so that none of them runs last."""


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put slow groups first; workers take groups in this order."""
    places = {name: place for place, name in enumerate(SLOW)}
    items.sort(key=lambda item: places.get(Path(group_of(item.nodeid)).name, len(SLOW)))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Assign each file to one worker, and all tests that share Spark, PostgreSQL or a browser to one worker.

    The deep tier has so many tests on Spark that every worker has a session.
    """
    if config.getoption("dist") != "loadfile":
        return None
    # The group marks of xdist change test names, which pytest 9.2 no longer allows.
    scheduler = LoadFileScheduling(config, log)
    scheduler._split_scope = file_of if config.getoption("deep") else group_of
    return scheduler


def group_of(nodeid: str) -> str:
    """Return the name of the group of tests that one worker runs."""
    path, _, test = nodeid.partition("::")
    name, parameters = Path(path).name, test.partition("[")[2]
    if name in IN_SESSION or "spark" in parameters:
        return "spark"
    if "postgres" in parameters:
        return "postgres"
    return "browser" if name.startswith("test_browser") else path


def file_of(nodeid: str) -> str:
    """Return the group of a test if every worker has a Spark session: tests on Spark are grouped by file, too."""
    group = group_of(nodeid)
    return nodeid.partition("::")[0] if group == "spark" else group
