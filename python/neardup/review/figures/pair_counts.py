"""How many pairs a run has listed, by their resemblance."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import accumulate
from pathlib import Path

from neardup import _core
from neardup.evaluation.listed_pair import COUNTS, ListedPair, ratio, read_rows
from neardup.inputs.sources import refuse_special

BITS = 80
"""Two different ratios of whole numbers below 2^33 differ by more than 2^-66: so many bits of them tell their order."""


def read_pairs(run: Path) -> Iterator[ListedPair]:
    """Return the pairs of the run in a folder."""
    return read_rows(_table(run))


def read_ratios(run: Path) -> Iterator[tuple[int, int]]:
    """Return the resemblance of every pair, as `ratio` does, without its ids."""
    table = _table(run)
    return map(ratio, *(table.column(name) for name in COUNTS))


def _table(run: Path) -> _core.Table:
    path = run / "pairs.parquet"
    refuse_special(path)
    return _core.read_table(str(path))


class PairCounts:
    """The resemblances there are, ascending, and how many pairs have each or a higher one."""

    def __init__(self, ratios: Iterable[tuple[int, int]]) -> None:
        """Count resemblances, each given as two whole numbers."""
        counts = Counter(ratios)
        self._ratios = sorted(counts, key=lambda ratio: (ratio[0] << BITS) // ratio[1])
        falling = accumulate(counts[ratio] for ratio in reversed(self._ratios))
        self._pairs = [*reversed(list(falling)), 0]

    def at_least(self, threshold: Fraction) -> int:
        """Count the pairs whose resemblance is the threshold or more."""
        over, under = threshold.as_integer_ratio()
        # False is less than True
        first = bisect_left(self._ratios, True, key=lambda ratio: ratio[0] * under >= over * ratio[1])
        return self._pairs[first]
