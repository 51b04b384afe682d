"""Adding a sweep: its pages, its new texts, and the change of every page."""

from hashlib import blake2b
from itertools import islice, pairwise
from typing import Any, NamedTuple

from neardup.errors import UsageError
from neardup.inputs.document import Document
from neardup.sweeps.evidence import TextEvidence
from neardup.sweeps.kinds import KINDS, Kind, classify_pages
from neardup.sweeps.sightings import Sightings, Sweep
from neardup.sweeps.texts import Texts
from neardup.urls.pages import PageReject, Pages

_WHITE = "\t\n\v\f\r \u0085\u00a0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))
"""Characters with the Unicode property White_Space. A text of only these is blank."""
_TOGETHER = 1000
"""Number of pages that are written at once."""


class Added(NamedTuple):
    """Counts of a new sweep: its pages, blank pages, repeated URLs, and the texts that had to be signed."""

    date: str
    pages: int
    blank: int
    repeated: int
    """Number of pages whose URL occurred earlier in this sweep; the first one counts."""
    new_texts: int
    kinds: dict[Kind, int] | None
    """Number of pages of each kind since the previous sweep; None if there is none."""
    rejects: list[PageReject]
    files: dict[str, Any]
    """Account of the files, as in run.json."""
    records: dict[str, Any]
    """Account of the records, as in run.json."""


def name_text(text: str) -> str | None:
    """Return the id of a text, a digest of 128 bits; None for a blank text."""
    return blake2b(text.encode(), digest_size=16).hexdigest() if text.strip(_WHITE) else None


def add_pages(sightings: Sightings, texts: Texts, evidence: TextEvidence, pages: Pages, time: int, date: str) -> Added:
    """Add a sweep, inside a transaction of `sightings`.

    If it fails, `texts` may contain texts that no sweep refers to.
    """
    sweep = sightings.add_sweep(time, date)
    new_texts = 0
    seen: dict[str, str | None] = {}
    repeated = 0
    reading = iter(pages)
    while batch := list(islice(reading, _TOGETHER)):
        fresh: dict[str, str | None] = {}
        documents: dict[str, Document] = {}
        for page in batch:
            if page.canonical in seen or page.canonical in fresh:
                repeated += 1
                continue
            name = fresh[page.canonical] = name_text(page.text)
            if name is not None:
                documents[name] = Document(page.text, name)
        new_texts += texts.add(documents.values())
        sightings.add_pages(sweep, fresh)
        seen |= fresh
    if not seen:
        raise UsageError("a sweep has at least one page, and this input has none that can be used")
    kinds = record_steps(sightings, evidence, sweep, seen)
    blank = sum(text is None for text in seen.values())
    return Added(date, len(seen), blank, repeated, new_texts, kinds, pages.rejects, *pages.account)


def record_steps(
    sightings: Sightings, evidence: TextEvidence, sweep: Sweep, pages: dict[str, str | None]
) -> dict[Kind, int] | None:
    """Write the steps from the previous sweep to `sweep`, and from `sweep` to the next one.

    Returns the number of pages of each kind in the first of them; None if there is no previous sweep.
    """
    counts = None
    sweeps = sightings.sweeps()
    for old, new in pairwise(sweeps):
        if sweep in (old, new):
            sides = [pages if one == sweep else sightings.pages(one) for one in (old, new)]
            steps = classify_pages(sides[0], sides[1], evidence)
            sightings.put_steps(new, steps)
            if new == sweep:
                counts = {kind: sum(step.kind == kind for step in steps) for kind in KINDS}
    return counts
