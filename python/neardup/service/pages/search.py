"""The search: documents by words, an id, a URL or a text, and the near-duplicates of a text."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, Field
from starlette.responses import RedirectResponse, Response

from neardup import _core
from neardup.errors import NeardupError
from neardup.index.answers import describe_document
from neardup.index.index import By
from neardup.service.access import Person, Reader
from neardup.service.answers import problem_of
from neardup.service.pages.form import read_form
from neardup.service.pages.render import link_to, render
from neardup.service.requests import NO_ID, find_id, finding
from neardup.service.search.search import MOST_RESULTS
from neardup.service.search.search import search as find
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
    [difference] = [one["difference"] for one in description["documents"] if one["id"] == name]
    title = _core.title(description["text"])
    return render(
        "document.html",
        request,
        person,
        description=description,
        title=title,
        difference=difference,
        text=text,
        most=MEMBERS,
    )


ANYTHING: Literal["anything"] = "anything"
WAYS = (
    (ANYTHING, "words, an id, a URL or a text"),
    ("resemblance", "resemblance to the text"),
    ("containment", "it contains the text"),
    ("contained-by", "the text contains it"),
)
LIMIT = 50
"""Number of hits by a measure."""
RESULTS = 20
"""Number of results of a search on a page."""
ADDRESSED = 500
"""Number of characters up to which a query has an address of its own."""
Asked = Literal["anything", "resemblance", "containment", "contained-by"]


class SentSearch(BaseModel):
    """What is searched for, and how."""

    text: str
    by: Asked = ANYTHING
    offset: Annotated[int, Field(ge=0, le=MOST_RESULTS)] = 0


@router.get("/")
async def ask(request: Request, person: Reader) -> Response:
    """Show the empty form."""
    return _show(request, person, "", ANYTHING)


@router.get("/search")
async def search_again(
    request: Request,
    person: Reader,
    q: Annotated[str, Query()] = "",
    offset: Annotated[int, Query(ge=0, le=MOST_RESULTS)] = 0,
) -> Response:
    """Show the results of a query that is part of the address."""
    return await _search(request, person, q, offset) if q.strip() else _show(request, person, "", ANYTHING)


@router.post("/search")
async def search(request: Request, person: Reader) -> Response:
    """Show the documents that are found, or those that are like a text, or like the document of a URL."""
    sent = await read_form(request, SentSearch)
    text, by = sent.text, sent.by
    if by != ANYTHING:
        return await _query(request, person, text, by)
    asked = text.strip()
    if asked and len(asked) <= ADDRESSED and not sent.offset:
        return RedirectResponse(link_to("/search", q=asked), 303)
    return await _search(request, person, text, sent.offset)


async def _search(request: Request, person: Person, asked: str, offset: int) -> Response:
    data = served(request)
    try:
        found = await work(request, lambda: find(data.index, data.searched_store, asked, offset, RESULTS))
    except NeardupError as error:
        problem = problem_of(error)
        return _show(request, person, asked, ANYTHING, problem=problem.detail, status=problem.status)
    return _show(request, person, asked, ANYTHING, found=found, offset=offset)


async def _query(request: Request, person: Person, text: str, by: By) -> Response:
    index = served(request).index
    name = index.of_url(text.strip())
    asked = text if name is None else None
    try:
        hits = await work(request, lambda: index.query(asked, id=name, by=by, limit=LIMIT))
    except NeardupError as error:
        problem = problem_of(error)
        return _show(request, person, text, by, problem=problem.detail, status=problem.status)
    titles = await work(
        request, lambda: {hit.id: _core.title(index.get(hit.id).text) for hit in hits if hit.id in index}
    )
    return _show(request, person, text, by, hits=hits, titles=titles)


def _show(
    request: Request, person: Person, asked: str, by: Asked, *, problem: str = "", status: int = 200, **found: Any
) -> Response:
    subject = served(request).index.subject if by == "resemblance" else None
    shown: dict[str, Any] = {"hits": None, "titles": {}, "found": None, "offset": 0, **found}
    context = {"by": by, "ways": WAYS, "subject": subject, "problem": problem, "results": RESULTS, **shown}
    return render("search.html", request, person, status, asked=asked, is_addressed=len(asked) <= ADDRESSED, **context)
