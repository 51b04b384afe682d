"""Who judges: the person of the token, or where there are none a name that the browser keeps."""

from typing import Annotated
from urllib.parse import quote, unquote

from fastapi import APIRouter, Depends, Request
from pydantic import BaseModel
from starlette.responses import RedirectResponse, Response

from neardup.errors import UsageError
from neardup.review.review import MOST_WHO, check_who
from neardup.service.access import Reader, Writer
from neardup.service.pages.cookie import keep
from neardup.service.pages.form import read_form
from neardup.service.pages.render import render
from neardup.service.pages.reviews.asked import Asked

router = APIRouter(include_in_schema=False)
COOKIE = "neardup-reviewer"
SECONDS = 365 * 24 * 3600
"""How long a browser keeps the name."""


class SentName(BaseModel):
    """How somebody is called."""

    who: str = ""


async def find_reviewer(request: Request, person: Reader) -> str:
    """Return the name of who judges; empty while a browser has none."""
    if person.name:
        return person.name
    try:
        return check_who(unquote(request.cookies.get(COOKIE, "")))
    except UsageError:
        return ""


Who = Annotated[str, Depends(find_reviewer)]


@router.get("/reviews/{name}/reviewer")
async def ask(request: Request, person: Writer, review: Asked, who: Who) -> Response:
    """Ask for a name."""
    return render("review_reviewer.html", request, person, review=review, who=who, most=MOST_WHO, problem="")


@router.post("/reviews/{name}/reviewer")
async def introduce(request: Request, person: Writer, review: Asked) -> Response:
    """Keep a name, and go on to the next pair."""
    try:
        kept = check_who((await read_form(request, SentName)).who.strip())
    except UsageError as error:
        return render(
            "review_reviewer.html", request, person, 422, review=review, who="", most=MOST_WHO, problem=str(error)
        )
    going = RedirectResponse(f"/reviews/{review.folder.name}/pair", 303)
    keep(going, request, COOKIE, quote(kept), SECONDS)
    return going
