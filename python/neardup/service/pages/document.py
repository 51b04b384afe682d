"""One document: its verdict, whom it stands behind, who is like it."""

from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from neardup.index.answers import describe_document
from neardup.service.access import Reader
from neardup.service.pages.render import render
from neardup.service.requests.asked import NO_ID, find_id, finding
from neardup.service.state.state import holdings, work

router = APIRouter(include_in_schema=False)
TEXT = 20_000
"""Characters of the text that are shown at first."""
MEMBERS = 200
"""Documents of the cluster that are shown."""


@router.get("/document")
async def show(
    request: Request,
    person: Reader,
    id: Annotated[str | None, Query()] = None,  # noqa: A002
    url: Annotated[str | None, Query()] = None,
    whole: Annotated[bool, Query()] = False,
) -> Response:
    """Show the document of an id or a URL."""
    name = find_id(request, id, url)
    index = holdings(request).index
    with finding(NO_ID):
        told = await work(request, lambda: describe_document(index, name, with_text=True))
    text = told["text"] if whole else told["text"][:TEXT]
    return render("document.html", request, person, told=told, text=text, most=MEMBERS)
