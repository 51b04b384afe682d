"""The page of two texts side by side."""

from typing import Annotated, NamedTuple

from fastapi import APIRouter, Query, Request
from markupsafe import Markup
from pydantic import BaseModel, Field
from starlette.responses import Response

from neardup.errors import DataError
from neardup.inputs.document import Document
from neardup.service.access import Person, Reader
from neardup.service.pages.form import read_form
from neardup.service.pages.render import render
from neardup.service.requests import NO_ID, find_id, finding, own_scheme
from neardup.service.state.state import served, serving

LIMIT = 100_000
"""Number of characters shown of each text."""


async def show_sides(request: Request, left: str, right: str, scheme: str, limit: int = LIMIT) -> Markup:
    """Show what two texts share by a scheme, and where they differ. Raises `DataError` if that takes too long."""
    drawn = await serving(request).processes.do("draw_sides", left=left, right=right, scheme=scheme, limit=limit)
    return Markup(drawn)  # noqa: S704 - the core escapes what it shows


async def try_sides(request: Request, left: str, right: str, scheme: str, limit: int = LIMIT) -> Markup | None:
    """Show two texts as `show_sides` does; None if that takes too long, so that the rest of a page is still shown."""
    try:
        return await show_sides(request, left, right, scheme, limit)
    except DataError:
        return None


router = APIRouter(include_in_schema=False)


class SentText(BaseModel):
    """A text, or the URL of a document, and the id of the document to compare with."""

    text: str
    other: str = Field(alias="with")


class Side(NamedTuple):
    """One side of a comparison: a document of the index with its original, or a text from the form."""

    document: Document
    original: str | None

    @property
    def is_indexed(self) -> bool:
        """Whether it is a document of the index."""
        return self.original is not None


@router.get("/compare")
async def compare(
    request: Request, person: Reader, left: Annotated[str, Query()], right: Annotated[str, Query()]
) -> Response:
    """Compare two documents by their ids."""
    sides = _find_side(request, left), _find_side(request, right)
    return await show_pair(request, person, *sides, own_scheme(served(request).index))


@router.post("/compare")
async def compare_text(request: Request, person: Reader) -> Response:
    """Compare a text, or the document of a URL, with a document by its id."""
    sent = await read_form(request, SentText)
    url = served(request).index.of_url(sent.text.strip())
    left = Side(Document(sent.text), None) if url is None else _find_side(request, url)
    return await show_pair(request, person, left, _find_side(request, sent.other), own_scheme(served(request).index))


async def show_pair(request: Request, person: Person, left: Side, right: Side, scheme: str) -> Response:
    """Show two texts, with their scores by a scheme."""
    texts = left.document.text, right.document.text
    scores = await serving(request).processes.do("score_texts", left=texts[0], right=texts[1], scheme=scheme)
    sides = await show_sides(request, *texts, scheme)
    return render("compare.html", request, person, left=left, right=right, scores=scores, sides=sides)


def _find_side(request: Request, name: str) -> Side:
    index = served(request).index
    with finding(NO_ID):
        document = index.get(find_id(request, name))
        return Side(document, index.verdict(name).original)
