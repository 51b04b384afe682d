"""Precision and recall of the pairs at or above each score."""

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from math import fsum
from typing import NamedTuple

from neardup.evaluation.intervals import DIGITS
from neardup.evaluation.scores import NO_NEGATIVES, NO_POSITIVES

POINTS = 200
"""Largest number of points kept for display."""


class CurvePoint(NamedTuple):
    """Numbers of right (tp) and wrong (fp) pairs at or above a score, and the ratios that follow; None if not known."""

    score: float
    tp: int
    fp: int | None
    precision: float | None
    recall: float | None
    f1: float | None


class Curve(NamedTuple):
    """The precision-recall curve: points from the highest score down.

    `score` is "resemblance" or "containment". `scores` is the number of different scores; at most 200 of them are in
    `points`, and the other figures use all. Average precision is sum (R_i - R_(i-1)) P_i over the scores, where a
    missed pair counts 0. `best` is the point with the highest F1 and, of equal ones, the highest score. If both are not
    known, `reason` says why.
    """

    score: str
    scores: int
    points: list[CurvePoint]
    average_precision: float | None
    best: CurvePoint | None
    reason: str | None


class CurveStep(NamedTuple):
    """A score, and the numbers of right and wrong pairs at or above it."""

    score: float
    tp: int
    fp: int


def draw_curve(score: str, judged: Iterable[tuple[float, bool]], positives: int, *, knows_negatives: bool) -> Curve:
    """Compute the curve of found pairs, each with its score and whether it is right.

    `positives` is the number of pairs that should be found.
    """

    def show(step: CurveStep) -> CurvePoint:
        found = step.tp + step.fp
        return CurvePoint(
            score=round(step.score, DIGITS),
            tp=step.tp,
            fp=step.fp if knows_negatives else None,
            precision=round(step.tp / found, DIGITS) if knows_negatives else None,
            recall=round(step.tp / positives, DIGITS) if positives else None,
            f1=round(2 * step.tp / (found + positives), DIGITS) if knows_negatives else None,
        )

    steps = _accumulate(judged)
    reason = NO_POSITIVES if not positives else None if knows_negatives else NO_NEGATIVES
    if reason is not None:
        return Curve(score, len(steps), [show(step) for step in thin(steps, [])], None, None, reason)
    before = [0, *(step.tp for step in steps)]
    area = fsum((step.tp - tp) * step.tp / (step.tp + step.fp) for tp, step in zip(before, steps, strict=False))
    best = max(steps, key=lambda step: (Fraction(2 * step.tp, step.tp + step.fp + positives), step.score), default=None)
    kept = thin(steps, [] if best is None else [best])
    return Curve(
        score,
        len(steps),
        [show(step) for step in kept],
        round(area / positives, DIGITS),
        None if best is None else show(best),
        None,
    )


def _accumulate(judged: Iterable[tuple[float, bool]]) -> list[CurveStep]:
    counts = {True: Counter[float](), False: Counter[float]()}
    for score, right in judged:
        counts[right][score] += 1
    steps: list[CurveStep] = []
    tp = fp = 0
    for score in sorted(counts[True] | counts[False], reverse=True):
        tp, fp = tp + counts[True][score], fp + counts[False][score]
        steps.append(CurveStep(score, tp, fp))
    return steps


def thin(steps: list[CurveStep], wanted: list[CurveStep]) -> list[CurveStep]:
    """Keep at most `POINTS` steps: evenly spread ones, with the first and the last, and those in `wanted`."""
    if len(steps) <= POINTS:
        return steps
    last = POINTS - 1 - len(wanted)
    spread = {steps[at * (len(steps) - 1) // last] for at in range(last + 1)}
    return sorted(spread.union(wanted), key=lambda step: -step.score)
