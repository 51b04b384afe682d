"""What a search for mirrors gives back, and the files it leaves."""

from pathlib import Path
from typing import Any, NamedTuple

from neardup.evaluation.folder import REJECTS, RUN, write_rows, write_summary
from neardup.urls.addresses import AddressGroup
from neardup.urls.first_pages import Verdict
from neardup.urls.hosts import CommonPath
from neardup.urls.pages import Reject

PAIRS, GROUPS, ADDRESSES, TOO_SMALL = "mirrors.jsonl", "groups.jsonl", "addresses.jsonl", "too_small.jsonl"
FILES = (PAIRS, GROUPS, ADDRESSES, TOO_SMALL, REJECTS, RUN)


class MirrorPair(NamedTuple):
    """Two hosts, `left` < `right`, whose paths resemble each other, with the evidence."""

    left: str
    right: str
    mirror: bool
    """Whether they count as mirrors: their first pages are alike, or one of them is missing."""
    shared: int
    """Paths both have."""
    left_paths: int
    right_paths: int
    resemblance: float
    """shared / (left_paths + right_paths - shared)"""
    first_pages: Verdict
    page_resemblance: float | None
    """Of the first pages, by word 5-shingles; None below the threshold and where one is missing."""
    same_address: bool | None
    """Whether they have an address in common; None when the table does not know both."""


class SmallHost(NamedTuple):
    """A host with too few paths to be compared."""

    host: str
    paths: int


class Mirrors(NamedTuple):
    """What `find_mirrors` found."""

    pairs: list[MirrorPair]
    """Pairs of hosts whose paths resemble each other, by left, then right."""
    groups: list[list[str]]
    """Hosts connected by mirror pairs, the largest group first."""
    addresses: list[AddressGroup]
    """Hosts on one address: candidates only."""
    too_small: list[SmallHost]
    common: list[CommonPath]
    """Paths of more than `cap` hosts, which propose no pair by themselves."""
    summary: dict[str, Any]
    """Counts and schemes, the content of run.json."""
    rejects: list[Reject]


def write_mirrors(found: Mirrors, folder: Path) -> None:
    """Write the result as JSON lines, and run.json."""
    write_rows(folder / PAIRS, (pair._asdict() for pair in found.pairs))
    write_rows(folder / GROUPS, ({"size": len(group), "hosts": group} for group in found.groups))
    write_rows(folder / ADDRESSES, (group._asdict() for group in found.addresses))
    write_rows(folder / TOO_SMALL, (host._asdict() for host in found.too_small))
    if found.rejects:
        write_rows(folder / REJECTS, (reject._asdict() for reject in found.rejects))
    write_summary(folder, found.summary)
