"""A plugin of pytest that shuffles files, and the tests of each, by a seed: `--order-by NUMBER`."""

from collections.abc import Generator
from itertools import groupby
from random import Random

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--order-by", type=int, required=True, help="the seed of the order")


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> Generator[None, object, object]:
    """Shuffle the tests after all other plugins have chosen and ordered them.

    The tests of a file stay together, because fixtures of a file are slow to make.
    """
    result = yield
    items.sort(key=lambda item: item.path)
    random = Random(config.getoption("order_by"))
    files = [list(group) for _, group in groupby(items, key=lambda item: item.path)]
    random.shuffle(files)
    for file in files:
        random.shuffle(file)
    items[:] = [item for file in files for item in file]
    return result
