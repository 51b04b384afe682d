"""Two versions of a page side by side."""

from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from neardup.inputs.document import Document
from neardup.service.access import Reader
from neardup.service.pages.compare import Side, show_pair
from neardup.service.state.state import serving
from neardup.sweeps.store import SweepStore

router = APIRouter(include_in_schema=False)


@router.get("/pages/versions")
async def compare(
    request: Request, person: Reader, left: Annotated[str, Query()], right: Annotated[str, Query()]
) -> Response:
    """Compare two texts of the sweeps by their ids."""

    def ask(store: SweepStore) -> tuple[list[Side], str]:
        return [Side(Document(store.text(name)), None) for name in (left, right)], store.scheme

    [one, other], scheme = await serving(request).sweeps.ask(ask)
    return await show_pair(request, person, one, other, scheme)
