"""The page of changes: every step of every page, from sweep to sweep."""

from collections import Counter
from typing import Annotated, NamedTuple

from fastapi import APIRouter, Query, Request
from starlette.responses import HTMLResponse, Response, StreamingResponse

from neardup import _core
from neardup.service.access import Reader
from neardup.service.pages.render import render
from neardup.service.pages.statics import as_file
from neardup.service.state.state import serving
from neardup.sweeps.change_table import write_csv
from neardup.sweeps.changes import STORED, ListedStep
from neardup.sweeps.kinds import KINDS
from neardup.sweeps.store import SweepStore

router = APIRouter(include_in_schema=False)
ROWS = 50
"""Number of steps on a page."""
Date = Annotated[str, Query()]
Kinds = Annotated[str, Query(description="kinds with commas between; empty for all")]


class _Steps(NamedTuple):
    """The steps on a page, and the number of all steps by kind."""

    dates: list[str]
    rows: list[ListedStep]
    counts: Counter[str]


@router.get("/pages/changes")
async def show(
    request: Request,
    person: Reader,
    start: Date = "",
    end: Date = "",
    kind: Kinds = "",
    page: Annotated[int, Query(ge=1, le=10**9)] = 1,
) -> Response:
    """List the steps between two sweeps, by default all, of some kinds or all."""

    def ask(store: SweepStore) -> _Steps:
        counts: Counter[str] = Counter()
        # pages that stay the same are counted only if they are asked for: most pages do, in most sweeps
        for one in store.count_changes(start or None, end or None, [*STORED, *([kind] if kind else [])]):
            counts.update(one.kinds)
        rows = store.changes(start or None, end or None, kind or (), limit=ROWS, offset=(page - 1) * ROWS)
        return _Steps(store.dates, list(rows), counts)

    found = await serving(request).sweeps.ask(ask)
    total = sum(found.counts[one] for one in (kind.split(",") if kind else STORED))
    return render(
        "changes.html",
        request,
        person,
        start=start,
        end=end,
        kind=kind,
        kinds=KINDS,
        found=found,
        total=total,
        page=page,
        pages=-(-total // ROWS),
    )


@router.get("/pages/changes/page.html")
async def download(request: Request, _: Reader, start: Date = "", end: Date = "", kind: Kinds = "") -> Response:
    """Return the list as one page to download, with a timeline."""

    def ask(store: SweepStore) -> str:
        return store.report_changes(start or None, end or None, kind or ()).json

    content = await serving(request).sweeps.ask(ask)
    return HTMLResponse(_core.changes_page(content), headers=as_file("changes.html"))


@router.get("/pages/changes/changes.csv")
async def download_table(request: Request, _: Reader, start: Date = "", end: Date = "", kind: Kinds = "") -> Response:
    """Return the list as a table in CSV to download."""
    sweeps = serving(request).sweeps
    pieces = await sweeps.ask(lambda store: write_csv(store.changes(start or None, end or None, kind or ())))
    return StreamingResponse(sweeps.stream(pieces), media_type="text/csv", headers=as_file("changes.csv"))
