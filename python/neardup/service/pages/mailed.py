"""Pages to be mailed: one file that needs nothing else, and is read where this service is not."""

from base64 import b64encode
from functools import cache
from hashlib import sha256
from typing import Any, NamedTuple

from fastapi import Request
from markupsafe import Markup
from starlette.responses import Response

from neardup.service.access import ANYBODY
from neardup.service.pages.render import render
from neardup.service.pages.statics import read_styles


class Style(NamedTuple):
    """The style of a mailed page, and the digest by which its policy allows it and no other."""

    text: Markup
    digest: str


def render_mailed(template: str, request: Request, name: str, **content: Any) -> Response:
    """Fill in a template that extends mailed.html, as a file of this name, which is safe in a header."""
    page = render(template, request, ANYBODY, is_file=True, style=_style(), **content)
    page.headers.update(as_file(name))
    return page


def as_file(name: str) -> dict[str, str]:
    """Return the header by which a browser keeps an answer as a file of this name."""
    return {"content-disposition": f'attachment; filename="{name}"'}


@cache
def _style() -> Style:
    text = read_styles()
    digest = b64encode(sha256(text.encode()).digest()).decode()
    # of the package, and of nobody else
    return Style(Markup(text), digest)  # noqa: S704
