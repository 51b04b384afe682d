"""Contacts: every URL that holds a text, whole or in part."""

from fractions import Fraction
from typing import Literal, NamedTuple

from neardup.sweeps.evidence import Overlap, TextEvidence
from neardup.sweeps.sightings import Sightings

Holds = Literal["identical", "changed", "whole", "part"]
"""How a page holds a text: "identical" bytes; "changed", a text near to it; "whole", all of it in a longer text;
"part", a part of it, or a text that is a part of it."""


class Contact(NamedTuple):
    """A URL that held a text, with the dates of the first and the last sweep in which it did.

    `current` says whether the last one is the newest sweep. The left side of `overlap` is the text that was asked for;
    `text` is the id of the text that the page holds.
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

    `incomplete` says that some URLs that hold a part of the text may be missing, because it has few words or very
    common ones.
    """

    found: list[Contact]
    incomplete: bool


def list_contacts(
    sightings: Sightings, evidence: TextEvidence, text: str, found: set[str], near: Fraction
) -> list[Contact]:
    """List the pages that held one of the texts `found`, as contacts of `text`: the newest first, then the nearest.

    Texts are given by their ids. Two texts are near if their resemblance is at least `near`.
    """
    sweeps = sightings.sweeps()
    overlaps = dict(zip(sorted(found), evidence.overlaps([(text, one) for one in sorted(found)]), strict=True))
    contacts = []
    for holding in sightings.holdings(found):
        overlap = overlaps[holding.text]
        first, last = (sweeps[place].date for place in (holding.first, holding.last))
        current = holding.last == len(sweeps) - 1
        holds = _classify(holding.text == text, overlap, near)
        rank = -holding.last, holds != "identical", -overlap.exact, holding.url
        contacts.append((rank, Contact(holding.url, first, last, current, holds, overlap, holding.text)))
    return [contact for _, contact in sorted(contacts)]


def _classify(identical: bool, overlap: Overlap, near: Fraction) -> Holds:
    if identical:
        return "identical"
    if overlap.exact >= near:
        return "changed"
    return "whole" if overlap.shared == overlap.left_size else "part"
