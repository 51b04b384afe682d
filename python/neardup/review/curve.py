"""The figures of a review at each threshold, and its strata one by one."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import ceil
from typing import NamedTuple

from neardup.evaluation.intervals import Estimate
from neardup.evaluation.listed_pair import Key
from neardup.review.estimate import Cell, estimate_share
from neardup.review.sample import SampledPair
from neardup.review.strata import Strata

STEP = Fraction(1, 100)


class ReviewPoint(NamedTuple):
    """Figures at a threshold: the pairs at or above it, the clusters that they make, and estimates of their quality."""

    threshold: str
    pairs: int
    clusters: int
    clustered: int
    largest: int
    precision: Estimate
    recall: Estimate
    f1: Estimate


def choose_thresholds(edges: Iterable[Fraction], step: Fraction = STEP) -> list[Fraction]:
    """Return the thresholds of a curve: the edges of the strata, and steps from the lowest of them to 1."""
    edges = set(edges)
    floor = min(edges)
    return sorted(edges | {floor + step * number for number in range(ceil((1 - floor) / step))})


def suggest_precise(points: Sequence[ReviewPoint], precision: Fraction) -> ReviewPoint | None:
    """Return the point of the lowest threshold where the low end of the precision is at least `precision`."""
    return next((point for point in points if (point.precision.low or 0) >= precision), None)


def suggest_balanced(points: Sequence[ReviewPoint]) -> ReviewPoint | None:
    """Return the point of the largest F1, of equal ones that of the highest threshold; None if no F1 is above 0."""
    known = [point for point in points if point.f1.value]
    return max(reversed(known), key=lambda point: point.f1.value or 0, default=None)


class StratumRow(NamedTuple):
    """A stratum: values of the measure from `low` to before `high`, or just the last one, with its pairs and labels.

    `decided` and `duplicates` are numbers of sampled pairs. `undecided` pairs are labelled, but nobody was sure, or the
    labels are tied. `share` is the share of duplicates.
    """

    low: str
    high: str
    pairs: int
    sampled: int
    decided: int
    undecided: int
    duplicates: int
    share: Estimate


def summarise_strata(
    strata: Strata, sample: Iterable[SampledPair], verdicts: Mapping[Key, bool | None], cells: Iterable[Cell]
) -> list[StratumRow]:
    """Count the labels of each stratum; `cells` are the strata that have pairs."""
    sampled = Counter(pair.stratum for pair in sample)
    undecided = Counter(pair.stratum for pair in sample if verdicts.get(pair.key, False) is None)
    known = {cell.stratum: cell for cell in cells}
    return [
        StratumRow(
            low=strata.low(stratum),
            high=strata.high(stratum),
            pairs=cell.pairs,
            sampled=sampled[stratum],
            decided=cell.decided,
            undecided=undecided[stratum],
            duplicates=cell.duplicates,
            share=estimate_share(cell, strata),
        )
        for stratum in range(len(strata))
        for cell in [known.get(stratum, Cell(stratum, 0, 0, 0, 0, None))]
    ]
