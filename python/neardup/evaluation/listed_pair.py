"""Pairs that a run has listed."""

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from neardup import _core
from neardup.output.written import share
from neardup.table import Table

Key = tuple[str, str]
"""The ids of a pair, in the order of the tables."""
COUNTS = ("shared", "left_size", "right_size")


class ListedPair(NamedTuple):
    """A row of pairs.parquet or forest.parquet.

    It has both ids, the rule, and the numbers of features: those that the documents share, and those of each.
    """

    left: str
    right: str
    rule: str
    shared: int
    left_size: int
    right_size: int

    @property
    def key(self) -> Key:
        """Both ids."""
        return self.left, self.right

    @property
    def exact(self) -> Fraction:
        """The resemblance |A n B| / |A u B|."""
        return Fraction(*ratio(*self[3:]))

    @property
    def resemblance(self) -> float:
        """The resemblance, for display."""
        return share(*ratio(*self[3:]))


def read_rows(table: _core.Table | Table) -> Iterator[ListedPair]:
    """Return the pairs of a table."""
    return map(ListedPair._make, zip(*(table.column(name) for name in ListedPair._fields), strict=True))


def ratio(shared: int, left_size: int, right_size: int) -> tuple[int, int]:
    """Return the resemblance as (features in both, features in either).

    Equal texts without any feature are listed as well, with a resemblance of 1.
    """
    union = left_size + right_size - shared
    return (shared, union) if union else (1, 1)
