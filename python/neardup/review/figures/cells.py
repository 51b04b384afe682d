"""The parts into which a threshold divides the strata, each with what its sample says."""

from collections.abc import Iterable
from fractions import Fraction
from typing import NamedTuple

from neardup.review.figures.pair_counts import PairCounts
from neardup.review.sampling.strata import Strata


class Judged(NamedTuple):
    """A pair of the sample that is decided: its stratum, its resemblance, and whether it is a duplicate."""

    stratum: int
    resemblance: Fraction
    duplicate: bool


class Cell(NamedTuple):
    """Pairs that one share of duplicates stands for.

    Of the pairs of a stratum so many are in the cell, so many of them at or above the threshold; of those in the
    sample so many are decided, and so many duplicates.
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
