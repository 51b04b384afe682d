"""Counts of pairs, component by component."""

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple


class Components:
    """The connected components of pairs of names.

    Union by the smaller name with path halving (Tarjan and van Leeuwen 1984); a name without pairs is a component of
    its own.
    """

    def __init__(self, pairs: Iterable[tuple[str, str]] = ()) -> None:
        self._parents: dict[str, str] = {}
        for left, right in pairs:
            self.join(left, right)

    def join(self, left: str, right: str) -> None:
        """Merge the components of two names."""
        one, other = self.of(left), self.of(right)
        if one != other:
            self._parents[max(one, other)] = min(one, other)

    def of(self, name: str) -> str:
        """Return the component of a name, identified by the smallest name in it."""
        parents = self._parents
        while (parent := parents.get(name, name)) != name:
            # path halving keeps the paths short
            parents[name] = name = parents.get(parent, parent)
        return name


def connect(pairs: Iterable[tuple[str, str]]) -> list[list[str]]:
    """Group names that chains of pairs connect.

    Each group is sorted; the largest is first, then by its smallest name.
    """
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
    """Numbers of pairs: found and right, found and wrong, and all that should be found."""

    tp: int
    fp: int
    positives: int


def count_pairs(documents: int) -> int:
    """Return the number of pairs of `documents` documents."""
    return documents * (documents - 1) // 2


def sum_components(counted: Iterable[tuple[str, Counts]], components: Components) -> Counter[Counts]:
    """Add up the counts of each component, and return the number of components with each sum."""
    sums: dict[str, list[int]] = {}
    for document, counts in counted:
        total = sums.setdefault(components.of(document), [0, 0, 0])
        for at, count in enumerate(counts):
            total[at] += count
    return Counter(Counts(*total) for total in sums.values() if any(total))
