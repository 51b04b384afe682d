"""Contacts: who else held the text of a page."""

from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from neardup.service.access import Reader
from neardup.service.pages.render import render
from neardup.service.state.state import serving

router = APIRouter(include_in_schema=False)
ROWS = 200
"""Contacts that are shown, the newest."""


@router.get("/pages/contacts")
async def show(request: Request, person: Reader, url: Annotated[str, Query()]) -> Response:
    """Show every URL that held the last text of a page, whole or in part."""
    found = await serving(request).sweeps.ask(lambda store: store.contacts(url))
    return render("contacts.html", request, person, url=url, contacts=found, most=ROWS)
