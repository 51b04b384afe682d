"""Contacts: every URL that holds a text, whole or in part."""

from fractions import Fraction
from typing import Literal, NamedTuple

from neardup.sweeps.evidence import Overlap, TextEvidence
from neardup.sweeps.sightings import Sightings

Holds = Literal["identical", "changed", "whole", "part"]
"""The same bytes; a text near to it as a whole; all of it in a longer text; a part of it, or a text in it."""


class Contact(NamedTuple):
    """A URL that held a text: the dates of the first and the last sweep with it, and whether that is the newest sweep.

    `overlap` counts the text that was asked for on the left; `text` is the id of the text the page holds.
    """

    url: str
    first: str
    last: str
    current: bool
    holds: Holds
    overlap: Overlap
    text: str


class Contacts(NamedTuple):
    """The contacts of a text: the newest first, then the nearest.

    `incomplete` when some that hold a part of it may be missing: the text has few words, or very common ones.
    """

    found: list[Contact]
    incomplete: bool


def list_contacts(
    sightings: Sightings, evidence: TextEvidence, text: str, found: set[str], near: Fraction
) -> list[Contact]:
    """List the pages that held one of the texts `found`, as contacts of a text: the newest first, then the nearest.

    All texts by their ids; two texts are near from a resemblance of `near` on.
    """
    sweeps = sightings.sweeps()
    overlaps = dict(zip(sorted(found), evidence.overlaps([(text, one) for one in sorted(found)]), strict=True))
    contacts = []
    for holding in sightings.holdings(found):
        overlap = overlaps[holding.text]
        first, last = (sweeps[place].date for place in (holding.first, holding.last))
        current = holding.last == len(sweeps) - 1
        holds = _tell(holding.text == text, overlap, near)
        rank = -holding.last, holds != "identical", -overlap.exact, holding.url
        contacts.append((rank, Contact(holding.url, first, last, current, holds, overlap, holding.text)))
    return [contact for _, contact in sorted(contacts)]


def _tell(identical: bool, overlap: Overlap, near: Fraction) -> Holds:
    if identical:
        return "identical"
    if overlap.exact >= near:
        return "changed"
    return "whole" if overlap.shared == overlap.left_size else "part"
