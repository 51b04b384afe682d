"""Rendering of templates; everything that comes from a document is escaped."""

from functools import cache
from typing import Any
from urllib.parse import urlencode

from fastapi import Request
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from starlette.responses import HTMLResponse

from neardup.jobs.explanation import write_value
from neardup.output.written import show_plain, write_time
from neardup.service.access import Person

_CACHE = {"cache-control": "private, no-cache"}
"""A browser may keep the pages that it has shown. Otherwise going back to the results would send the text again."""


@cache
def _environment(is_file: bool) -> Environment:
    made = Environment(
        loader=PackageLoader("neardup.service.pages"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        finalize=_show if is_file else None,
    )
    made.filters |= {"share": _share, "count": _count, "time": _time, "value": write_value}
    made.globals["link_to"] = link_to
    return made


def render(
    template: str, request: Request, person: Person, status: int = 200, *, is_file: bool = False, **content: Any
) -> HTMLResponse:
    """Render a template. With `is_file` the page contains nothing that controls a terminal, which may show the file."""
    page = _environment(is_file).get_template(template)
    return HTMLResponse(page.render(person=person, path=request.url.path, **content), status, _CACHE)


def link_to(path: str, **query: str | int | None) -> str:
    """Return the address of a page; parameters that are None are left out."""
    return f"{path}?{urlencode({name: value for name, value in query.items() if value is not None})}"


def _show(value: object) -> object:
    return show_plain(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _share(value: float | None) -> str:
    """Write a share with three places; one below 1 is never shown as 1."""
    if value is None:
        return ""
    return "1" if value == 1 else f"{min(value, 0.999):.3f}"


def _count(value: int) -> str:
    return f"{value:,}"


def _time(value: int | str | None) -> str:
    """Write a day and, if it is not midnight, the time of day, without the seconds if they are 0."""
    written = write_time(value) or ""
    return written.removesuffix("T00:00:00Z").removesuffix(":00Z").replace("T", " ")
