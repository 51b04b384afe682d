"""Which worker process runs a test: what is slow to start is started by one of them."""

from pathlib import Path
from typing import Any

import pytest
from xdist.scheduler import LoadFileScheduling

IN_SESSION = ("test_spark.py", "test_spark_tables.py")
"""Files whose tests share the session on Spark; of other files those do that have `spark` among their parameters."""


SLOW = ["spark", "test_spark_cluster.py", "test_resume.py", "test_memory.py", "test_kills.py", "test_full_disk.py"]
"""Groups of tests that begin first, the longest before the others, so that no worker is left with them at the end."""


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put slow groups first, which workers take in this order."""
    places = {name: place for place, name in enumerate(SLOW)}
    items.sort(key=lambda item: places.get(Path(group_of(item.nodeid)).name, len(SLOW)))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Have a file run by one worker, and so all tests that share Spark, PostgreSQL or a browser.

    The deep tier runs so much on Spark that every worker has a session.
    """
    if config.getoption("dist") != "loadfile":
        return None
    # The marks for groups change names of tests, which pytest 9.2 does not allow any more.
    scheduler = LoadFileScheduling(config, log)
    scheduler._split_scope = file_of if config.getoption("deep") else group_of
    return scheduler


def group_of(nodeid: str) -> str:
    """Return the name of the tests that the worker of this one runs, too."""
    path, _, test = nodeid.partition("::")
    name, parameters = Path(path).name, test.partition("[")[2]
    if name in IN_SESSION or "spark" in parameters:
        return "spark"
    if "postgres" in parameters:
        return "postgres"
    return "browser" if name.startswith("test_browser") else path


def file_of(nodeid: str) -> str:
    """Return the same where every worker has a Spark: its tests are shared out by files, too."""
    group = group_of(nodeid)
    return nodeid.partition("::")[0] if group == "spark" else group
