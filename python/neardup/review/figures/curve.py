"""The figures of a review by the threshold."""

from collections.abc import Sequence
from fractions import Fraction
from math import ceil
from typing import NamedTuple

from neardup.evaluation.intervals import Estimate

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
