"""The page of one pair of a sample: two texts side by side, and the labels of a person."""

from typing import Annotated

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel
from starlette.responses import RedirectResponse, Response

from neardup.review.label_log import Label
from neardup.review.review import Review
from neardup.review.sample import SampledPair
from neardup.service.access import Reader, Writer
from neardup.service.answers import Refusal
from neardup.service.pages.compare import LIMIT, try_sides
from neardup.service.pages.form import read_form
from neardup.service.pages.render import render
from neardup.service.pages.reviews.reviewer import Asked, Who, ask

router = APIRouter(include_in_schema=False)
KEYS = {"duplicate": "d", "not": "n", "unsure": "u", "undo": "z"}
"""The key that presses each button."""


class SentLabel(BaseModel):
    """A person's label of a pair."""

    label: Label


@router.get("/reviews/{name}/pair")
async def redirect_to_next(
    request: Request, person: Reader, review: Asked, who: Who, *, beyond: Annotated[bool, Query()] = False
) -> Response:
    """Redirect to the next pair of a person, or to the figures if there is none; `beyond` continues after the end."""
    if not who and person.writes:
        return RedirectResponse(f"/reviews/{review.folder.name}/reviewer", 303)
    return RedirectResponse(await _next(request, review, who if person.writes else "", beyond=beyond), 303)


@router.get("/reviews/{name}/pair/{number}")
async def show(
    request: Request, person: Reader, review: Asked, who: Who, number: int, *, beyond: Annotated[bool, Query()] = False
) -> Response:
    """Show a pair by its number."""
    pair = _find(review, number)
    labels = await ask(request, review.labels)
    scheme = review.settings.scheme
    return render(
        "review_pair.html",
        request,
        person,
        review=review,
        who=who,
        pair=pair,
        labels=labels.get(pair.key, {}),
        labelled=sum(who in by_person for by_person in labels.values()),
        sides=await try_sides(request, pair.left.text, pair.right.text, scheme),
        limit=LIMIT,
        keys=KEYS,
        outlook=await ask(request, lambda: review.outlook(who or None)),
        beyond=beyond,
    )


@router.post("/reviews/{name}/pair/{number}")
async def judge(
    request: Request, person: Writer, review: Asked, who: Who, number: int, *, beyond: Annotated[bool, Query()] = False
) -> Response:
    """Label a pair, and redirect to the next one."""
    sent, pair = await read_form(request, SentLabel), _find(review, number)
    if who:
        await ask(request, lambda: review.label(who, *pair.key, sent.label))
    return await redirect_to_next(request, person, review, who, beyond=beyond)


@router.post("/reviews/{name}/undo")
async def undo(request: Request, person: Writer, review: Asked, who: Who) -> Response:
    """Undo the last label of a person, and redirect to its pair."""
    key = await ask(request, lambda: review.undo(who)) if who else None
    number = next((pair.number for pair in review.sample if pair.key == key), None)
    if number is None:
        return await redirect_to_next(request, person, review, who)
    return RedirectResponse(f"/reviews/{review.folder.name}/pair/{number}", 303)


def _find(review: Review, number: int) -> SampledPair:
    if not 1 <= number <= len(review.sample):
        raise Refusal(404, f"the sample has {len(review.sample)} pairs, and none of this number")
    return review.sample[number - 1]


async def _next(request: Request, review: Review, who: str, *, beyond: bool) -> str:
    """Return the address of the next pair of a person; that of the first pair for one who only reads."""
    home = f"/reviews/{review.folder.name}"
    if not who:
        return f"{home}/pair/1" if review.sample else home
    pair = await ask(request, lambda: review.next_pair(who, beyond=beyond))
    return home + (f"/pair/{pair.number}{'?beyond=true' if beyond else ''}" if pair else "")
