"""A plugin that chooses the tests that run by default, and those that only the deep tier runs.

The default tier tests every kind of behaviour once, and its property tests draw the same cases each time: a failure
belongs to a change. `--deep` adds repetitions: tests marked `deep`, all combinations of the parameters of a test on
every engine, and new cases of property tests.
"""

from collections.abc import Sequence
from itertools import groupby
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

ON_SPARK = 1
"""Number of parameter combinations of a test that run on Spark by default; the mark `on_spark` sets another number."""

MARKS = [
    "spark: runs on Spark, which needs Java",
    "on_spark(count): number of parameter combinations of this test that run on Spark by default",
    "deep(reason): runs in the deep tier alone, as it repeats a kind of behaviour that another test has",
    "shows(count): number of parameter combinations that run by default instead of one for each value; all if omitted",
]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--deep", action="store_true", help="run the deep tier, too: all combinations, all repetitions")


def pytest_configure(config: pytest.Config) -> None:
    for mark in MARKS:
        config.addinivalue_line("markers", mark)
    deep = bool(config.getoption("deep"))
    # No test has a deadline, because a busy machine is sometimes slow.
    untimed = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=not deep)
    settings.register_profile("tier", untimed)
    settings.load_profile("tier")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect the tests of the deep tier, unless it runs."""
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
    """Refuse a test of the deep tier without a reason."""
    mark = item.get_closest_marker("deep")
    if mark and not mark.args:
        raise pytest.UsageError(f"{item.nodeid}: a test of the deep tier says why: deep(reason)")


def number_of(items: Sequence[pytest.Item], mark: str, otherwise: int | None = None) -> int | None:
    """Return the number of a mark of a test: all items if the mark has none, and `otherwise` without the mark."""
    marker = items[0].get_closest_marker(mark)
    if marker is None:
        return otherwise
    return int(marker.args[0]) if marker.args else len(items)


def cover(items: Sequence[pytest.Item], count: int | None) -> list[pytest.Item]:
    """Choose `count` of the items or, without a count, enough to show each value of each parameter.

    Each chosen item has as many values as possible that no earlier chosen item has.
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
    """Return the parameters of an item with their values; names that one mark sets together count as one parameter."""
    callspec: Any = getattr(item, "callspec", None)
    if callspec is None:
        return set()
    left = {name: repr(value) for name, value in callspec.params.items()}
    values: set[tuple[str, ...]] = set()
    for mark in item.iter_markers("parametrize"):
        names = mark.args[0].split(",") if isinstance(mark.args[0], str) else mark.args[0]
        values.add(tuple(f"{name.strip()}={left.pop(name.strip(), '')}" for name in names))
    return values | {(f"{name}={value}",) for name, value in left.items()}
