"""The page of one review: its progress and its estimates."""

from fractions import Fraction
from typing import Annotated, NamedTuple

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from neardup.errors import UsageError
from neardup.review.advice import ENDED, Outlook
from neardup.review.agreement import Agreement, Reviewer
from neardup.review.curve import ReviewPoint, StratumRow, suggest_balanced, suggest_precise
from neardup.review.review import Review
from neardup.review.second_look import Doubt
from neardup.schemes.number import read_number
from neardup.service.access import Reader
from neardup.service.answers import Answer
from neardup.service.models.requests import Written
from neardup.service.pages.render import render
from neardup.service.pages.reviews.chart import draw_curve
from neardup.service.pages.reviews.reviewer import Asked, Who, ask, find_review
from neardup.service.state.reviews import next_each
from neardup.service.state.state import serving

_EVERY = Fraction(1, 20)
"""Step between the thresholds that the short table of the curve lists."""


class ReviewFigures(NamedTuple):
    """The points of the curve, the chosen one, and all figures that do not depend on the threshold."""

    points: list[ReviewPoint]
    chosen: ReviewPoint
    rows: list[ReviewPoint]
    """Points of the short table: every 0.05, the chosen one, that of the scheme, and the suggested ones."""
    strata: list[StratumRow]
    near: int
    """Number of strata of near-misses: the lowest ones, below the threshold of the scheme."""
    labelled: int
    """Number of labelled pairs."""
    outlook: Outlook
    undrawn: int
    """Number of listed pairs that are not drawn."""
    doubts: list[Doubt]
    """The pairs for a second look."""
    reviewers: list[Reviewer]
    agreement: list[Agreement]
    unknown: str
    """Why precision or recall is not known at the chosen point; empty when they are."""
    precise: ReviewPoint | None
    balanced: ReviewPoint | None

    @classmethod
    def of(
        cls, review: Review, threshold: str | None = None, point: int | None = None, who: str = ""
    ) -> "ReviewFigures":
        """Return the figures at a point of the curve, or at the one nearest to `threshold`, by default the scheme's.

        The outlook is that of a person, `who`, if there is one.
        """
        points, own = review.curve(), review.settings.threshold
        score = review.measure.score
        wanted = score(read_number(own if threshold is None else threshold, "threshold"))
        if not 0 <= wanted <= 1:
            least, most = sorted(map(review.measure.write, (Fraction(0), Fraction(1))), key=Fraction)
            raise UsageError(f"threshold is {threshold}; allowed are numbers from {least} to {most}")
        nearest = min(points, key=lambda one: abs(score(Fraction(one.threshold)) - wanted))
        chosen = nearest if point is None else points[min(point, len(points) - 1)]
        goal = review.goal
        precise, balanced = suggest_precise(points, Fraction(goal.precision)), suggest_balanced(points)
        listed = {own, *(one.threshold for one in (chosen, precise, balanced) if one is not None)}
        return cls(
            points=points,
            chosen=chosen,
            rows=[one for one in points if one.threshold in listed or Fraction(one.threshold) % _EVERY == 0],
            strata=review.table(),
            near=review.strata.edges.index(score(Fraction(own))),
            labelled=len(review.labels()),
            outlook=review.outlook(who or None),
            undrawn=sum(review.undrawn().values()),
            doubts=review.doubts(),
            reviewers=review.reviewers(),
            agreement=review.agreement(),
            unknown=chosen.precision.reason or chosen.recall.reason or "",
            precise=precise,
            balanced=balanced,
        )


router = APIRouter(include_in_schema=False)


@router.get("/reviews/{name}")
async def show(
    request: Request,
    person: Reader,
    who: Who,
    name: str,
    threshold: Annotated[Written | None, Query()] = None,
    point: Annotated[int | None, Query(ge=0)] = None,
) -> Response:
    """Show a review at a threshold, or at a point of its curve by its number from 0; or the progress of making it."""
    reviews = serving(request).reviews
    if reviews.is_making(name):
        return render("review_making.html", request, person, name=name, job=reviews.making)
    review = await find_review(request, name, person)
    figures = await ask(request, lambda: ReviewFigures.of(review, threshold, point, who))
    progress = await ask(request, lambda: review.progress(who)) if who else None
    return render(
        "review.html",
        request,
        person,
        review=review,
        who=who,
        figures=figures,
        progress=progress,
        drawing=reviews.drawing if reviews.is_drawing(name) else None,
        ended=figures.outlook.phase in ENDED,
        each=next_each(review.settings),
        chart=draw_curve(figures.points),
    )


@router.get("/reviews/{name}/curve.json")
async def get_curve(request: Request, review: Asked) -> Answer:
    """Return the figures at every threshold of the curve."""
    return Answer(await ask(request, review.curve))
