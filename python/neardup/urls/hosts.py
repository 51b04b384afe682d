"""Hosts: the paths and the first page of each, gathered from the pages that it serves."""

from collections import Counter
from collections.abc import Iterable
from typing import Any, Literal, NamedTuple

from neardup.inputs.document import Document
from neardup.jobs.pairs import find_pairs
from neardup.urls.pages import WebPage
from neardup.urls.urls import split_url


class Host(NamedTuple):
    """A host: its name (with the port, if any), its distinct paths, and the text of its first page, or None.

    A path is the part of a canonical URL after the host, query included. It is in lower case, as tokens are.
    """

    name: str
    paths: frozenset[str]
    first_page: str | None

    def document(self) -> Document:
        """Return the host as a document with one path a line. Paths are sorted, so that equal sets are equal texts."""
        return Document("\n".join(sorted(self.paths)), id=self.name)


class CommonPath(NamedTuple):
    """A path and the number of hosts that have it; hosts with equal sets of paths count once."""

    path: str
    hosts: int


def gather_hosts(pages: Iterable[WebPage]) -> list[Host]:
    """Group pages by host, sorted by name. The first page of a host is its first one at `/` that has a text."""
    paths: dict[str, set[str]] = {}
    first_pages: dict[str, str] = {}
    # hosts share paths, so equal paths are stored once
    known: dict[str, str] = {}
    for page in pages:
        name, path = split_url(page.canonical)
        path = path.lower()
        paths.setdefault(name, set()).add(known.setdefault(path, path))
        if path == "/" and name not in first_pages and page.text.strip():
            first_pages[name] = page.text
    return [Host(name, frozenset(paths[name]), first_pages.get(name)) for name in sorted(paths)]


def find_common_paths(hosts: Iterable[Host], cap: int) -> list[CommonPath]:
    """List the paths that more than `cap` different hosts have, the most common first."""
    counts = Counter(path for paths in {host.paths for host in hosts} for path in paths)
    common = [CommonPath(path, count) for path, count in counts.items() if count > cap]
    return sorted(common, key=lambda one: (-one.hosts, one.path))


Verdict = Literal["alike", "different", "missing"]
MISSING: tuple[Verdict, None] = ("missing", None)
"""Verdict if one of the hosts has no first page, or first pages are not compared."""


class FirstPages(NamedTuple):
    """First pages of hosts, compared. Equal texts are one document, identified by its number."""

    numbers: dict[str, str]
    """Host -> number of its document."""
    stars: dict[str, str]
    """Document of a large group of equal documents -> the first document of the group, which alone is listed with
    others."""
    resemblances: dict[tuple[str, str], float]
    """Resemblance of each listed pair of documents, the smaller id first."""

    def compare(self, left: str, right: str) -> tuple[Verdict, float | None]:
        """Return the verdict on two hosts, and the resemblance of their first pages if it reaches the threshold."""
        if left not in self.numbers or right not in self.numbers:
            return MISSING
        one, other = sorted(self.stars.get(number, number) for number in (self.numbers[left], self.numbers[right]))
        score = 1.0 if one == other else self.resemblances.get((one, other))
        return ("different" if score is None else "alike"), score


def compare_first_pages(texts: dict[str, str], scheme: str, **options: Any) -> FirstPages:
    """Compare first pages under a scheme. `texts` are by host; `options` are those of `neardup.find_pairs`."""
    documents: dict[str, str] = {}
    numbers = {host: documents.setdefault(texts[host], str(len(documents))) for host in sorted(texts)}
    found = find_pairs([Document(text, id=number) for text, number in documents.items()], scheme=scheme, **options)
    firsts = {first for first, _ in found.summary["stars"]}
    stars: dict[str, str] = {}
    resemblances: dict[tuple[str, str], float] = {}
    columns = (found.pairs.column(name) for name in ("left", "right", "rule", "resemblance"))
    for left, right, rule, resemblance in zip(*columns, strict=True):
        resemblances[left, right] = resemblance
        if rule != "near" and firsts & {left, right}:
            first = left if left in firsts else right
            stars[right if first == left else left] = first
    return FirstPages(numbers, stars, resemblances)
