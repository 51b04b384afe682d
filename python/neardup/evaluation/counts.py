"""Counts of pairs, component by component."""

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple


class Components:
    """The connected components of pairs of names.

    Union by the smaller name with path halving (Tarjan and van Leeuwen 1984); a name without pairs is a component.
    """

    def __init__(self, pairs: Iterable[tuple[str, str]] = ()) -> None:
        self._parents: dict[str, str] = {}
        for left, right in pairs:
            self.join(left, right)

    def join(self, left: str, right: str) -> None:
        """Make one component of those of two names."""
        one, other = self.of(left), self.of(right)
        if one != other:
            self._parents[max(one, other)] = min(one, other)

    def of(self, name: str) -> str:
        """Return the component of a name, by the smallest name in it."""
        parents = self._parents
        while (parent := parents.get(name, name)) != name:
            # halving the path on the way keeps it short
            parents[name] = name = parents.get(parent, parent)
        return name


def connect(pairs: Iterable[tuple[str, str]]) -> list[list[str]]:
    """Group names by chains of pairs; each group in order, the largest group first, then by its smallest name."""
    components = Components()
    names: set[str] = set()
    for left, right in pairs:
        names.update((left, right))
        components.join(left, right)
    groups: dict[str, list[str]] = {}
    for name in sorted(names):
        groups.setdefault(components.of(name), []).append(name)
    return sorted(groups.values(), key=lambda group: (-len(group), group[0]))


class Counts(NamedTuple):
    """Pairs found that are right, pairs found that are wrong, and all that should be found."""

    tp: int
    fp: int
    positives: int


def count_pairs(documents: int) -> int:
    """Count the pairs of this many documents."""
    return documents * (documents - 1) // 2


def sum_components(counted: Iterable[tuple[str, Counts]], components: Components) -> Counter[Counts]:
    """Add up the counts of each component, and say how many components have the same."""
    sums: dict[str, list[int]] = {}
    for document, counts in counted:
        total = sums.setdefault(components.of(document), [0, 0, 0])
        for at, count in enumerate(counts):
            total[at] += count
    return Counter(Counts(*total) for total in sums.values() if any(total))
