"""What a URL says of its page: the server it stands on, and the name it has there."""

import re
from typing import NamedTuple

from neardup.urls.urls import DEFAULT_RULES

_PARTS = re.compile(r"(?:[a-z][a-z0-9+.-]*:)?(?://(?P<authority>[^/?#]*))?(?P<path>[^#]*)", re.IGNORECASE)
_INDEX = {page.partition(".")[0] for page in DEFAULT_RULES.index_pages}


class PageName(NamedTuple):
    """The parts of a URL that may stay when a page moves."""

    server: str
    """Host and port in lower case; empty where the URL has none."""
    path: str
    """All behind the server but the fragment."""
    name: str
    """The last part of the path without its ending, in lower case; of an index page the folder it stands for."""


def name_page(url: str) -> PageName:
    """Take a URL apart; it may be of any scheme, and is taken as it is written."""
    parts = _PARTS.match(url)
    authority, path = ("", url) if parts is None else (parts["authority"] or "", parts["path"])
    place, mark, query = path.partition("?")
    names = [part for part in place.split("/") if part]
    while names and names[-1].partition(".")[0].lower() in _INDEX:
        names.pop()
    last = names[-1] if names else ""
    name = last[: last.rindex(".")] if "." in last[1:] else last
    return PageName(authority.rpartition("@")[2].lower(), path, (name + mark + query).lower())
