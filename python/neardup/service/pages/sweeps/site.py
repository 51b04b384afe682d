"""A site over time: how its pages change, move, appear and go."""

from fastapi import APIRouter, Request
from markupsafe import Markup
from starlette.responses import Response

from neardup import _core
from neardup.service.access import Reader
from neardup.service.pages.render import render
from neardup.service.state.state import serving
from neardup.sweeps.store import SweepStore

router = APIRouter(include_in_schema=False)


@router.get("/pages")
async def show(request: Request, person: Reader) -> Response:
    """Ask for a page, and show plots of all sweeps."""
    sweeps = serving(request).sweeps
    plots = await sweeps.ask(_plot) if sweeps.is_there else None
    return render("pages.html", request, person, plots=plots)


def _plot(store: SweepStore) -> Markup:
    return Markup(_core.sweeps_plots(store.stats().json))  # noqa: S704 - the core escapes what it shows
