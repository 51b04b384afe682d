"""Precision, recall and F1 of all listed pairs, estimated from the sample."""

from collections.abc import Sequence
from fractions import Fraction
from math import fsum
from typing import NamedTuple

from neardup.evaluation.intervals import DIGITS, Estimate, wilson
from neardup.review.figures.cells import Cell
from neardup.review.sampling.strata import Strata

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
    precision is sum A p / sum A, recall sum A p / sum N p, and F1 2 sum A p / (sum A + sum N p) (stratified sampling,
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
