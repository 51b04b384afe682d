"""The pages of sweeps: a site and its pages over time."""

from typing import Annotated

from fastapi import APIRouter, Query, Request
from markupsafe import Markup
from starlette.responses import Response

from neardup import _core
from neardup.inputs.document import Document
from neardup.service.access import Reader
from neardup.service.pages.compare import Side, show_pair
from neardup.service.pages.render import render
from neardup.service.state.state import serving
from neardup.sweeps.locate import Location
from neardup.sweeps.store import SweepStore
from neardup.sweeps.trail import Visit

router = APIRouter(include_in_schema=False)
ROWS = 200
"""Number of contacts that are shown, the newest ones."""


@router.get("/pages/contacts")
async def show_contacts(request: Request, person: Reader, url: Annotated[str, Query()]) -> Response:
    """Show every URL that held the last text of a page, whole or in part."""
    found = await serving(request).sweeps.ask(lambda store: store.contacts(url))
    return render("contacts.html", request, person, url=url, contacts=found, most=ROWS)


@router.get("/pages/history")
async def show_history(request: Request, person: Reader, url: Annotated[str, Query()]) -> Response:
    """Show how the page that a URL led to changed."""

    def ask(store: SweepStore) -> tuple[list[Visit], list[Location]]:
        return store.history(url), store.locate(url)

    visits, places = await serving(request).sweeps.ask(ask)
    # each version beside the one before it
    versions = list(zip([None, *visits], visits, strict=False))
    return render("history.html", request, person, url=url, versions=versions, places=places)


@router.get("/pages")
async def show_site(request: Request, person: Reader) -> Response:
    """Ask for a page, and show plots of all sweeps."""
    sweeps = serving(request).sweeps
    plots = await sweeps.ask(_plot) if sweeps.exists else None
    return render("pages.html", request, person, plots=plots)


def _plot(store: SweepStore) -> Markup:
    return Markup(_core.sweeps_plots(store.stats().json))  # noqa: S704 - the core escapes what it shows


@router.get("/pages/versions")
async def compare(
    request: Request, person: Reader, left: Annotated[str, Query()], right: Annotated[str, Query()]
) -> Response:
    """Compare two texts of the sweeps by their ids."""

    def ask(store: SweepStore) -> tuple[list[Side], str]:
        return [Side(Document(store.text(name)), None) for name in (left, right)], store.scheme

    [one, other], scheme = await serving(request).sweeps.ask(ask)
    return await show_pair(request, person, one, other, scheme)
