"""Pages that vanished and pages that appeared, paired one to one."""

import re
from collections.abc import Callable, Iterable, Iterator, Set
from typing import NamedTuple

from neardup.urls.urls import DEFAULT_RULES

_PARTS = re.compile(r"(?:[a-z][a-z0-9+.-]*:)?(?://(?P<authority>[^/?#]*))?(?P<path>[^#]*)", re.IGNORECASE)
_INDEX = {page.partition(".")[0] for page in DEFAULT_RULES.index_pages}


class PageName(NamedTuple):
    """Parts of a URL that may stay the same when a page moves."""

    server: str
    """Host and port in lower case; empty if the URL has none."""
    path: str
    """Everything after the server, except the fragment."""
    name: str
    """The last part of the path without its suffix, and the query, in lower case; for an index page the name of its
    folder."""


def name_page(url: str) -> PageName:
    """Split a URL of any scheme into its parts, as it is written."""
    parts = _PARTS.match(url)
    authority, path = ("", url) if parts is None else (parts["authority"] or "", parts["path"])
    place, mark, query = path.partition("?")
    names = [part for part in place.split("/") if part]
    while names and names[-1].partition(".")[0].lower() in _INDEX:
        names.pop()
    last = names[-1] if names else ""
    name = last[: last.rindex(".")] if "." in last[1:] else last
    return PageName(authority.rpartition("@")[2].lower(), path, (name + mark + query).lower())


class Groups:
    """Pages by their text; a page is removed when it is paired."""

    def __init__(self, pages: Iterable[tuple[str, str | None]]) -> None:
        """Take pages as (URL, text). Blank pages have no text, and match nothing."""
        self._groups: dict[str, set[str]] = {}
        self._blank: list[str] = []
        for url, text in pages:
            if text is None:
                self._blank.append(url)
            else:
                self._groups.setdefault(text, set()).add(url)

    def drop(self, urls: Set[str]) -> None:
        """Remove the pages with these URLs."""
        for pages in self._groups.values():
            pages -= urls

    @property
    def texts(self) -> set[str]:
        """The texts of the remaining pages."""
        return {text for text, urls in self._groups.items() if urls}

    def of(self, text: str) -> set[str]:
        """Return the remaining URLs of a text."""
        return self._groups[text]

    def has(self, text: str, url: str) -> bool:
        """Return whether a page is among the remaining ones."""
        return url in self._groups.get(text, ())

    def take(self, text: str, url: str) -> None:
        """Remove a page."""
        self._groups[text].remove(url)

    def urls(self) -> Iterator[str]:
        """Yield the URLs of all remaining pages."""
        yield from self._blank
        for urls in self._groups.values():
            yield from urls


def pair_pages(
    vanished: Groups, text: str, appeared: Groups, other: str, *, last: Set[str] = frozenset()
) -> list[tuple[str, str]]:
    """Pair pages of one text with pages of another, and remove them from their groups.

    There are as many pairs as both sides allow: first pages that kept their path on another server, then those that
    kept server and name, then those that kept the name, then the rest in the order of URLs, with the URLs `last` last.
    """
    old, new = (sorted(urls, key=lambda url: (url in last, url)) for urls in (vanished.of(text), appeared.of(other)))
    pairs: list[tuple[str, str]] = []
    for key in _KEYS:
        places: dict[object, list[str]] = {}
        for url in reversed(new):
            places.setdefault(key(name_page(url)), []).append(url)
        pairs += ((url, found.pop()) for url in old if (found := places.get(key(name_page(url)))))
        taken = {url for pair in pairs for url in pair}
        old, new = ([url for url in urls if url not in taken] for urls in (old, new))
    for one, another in pairs:
        vanished.take(text, one)
        appeared.take(other, another)
    return pairs


_KEYS: tuple[Callable[[PageName], object], ...] = (
    lambda page: page.path,
    lambda page: (page.server, page.name),
    lambda page: page.name,
    lambda _: None,
)
