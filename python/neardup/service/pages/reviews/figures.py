"""What a review says at a threshold, as its pages show it."""

from fractions import Fraction
from typing import NamedTuple

from neardup.errors import UsageError
from neardup.review.figures.curve import ReviewPoint, suggest_balanced, suggest_precise
from neardup.review.figures.table import StratumRow
from neardup.review.labels.agreement import Agreement
from neardup.review.progress import Reviewer
from neardup.review.review import Review
from neardup.schemes.number import read_number

PRECISE = Fraction(95, 100)
"""The precision for which a threshold is suggested."""
_EVERY = Fraction(1, 20)
"""Thresholds of the curve that its short table lists."""


class ReviewFigures(NamedTuple):
    """The points of the curve, that of the threshold, and all that does not depend on it."""

    points: list[ReviewPoint]
    chosen: ReviewPoint
    rows: list[ReviewPoint]
    """The points that are listed: every 0.05, the chosen one, that of the scheme, and those that are suggested."""
    strata: list[StratumRow]
    near: int
    """Strata of near-misses: so many, from the lowest on, are below the threshold of the scheme."""
    labelled: int
    """Pairs that somebody has labelled."""
    reviewers: list[Reviewer]
    agreement: list[Agreement]
    unknown: str
    """Why precision or recall is not known at the chosen point; empty when they are."""
    precise: ReviewPoint | None
    balanced: ReviewPoint | None

    @classmethod
    def of(cls, review: Review, threshold: str | None = None, point: int | None = None) -> "ReviewFigures":
        """Return the figures at a point of the curve, or at the one next to a threshold: by default the scheme's."""
        points, own = review.curve(), review.settings.threshold
        wanted = read_number(own if threshold is None else threshold, "threshold")
        if wanted > 1:
            raise UsageError(f"threshold is {threshold}; allowed are numbers from 0 to 1")
        nearest = min(points, key=lambda one: abs(Fraction(one.threshold) - wanted))
        chosen = nearest if point is None else points[min(point, len(points) - 1)]
        precise, balanced = suggest_precise(points, PRECISE), suggest_balanced(points)
        listed = {own, *(one.threshold for one in (chosen, precise, balanced) if one is not None)}
        return cls(
            points=points,
            chosen=chosen,
            rows=[one for one in points if one.threshold in listed or Fraction(one.threshold) % _EVERY == 0],
            strata=review.table(),
            near=review.strata.edges.index(Fraction(own)),
            labelled=len(review.labels()),
            reviewers=review.reviewers(),
            agreement=review.agreement(),
            unknown=chosen.precision.reason or chosen.recall.reason or "",
            precise=precise,
            balanced=balanced,
        )
