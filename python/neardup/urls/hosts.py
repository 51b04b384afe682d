"""Hosts: what is known of each from the pages it serves."""

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from neardup.inputs.document import Document
from neardup.urls.pages import Page
from neardup.urls.urls import split_url


class Host(NamedTuple):
    """A host by its name (with a port where it has one): its distinct paths, and its first page's text, or none.

    A path is what follows the host in a canonical URL, query included, in lower case as tokens are.
    """

    name: str
    paths: frozenset[str]
    first_page: str | None

    def document(self) -> Document:
        """Return the host as a document: one path a line, in order, so that equal sets are equal texts."""
        return Document("\n".join(sorted(self.paths)), id=self.name)


class CommonPath(NamedTuple):
    """A path and the number of hosts that have it; hosts with equal sets of paths count once."""

    path: str
    hosts: int


def gather_hosts(pages: Iterable[Page]) -> list[Host]:
    """Gather pages by host, ordered by name. The first page is the first one at `/` that has a text."""
    paths: dict[str, set[str]] = {}
    first_pages: dict[str, str] = {}
    # hosts share paths: one object stands for all that are equal
    known: dict[str, str] = {}
    for page in pages:
        name, path = split_url(page.canonical)
        path = path.lower()
        paths.setdefault(name, set()).add(known.setdefault(path, path))
        if path == "/" and name not in first_pages and page.text.strip():
            first_pages[name] = page.text
    return [Host(name, frozenset(paths[name]), first_pages.get(name)) for name in sorted(paths)]


def find_common_paths(hosts: Iterable[Host], cap: int) -> list[CommonPath]:
    """List the paths that more than `cap` different hosts have, the commonest first."""
    counts = Counter(path for paths in {host.paths for host in hosts} for path in paths)
    common = [CommonPath(path, count) for path, count in counts.items() if count > cap]
    return sorted(common, key=lambda one: (-one.hosts, one.path))
