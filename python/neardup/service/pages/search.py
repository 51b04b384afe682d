"""The search: a text or a URL, and its near-duplicates."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel
from starlette.responses import Response

from neardup.errors import NeardupError
from neardup.index.answers import describe_document
from neardup.index.index import By
from neardup.service.access import Person, Reader
from neardup.service.answers import problem_of
from neardup.service.pages.form import read_form
from neardup.service.pages.render import render
from neardup.service.requests import NO_ID, find_id, finding
from neardup.service.state.state import served, work

router = APIRouter(include_in_schema=False)
TEXT = 20_000
"""Number of characters of the text that are shown at first."""
MEMBERS = 200
"""Number of documents of the cluster that are shown."""


@router.get("/document")
async def show_document(
    request: Request,
    person: Reader,
    id: Annotated[str | None, Query()] = None,  # noqa: A002
    url: Annotated[str | None, Query()] = None,
    whole: Annotated[bool, Query()] = False,
) -> Response:
    """Show the document of an id or a URL."""
    name = find_id(request, id, url)
    index = served(request).index
    with finding(NO_ID):
        description = await work(request, lambda: describe_document(index, name, with_text=True))
    text = description["text"] if whole else description["text"][:TEXT]
    return render("document.html", request, person, description=description, text=text, most=MEMBERS)


WAYS = (
    ("resemblance", "resemblance"),
    ("containment", "it contains the text"),
    ("contained-by", "the text contains it"),
)
LIMIT = 50


class SentSearch(BaseModel):
    """A text or a URL, and the measure to search by."""

    text: str
    by: By = "resemblance"


@router.get("/")
async def ask(request: Request, person: Reader) -> Response:
    """Show the empty form."""
    return _show(request, person, "", "resemblance")


@router.post("/search")
async def search(request: Request, person: Reader) -> Response:
    """Show the documents that are like a text, or like the document of a URL."""
    sent, index = await read_form(request, SentSearch), served(request).index
    text, by = sent.text, sent.by
    name = index.of_url(text.strip())
    asked = text if name is None else None
    try:
        hits = await work(request, lambda: index.query(asked, id=name, by=by, limit=LIMIT))
    except NeardupError as error:
        problem = problem_of(error)
        return _show(request, person, text, by, problem=problem.detail, status=problem.status)
    return _show(request, person, text, by, hits=hits)


def _show(
    request: Request, person: Person, asked: str, by: By, hits: object = None, problem: str = "", status: int = 200
) -> Response:
    subject = served(request).index.subject if by == "resemblance" else None
    context: dict[str, Any] = {"by": by, "ways": WAYS, "hits": hits, "subject": subject, "problem": problem}
    return render("search.html", request, person, status, asked=asked, **context)
