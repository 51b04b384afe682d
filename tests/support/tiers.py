"""Which tests run by default, and which in the deep tier alone.

The default tier has every kind of behaviour once. `--deep` adds what repeats a kind: tests marked `deep`, and every
combination of the parameters of a test, on every engine.
"""

from collections.abc import Sequence
from itertools import groupby
from typing import Any

import pytest

ON_SPARK = 1
"""Combinations of parameters of one test that run on Spark by default; the mark `on_spark` says another number."""

MARKS = [
    "spark: runs on Spark, which needs Java",
    "on_spark(count): so many combinations of parameters of this test run on Spark by default",
    "deep(reason): runs in the deep tier alone, as it repeats a kind of behaviour that another test has",
    "shows(count): so many combinations of parameters run by default, instead of one for each value; without count all",
]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--deep", action="store_true", help="run the deep tier, too: all combinations, all repetitions")


def pytest_configure(config: pytest.Config) -> None:
    for mark in MARKS:
        config.addinivalue_line("markers", mark)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect what belongs to the deep tier."""
    for item in items:
        check_reason(item)
    if config.getoption("deep"):
        return
    chosen: set[pytest.Item] = set()
    for _, group in groupby(items, key=lambda item: (item.path, getattr(item, "originalname", item.name))):
        several = [item for item in group if not item.get_closest_marker("deep")]
        if not several:
            continue
        spark = [item for item in several if item.get_closest_marker("spark") and len(several) > 1]
        chosen.update(cover([item for item in several if item not in spark], number_of(several, "shows")))
        chosen.update(cover(spark, number_of(several, "on_spark", ON_SPARK)))
    config.hook.pytest_deselected(items=[item for item in items if item not in chosen])
    items[:] = [item for item in items if item in chosen]


def check_reason(item: pytest.Item) -> None:
    """Refuse a test of the deep tier that does not say why it is there."""
    mark = item.get_closest_marker("deep")
    if mark and not mark.args:
        raise pytest.UsageError(f"{item.nodeid}: a test of the deep tier says why: deep(reason)")


def number_of(items: Sequence[pytest.Item], mark: str, otherwise: int | None = None) -> int | None:
    """Return the number that a mark of a test gives, or else another one."""
    marker = items[0].get_closest_marker(mark)
    if marker is None:
        return otherwise
    return int(marker.args[0]) if marker.args else len(items)


def cover(items: Sequence[pytest.Item], count: int | None) -> list[pytest.Item]:
    """Choose `count` of the items or, without a count, as many as show each value of each parameter.

    Each chosen item has as many values as possible that those before it do not have.
    """
    if len(items) < 2 and count is None:
        return list(items)
    left, chosen, shown = [(item, values_of(item)) for item in items], list[pytest.Item](), set[tuple[str, ...]]()
    while left and (count is None or len(chosen) < count):
        best = max(left, key=lambda one: len(one[1] - shown))
        if count is None and chosen and best[1] <= shown:
            break
        left.remove(best)
        chosen.append(best[0])
        shown |= best[1]
    return chosen


def values_of(item: pytest.Item) -> set[tuple[str, ...]]:
    """Return the parameters of an item with their values; those that one mark gives together are one parameter."""
    callspec: Any = getattr(item, "callspec", None)
    if callspec is None:
        return set()
    left = {name: repr(value) for name, value in callspec.params.items()}
    values: set[tuple[str, ...]] = set()
    for mark in item.iter_markers("parametrize"):
        names = mark.args[0].split(",") if isinstance(mark.args[0], str) else mark.args[0]
        values.add(tuple(f"{name.strip()}={left.pop(name.strip(), '')}" for name in names))
    return values | {(f"{name}={value}",) for name, value in left.items()}
