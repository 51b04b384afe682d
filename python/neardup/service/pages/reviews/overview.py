"""One review: how far it is, and what follows from it."""

from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from neardup.service.access import Reader
from neardup.service.answers.answer import Answer
from neardup.service.models.requests import Written
from neardup.service.pages.render import render
from neardup.service.pages.reviews.asked import Asked, ask, find_review
from neardup.service.pages.reviews.chart import draw_curve
from neardup.service.pages.reviews.figures import ReviewFigures
from neardup.service.pages.reviews.reviewer import Who
from neardup.service.state.state import serving

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
    """Show a review at a threshold, or at a point of its curve by its number from 0; or how far its making is."""
    room = serving(request).reviews
    if room.is_making(name):
        return render("review_making.html", request, person, name=name, job=room.making)
    review = await find_review(request, name, person)
    figures = await ask(request, lambda: ReviewFigures.of(review, threshold, point))
    progress = await ask(request, lambda: review.progress(who)) if who else None
    return render(
        "review.html",
        request,
        person,
        review=review,
        who=who,
        figures=figures,
        progress=progress,
        chart=draw_curve(figures.points),
    )


@router.get("/reviews/{name}/curve.json")
async def tell_curve(request: Request, review: Asked) -> Answer:
    """Return the figures at every threshold of the curve."""
    return Answer(await ask(request, review.curve))
