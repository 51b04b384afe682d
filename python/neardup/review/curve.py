"""The figures of a review by the threshold, and its strata one by one."""

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
    """A threshold: the pairs from there on, the clusters that they make, and how well the pairs fit."""

    threshold: str
    pairs: int
    clusters: int
    clustered: int
    largest: int
    precision: Estimate
    recall: Estimate
    f1: Estimate


def choose_thresholds(floor: Fraction, threshold: Fraction) -> list[Fraction]:
    """Return the thresholds of a curve: from the floor to 1 in steps of 0.01, and that of the scheme."""
    steps = {floor + STEP * number for number in range(ceil((1 - floor) / STEP))}
    return sorted(steps | {threshold, Fraction(1)})


def suggest_precise(points: Sequence[ReviewPoint], precision: Fraction) -> ReviewPoint | None:
    """Return the lowest threshold at which the precision, by the low end of its interval, is so much or more."""
    return next((point for point in points if (point.precision.low or 0) >= precision), None)


def suggest_balanced(points: Sequence[ReviewPoint]) -> ReviewPoint | None:
    """Return the threshold of the largest F1, of equal ones the highest; None while none above 0 is known."""
    known = [point for point in points if point.f1.value]
    return max(reversed(known), key=lambda point: point.f1.value or 0, default=None)


class StratumRow(NamedTuple):
    """A stratum: resemblances from `low` to below `high`, or just 1; its pairs, those in the sample, and their labels.

    Of the sample this many are decided, and this many are duplicates; `undecided` are labelled, and nobody was sure, or
    as many for as against. `share` is that of duplicates.
    """

    low: str
    high: str
    pairs: int
    sampled: int
    decided: int
    undecided: int
    duplicates: int
    share: Estimate


def tell_strata(
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
        for cell in [known.get(stratum, Cell(stratum, 0, 0, 0, 0))]
    ]
