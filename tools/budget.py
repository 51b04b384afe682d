"""A plugin of pytest that begins no test after some seconds, and lists the tests that were left out."""

import time
from collections import Counter
from collections.abc import Generator
from typing import Any

import pytest

LEFT = "left out for want of time"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--seconds", type=float, help="begin no test after this many seconds")
    parser.addoption("--with-spark", action="store_true", help="run tests on Spark, too, which takes long to start")


def pytest_configure(config: pytest.Config) -> None:
    seconds = config.getoption("seconds")
    if seconds is not None:
        config.pluginmanager.register(Budget(time.monotonic() + seconds, with_spark=config.getoption("with_spark")))


class Budget:
    """The time until which tests begin, and whether tests on Spark run."""

    def __init__(self, end: float, *, with_spark: bool) -> None:
        self._end = end
        self._with_spark = with_spark

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> Generator[None, object, object]:
        """Keep the files in the given order, which is the most important first."""
        files = dict.fromkeys(item.path for item in items)
        places = {path: place for place, path in enumerate(files)}
        result = yield
        items.sort(key=lambda item: places[item.path])
        return result

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """Skip a test for which there is no time."""
        is_slow = item.get_closest_marker("spark") is not None and not self._with_spark
        if is_slow or time.monotonic() > self._end:
            pytest.skip(LEFT)

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Print the number of tests of each file that did not begin."""
        skipped = [one for one in terminalreporter.stats.get("skipped", ()) if LEFT in str(one.longrepr)]
        for path, count in Counter(one.nodeid.partition("::")[0] for one in skipped).items():
            terminalreporter.write_line(f"{LEFT}: {path}, {count} tests")
