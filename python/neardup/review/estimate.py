"""Precision, recall and F1 of all listed pairs, estimated from the sample."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

from neardup import _core
from neardup.evaluation.intervals import DIGITS, Estimate
from neardup.evaluation.listed_pair import ListedPair, read_rows
from neardup.inputs.sources import refuse_special
from neardup.review.measure import Measure, Score
from neardup.review.region import Ratio, describe_share, find_range
from neardup.review.strata import Strata

BITS = 80
"""Number of bits of a ratio that decide its order: different ratios of whole numbers below 2^33 differ by more than
2^-66."""


def read_pairs(run: Path, measure: Measure) -> Iterator[tuple[ListedPair, Score]]:
    """Return the pairs of the run in a folder, each with its score."""
    table = _table(run)
    return zip(read_rows(table), measure.read_scores(table), strict=True)


def read_scores(run: Path, measure: Measure) -> Iterator[Score]:
    """Return the score of every pair of a run, without ids."""
    return measure.read_scores(_table(run))


def _table(run: Path) -> _core.Table:
    path = run / "pairs.parquet"
    refuse_special(path)
    return _core.read_table(str(path))


class PairCounts:
    """The scores that occur, ascending, and the number of pairs at or above each."""

    def __init__(self, ratios: Iterable[tuple[int, int]]) -> None:
        """Count scores, each a ratio of two whole numbers."""
        counts = Counter(ratios)
        self._ratios = sorted(counts, key=lambda ratio: (ratio[0] << BITS) // ratio[1])
        falling = accumulate(counts[ratio] for ratio in reversed(self._ratios))
        self._pairs = [*reversed(list(falling)), 0]

    def at_least(self, threshold: Fraction) -> int:
        """Count the pairs whose score is at least `threshold`."""
        over, under = threshold.as_integer_ratio()
        # False is less than True
        first = bisect_left(self._ratios, True, key=lambda ratio: ratio[0] * under >= over * ratio[1])
        return self._pairs[first]


class Judged(NamedTuple):
    """A decided pair of the sample: its stratum, its score, and whether it is a duplicate."""

    stratum: int
    score: Fraction
    duplicate: bool


class Cell(NamedTuple):
    """Pairs of a stratum, all on one side of a threshold if that cuts the stratum.

    `pairs` is the number of listed pairs in the cell; `above` of them are at or above the threshold. `decided` is the
    number of its sampled pairs that are decided; `duplicates` of them are duplicates. `share` is the share of
    duplicates among these or, if there are none, among the decided pairs of the stratum; None without any of those.
    """

    stratum: int
    pairs: int
    above: int
    decided: int
    duplicates: int
    share: Fraction | None


def divide(strata: Strata, counts: PairCounts, judged: Iterable[Judged], threshold: Fraction) -> list[Cell]:
    """Divide the listed pairs into cells: the strata that have pairs, or both parts of one that the threshold cuts."""
    several: list[list[Judged]] = [[] for _ in range(len(strata))]
    for one in judged:
        several[one.stratum].append(one)
    cells: list[Cell] = []
    for stratum, (low, decided) in enumerate(zip(strata.edges, several, strict=True)):
        over = counts.at_least(strata.edges[stratum + 1]) if stratum + 1 < len(strata) else 0
        pairs, above = counts.at_least(low) - over, max(counts.at_least(max(low, threshold)) - over, 0)
        share = _share(decided)
        upper = [one for one in decided if one.score >= threshold]
        lower = [one for one in decided if one.score < threshold]
        if above:
            cells.append(_cell(stratum, above, above, upper, share))
        if pairs > above:
            cells.append(_cell(stratum, pairs - above, 0, lower, share))
    return cells


def _cell(stratum: int, pairs: int, above: int, decided: list[Judged], share: Fraction | None) -> Cell:
    own = _share(decided)
    return Cell(
        stratum, pairs, above, len(decided), sum(one.duplicate for one in decided), share if own is None else own
    )


def _share(decided: list[Judged]) -> Fraction | None:
    return Fraction(sum(one.duplicate for one in decided), len(decided)) if decided else None


NO_PAIRS = "no listed pair is at this threshold or above it"
NO_DUPLICATES = "no decided pair of the sample is a duplicate"
_NAMED = 2
"""Number of strata without a decided pair that a reason names."""


class Figures(NamedTuple):
    """Estimates for the pairs at or above a threshold; recall is relative to the pairs at or above the floor."""

    pairs: int
    precision: Estimate
    recall: Estimate
    f1: Estimate


class Part(NamedTuple):
    """A cell, and the weights of its share above and below the line of a ratio."""

    cell: Cell
    over: int
    under: int


def estimate(cells: Sequence[Cell], strata: Strata) -> Figures:
    """Estimate the figures of the threshold that divided the pairs into these cells.

    With A of the N pairs of a cell at or above the threshold, and p the share of duplicates among its decided pairs,
    precision is sum A p / sum A; recall is sum A p / sum N p; F1 is 2 sum A p / (sum A + sum N p) (stratified sampling,
    Cochran 1977, chapter 5). A figure is not known while one of its cells has no decided pair.
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
    """Estimate r = sum over p / (constant + sum under p), with its interval; None, for `reason`, if it is 0 / 0.

    The interval is the range of r for all shares in the confidence region of `region`. The share of a cell without a
    decided pair may be any. If all pairs are decided, the interval is the value.
    """
    parts = [part for part in parts if part.over or part.under]
    blank = [strata.name(part.cell.stratum) for part in parts if part.cell.share is None]
    if blank:
        more = f" and {len(blank) - _NAMED} more" if len(blank) > _NAMED else ""
        return Estimate(None, None, None, f"no sampled pair is decided yet in {', '.join(blank[:_NAMED])}{more}")
    known = [part.cell.share or Fraction(0) for part in parts]
    divisor = constant + sum(part.under * share for part, share in zip(parts, known, strict=True))
    if not divisor:
        return Estimate(None, None, None, reason)
    value = float(sum(part.over * share for part, share in zip(parts, known, strict=True)) / Fraction(divisor))
    ratio = Ratio([part.over for part in parts], [part.under for part in parts], constant)
    shares = [describe_share(0, part.cell.pairs, part.cell.decided, part.cell.duplicates) for part in parts]
    low, high = find_range(ratio, value, shares)
    return Estimate(round(value, DIGITS), round(low, DIGITS), round(high, DIGITS), None)
