"""Counts of pairs, component by component."""

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from neardup.evaluation.components import Components


class Counts(NamedTuple):
    """Pairs found that are right, pairs found that are wrong, and all that should be found."""

    tp: int
    fp: int
    positives: int


def count_pairs(documents: int) -> int:
    """Count the pairs of so many documents."""
    return documents * (documents - 1) // 2


def sum_components(counted: Iterable[tuple[str, Counts]], components: Components) -> Counter[Counts]:
    """Add up the counts of each component, and say how many components have the same."""
    sums: dict[str, list[int]] = {}
    for document, counts in counted:
        total = sums.setdefault(components.of(document), [0, 0, 0])
        for at, count in enumerate(counts):
            total[at] += count
    return Counter(Counts(*total) for total in sums.values() if any(total))
