"""A plugin of pytest: tests begin until some seconds are over, and it is told which did not."""

import time
from collections import Counter
from collections.abc import Generator
from typing import Any

import pytest

LEFT = "left out, as the time was over"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--seconds", type=float, help="begin no test after so many seconds")


def pytest_configure(config: pytest.Config) -> None:
    seconds = config.getoption("seconds")
    if seconds is not None:
        config.pluginmanager.register(Budget(time.monotonic() + seconds))


class Budget:
    """The time until which tests begin."""

    def __init__(self, end: float) -> None:
        self._end = end

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> Generator[None, object, object]:
        """Leave the files in the order in which they are given, the most important first."""
        files = dict.fromkeys(item.path for item in items)
        places = {path: place for place, path in enumerate(files)}
        result = yield
        items.sort(key=lambda item: places[item.path])
        return result

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self) -> None:
        """Skip a test for which there is no time."""
        if time.monotonic() > self._end:
            pytest.skip(LEFT)

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Tell of each file how many of its tests did not begin."""
        skipped = [one for one in terminalreporter.stats.get("skipped", ()) if LEFT in str(one.longrepr)]
        for path, count in Counter(one.nodeid.partition("::")[0] for one in skipped).items():
            terminalreporter.write_line(f"left out, as the time was over: {path}, {count} tests")
