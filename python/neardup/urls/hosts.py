"""Hosts: what is known of each from the pages it serves."""

from collections import Counter
from collections.abc import Iterable
from typing import Any, Literal, NamedTuple

from neardup.inputs.document import Document
from neardup.jobs.pairs import find_pairs
from neardup.urls.pages import WebPage
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


def gather_hosts(pages: Iterable[WebPage]) -> list[Host]:
    """Gather pages by host, ordered by name. The first page is the first one at `/` that has a text."""
    paths: dict[str, set[str]] = {}
    first_pages: dict[str, str] = {}
    # hosts share paths: one object represents all that are equal
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


Verdict = Literal["alike", "different", "missing"]
MISSING: tuple[Verdict, None] = ("missing", None)
"""Where a host has no first page, or it was not requested."""


class FirstPages(NamedTuple):
    """The first pages of hosts, compared. Equal texts are one document, known by its number."""

    numbers: dict[str, str]
    """Host to document."""
    stars: dict[str, str]
    """Documents of a large group of equal ones, of which only the first is listed with others."""
    resemblances: dict[tuple[str, str], float]
    """Documents that resemble each other, the smaller id first."""

    def compare(self, left: str, right: str) -> tuple[Verdict, float | None]:
        """Return the verdict on two hosts, and the resemblance where it reaches the threshold."""
        if left not in self.numbers or right not in self.numbers:
            return MISSING
        one, other = sorted(self.stars.get(number, number) for number in (self.numbers[left], self.numbers[right]))
        score = 1.0 if one == other else self.resemblances.get((one, other))
        return ("different" if score is None else "alike"), score


def compare_first_pages(texts: dict[str, str], scheme: str, **options: Any) -> FirstPages:
    """Find the pairs of `texts`, by host, under a scheme; `options` are those of `neardup.find_pairs`."""
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
