"""Styles and scripts: files of the package, and of no other folder."""

from functools import cache
from importlib.resources import files

from fastapi import APIRouter
from starlette.responses import Response

from neardup import _core
from neardup.service.answers.problem import Refusal

router = APIRouter(include_in_schema=False)
PAGE_STYLE = "page.css"
"""The style of reports, which the core has; the others build on it."""
_TYPES = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}
_CACHE = {"cache-control": "max-age=300"}


@router.get("/static/{name}")
async def static(name: str) -> Response:
    """Return one by its name."""
    found = _all().get(name)
    if found is None:
        raise Refusal(404, "there is no such file")
    return Response(found, media_type=_TYPES[name.rpartition(".")[2]], headers=_CACHE)


@cache
def _all() -> dict[str, bytes]:
    folder = files("neardup.service.pages") / "static"
    own = {one.name: one.read_bytes() for one in folder.iterdir() if one.name.rpartition(".")[2] in _TYPES}
    return {PAGE_STYLE: _core.page_style().encode(), **own}


def read_styles() -> str:
    """Return all styles of pages in one."""
    return "\n".join(content.decode() for name, content in _all().items() if name.endswith(".css"))
