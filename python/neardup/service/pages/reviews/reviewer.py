"""The reviewer: the person of the token or, if there are none, a name that the browser keeps."""

from collections.abc import Callable
from typing import Annotated, TypeVar
from urllib.parse import quote, unquote

from fastapi import APIRouter, Depends, Request
from pydantic import BaseModel
from starlette.responses import RedirectResponse, Response

from neardup.errors import DataError, EnvironmentFault, UsageError
from neardup.review.review import MOST_WHO, Review, check_who
from neardup.service.access import Reader, Writer
from neardup.service.pages.form import read_form
from neardup.service.pages.login import set_cookie
from neardup.service.pages.render import render
from neardup.service.state.state import serving, work

T = TypeVar("T")


async def find_review(request: Request, name: str, _: Reader) -> Review:
    """Return the review of this name; 404 if there is none."""
    return await work(request, lambda: serving(request).reviews.open(name))


async def ask(request: Request, question: Callable[[], T]) -> T:
    """Query a review. Damage raises `EnvironmentFault`, because the owner of the service has to repair it."""
    try:
        return await work(request, question)
    except DataError as error:
        raise EnvironmentFault(str(error)) from error


Asked = Annotated[Review, Depends(find_review)]
router = APIRouter(include_in_schema=False)
COOKIE = "neardup-reviewer"
SECONDS = 365 * 24 * 3600
"""Number of seconds that a browser keeps the name."""


class SentName(BaseModel):
    """The name of a reviewer."""

    who: str = ""


async def find_reviewer(request: Request, person: Reader) -> str:
    """Return the name of the reviewer; empty if the browser has none."""
    if person.name:
        return person.name
    try:
        return check_who(unquote(request.cookies.get(COOKIE, "")))
    except UsageError:
        return ""


Who = Annotated[str, Depends(find_reviewer)]


@router.get("/reviews/{name}/reviewer")
async def ask_name(request: Request, person: Writer, review: Asked, who: Who) -> Response:
    """Ask for a name."""
    return render("review_reviewer.html", request, person, review=review, who=who, most=MOST_WHO, problem="")


@router.post("/reviews/{name}/reviewer")
async def introduce(request: Request, person: Writer, review: Asked) -> Response:
    """Set a cookie with the name, and redirect to the next pair."""
    try:
        name = check_who((await read_form(request, SentName)).who.strip())
    except UsageError as error:
        return render(
            "review_reviewer.html", request, person, 422, review=review, who="", most=MOST_WHO, problem=str(error)
        )
    redirect = RedirectResponse(f"/reviews/{review.folder.name}/pair", 303)
    set_cookie(redirect, request, COOKIE, quote(name), SECONDS)
    return redirect
