"""Styles and scripts: files of the package, and of no other folder."""

from base64 import b64encode
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any, NamedTuple

from fastapi import APIRouter, Request
from markupsafe import Markup
from starlette.responses import Response

from neardup import _core
from neardup.service.access import ANYBODY
from neardup.service.answers import Refusal
from neardup.service.pages.render import render

router = APIRouter(include_in_schema=False)
PAGE_STYLE = "page.css"
"""The style of reports, which the core contains; the other styles build on it."""
_TYPES = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}
_CACHE = {"cache-control": "max-age=300"}


@router.get("/static/{name}")
async def static(name: str) -> Response:
    """Return a file by its name."""
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


class Style(NamedTuple):
    """The style of a mailed page, and its digest, by which the policy of the page allows this style and no other."""

    text: Markup
    digest: str


def render_file(template: str, request: Request, name: str, **content: Any) -> Response:
    """Render a template that extends mailed.html as a file of this name, which must be safe in a header."""
    page = render(template, request, ANYBODY, is_file=True, style=_style(), **content)
    page.headers.update(as_file(name))
    return page


def as_file(name: str) -> dict[str, str]:
    """Return the header that makes a browser save an answer as a file of this name."""
    return {"content-disposition": f'attachment; filename="{name}"'}


@cache
def _style() -> Style:
    text = read_styles()
    digest = b64encode(sha256(text.encode()).digest()).decode()
    # the text is that of the package alone
    return Style(Markup(text), digest)  # noqa: S704
