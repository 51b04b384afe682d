"""A plugin of pytest that runs each test several times in a row: `--times COUNT`.

Fixtures of the session are shared; all others are made again each time.
"""

import pytest
from _pytest.runner import runtestprotocol


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--times", type=int, required=True, help="number of runs of each test")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool:
    """Run a test several times; the fixtures of its file are torn down between two runs."""
    for left in range(item.config.getoption("times"), 0, -1):
        item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
        # pytest keeps the fixtures that the next item shares; the session as next item shares only its own
        runtestprotocol(item, nextitem=item.session if left > 1 else nextitem)  # type: ignore[arg-type]
        item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True
