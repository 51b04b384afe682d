"""Precision, recall and F1 of all listed pairs, estimated from the sample."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import accumulate
from math import fsum
from pathlib import Path
from typing import NamedTuple

from neardup import _core
from neardup.evaluation.intervals import DIGITS, Estimate, wilson
from neardup.evaluation.listed_pair import COUNTS, ListedPair, ratio, read_rows
from neardup.inputs.sources import refuse_special
from neardup.review.strata import Strata

BITS = 80
"""Different ratios of whole numbers below 2^33 differ by more than 2^-66: this many bits of them decide their order."""


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


class Judged(NamedTuple):
    """A pair of the sample that is decided: its stratum, its resemblance, and whether it is a duplicate."""

    stratum: int
    resemblance: Fraction
    duplicate: bool


class Cell(NamedTuple):
    """Pairs that one share of duplicates represents.

    Of the pairs of a stratum this many are in the cell, this many of them at or above the threshold; of those in the
    sample this many are decided, and this many duplicates.
    """

    stratum: int
    pairs: int
    above: int
    decided: int
    duplicates: int

    @property
    def share(self) -> Fraction:
        """The share of duplicates among the decided pairs, of which there are some."""
        return Fraction(self.duplicates, self.decided)

    @property
    def smoothed(self) -> float:
        """The same for (x + 1) / (n + 2), which is never 0 or 1: that no pair differs does not mean that none would."""
        return (self.duplicates + 1) / (self.decided + 2)

    @property
    def variance(self) -> float:
        """The variance of the share, drawn without replacement: P (1 - P) / n (N - n) / (N - 1) (Cochran 1977, 3.2)."""
        left = self.pairs - self.decided
        return self.smoothed * (1 - self.smoothed) / self.decided * left / (self.pairs - 1) if left else 0.0


def divide(strata: Strata, counts: PairCounts, judged: Iterable[Judged], threshold: Fraction) -> list[Cell]:
    """Divide the listed pairs into cells: the strata that have any.

    A stratum that the threshold cuts is two cells, and one when either part has no decided pair.
    """
    several: list[list[Judged]] = [[] for _ in range(len(strata))]
    for one in judged:
        several[one.stratum].append(one)
    cells: list[Cell] = []
    for stratum, (low, decided) in enumerate(zip(strata.edges, several, strict=True)):
        over = counts.at_least(strata.edges[stratum + 1]) if stratum + 1 < len(strata) else 0
        pairs, above = counts.at_least(low) - over, max(counts.at_least(max(low, threshold)) - over, 0)
        upper = [one for one in decided if one.resemblance >= threshold]
        lower = [one for one in decided if one.resemblance < threshold]
        if upper and lower:
            cells.append(_cell(stratum, above, above, upper))
            cells.append(_cell(stratum, pairs - above, 0, lower))
        elif pairs:
            cells.append(_cell(stratum, pairs, above, decided))
    return cells


def _cell(stratum: int, pairs: int, above: int, decided: list[Judged]) -> Cell:
    return Cell(stratum, pairs, above, len(decided), sum(one.duplicate for one in decided))


NO_PAIRS = "no listed pair has this resemblance or a higher one"
NO_DUPLICATES = "no decided pair of the sample is a duplicate"
_NAMED = 2
"""Strata that are named where a figure is not known for them."""


class Figures(NamedTuple):
    """How well pairs from a threshold on fit what people say; recall is relative to the pairs from the floor on."""

    pairs: int
    precision: Estimate
    recall: Estimate
    f1: Estimate


class Part(NamedTuple):
    """A cell, and how often its share counts above and below the line of a ratio."""

    cell: Cell
    over: int
    under: int


def estimate(cells: Sequence[Cell], strata: Strata) -> Figures:
    """Estimate the figures of the threshold that divided the pairs into these cells.

    With A of the N pairs of a cell at or above the threshold, and p the share of duplicates among its decided pairs,
    precision is sum A p / sum A; recall is sum A p / sum N p; F1 is 2 sum A p / (sum A + sum N p) (stratified sampling,
    Cochran 1977, chapter 5). A figure is not known while a cell that it is made of has no decided pair.
    """
    found = sum(cell.above for cell in cells)
    return Figures(
        found,
        _ratio([Part(cell, cell.above, 0) for cell in cells], found, strata, NO_PAIRS),
        _ratio([Part(cell, cell.above, cell.pairs) for cell in cells], 0, strata, NO_DUPLICATES),
        _ratio([Part(cell, 2 * cell.above, cell.pairs) for cell in cells], found, strata, NO_DUPLICATES),
    )


def estimate_share(cell: Cell, strata: Strata) -> Estimate:
    """Estimate the share of duplicates in a cell."""
    return _ratio([Part(cell, cell.pairs, 0)], cell.pairs, strata, NO_PAIRS)


def _ratio(parts: list[Part], constant: int, strata: Strata, reason: str) -> Estimate:
    """Estimate r = sum over p / (constant + sum under p), with its interval; None for `reason` where it is 0 / 0.

    By the delta method its variance v is the sum of (over - r under)^2 var(p), over the square of what r is divided by
    (Cochran 1977, 6.3 for ratios). As in `evaluation.intervals`, the interval is Wilson's (1927) for r and as many
    independent pairs as would vary as much, r (1 - r) / v; this r is of smoothed shares, so that it is not 0 or 1.
    Of pairs that are all decided nothing varies.
    """
    parts = [part for part in parts if part.over or part.under]
    blank = [strata.name(part.cell.stratum) for part in parts if not part.cell.decided]
    if blank:
        more = f" and {len(blank) - _NAMED} more" if len(blank) > _NAMED else ""
        return Estimate(None, None, None, f"no sampled pair is decided yet in {', '.join(blank[:_NAMED])}{more}")
    divisor = constant + sum(part.under * part.cell.share for part in parts)
    if not divisor:
        return Estimate(None, None, None, reason)
    value = sum(part.over * part.cell.share for part in parts) / Fraction(divisor)
    variance = fsum(float((part.over - value * part.under) / divisor) ** 2 * part.cell.variance for part in parts)
    low = high = float(value)
    if variance:
        smoothed = fsum(part.over * part.cell.smoothed for part in parts) / (
            constant + fsum(part.under * part.cell.smoothed for part in parts)
        )
        low, high = wilson(float(value), smoothed * (1 - smoothed) / variance)
    return Estimate(round(float(value), DIGITS), round(low, DIGITS), round(high, DIGITS), None)
