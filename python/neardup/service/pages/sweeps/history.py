"""A page over time: its versions, its moves, and where it is now."""

from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from neardup.service.access import Reader
from neardup.service.pages.render import render
from neardup.service.state.state import serving
from neardup.sweeps.locate import Location
from neardup.sweeps.store import SweepStore
from neardup.sweeps.trail import Visit

router = APIRouter(include_in_schema=False)


@router.get("/pages/history")
async def show(request: Request, person: Reader, url: Annotated[str, Query()]) -> Response:
    """Show what became of the page that a URL led to."""

    def ask(store: SweepStore) -> tuple[list[Visit], list[Location]]:
        return store.history(url), store.locate(url)

    visits, places = await serving(request).sweeps.ask(ask)
    # each version beside the one before it
    versions = list(zip([None, *visits], visits, strict=False))
    return render("history.html", request, person, url=url, versions=versions, places=places)
