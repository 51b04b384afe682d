"""Adding a sweep: its pages, the texts that are new, and what became of every page."""

from hashlib import blake2b
from itertools import islice, pairwise
from typing import Any, NamedTuple

from neardup.errors import UsageError
from neardup.inputs.document import Document
from neardup.sweeps.evidence import TextEvidence
from neardup.sweeps.kinds import KINDS, Kind, tell_kinds
from neardup.sweeps.sightings import Sightings, Sweep
from neardup.sweeps.texts import Texts
from neardup.urls.pages import PageReject, Pages

_WHITE = "\t\n\v\f\r \u0085\u00a0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))
"""White_Space of Unicode: a text of nothing else is blank."""
_TOGETHER = 1000
"""Pages that are written at once."""


class Added(NamedTuple):
    """What a new sweep brought: its pages, blank ones and URLs that came again, and how many texts had to be signed."""

    date: str
    pages: int
    blank: int
    repeated: int
    """Lines with a URL that this sweep had already; the first one counts."""
    new_texts: int
    kinds: dict[Kind, int] | None
    """What became of the pages since the sweep before; None when there is none."""
    rejects: list[PageReject]
    files: dict[str, Any]
    """What became of the files, as in run.json."""
    records: dict[str, Any]
    """What became of the records, as in run.json."""


def name_text(text: str) -> str | None:
    """Return the id of a text, a digest of 128 bits; None for a blank one."""
    return blake2b(text.encode(), digest_size=16).hexdigest() if text.strip(_WHITE) else None


def add_pages(sightings: Sightings, texts: Texts, evidence: TextEvidence, pages: Pages, time: int, date: str) -> Added:
    """Add a sweep, inside a transaction of the sightings; should it fail, texts are there that no sweep names."""
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
    kinds = tell_steps(sightings, evidence, sweep, seen)
    blank = sum(text is None for text in seen.values())
    return Added(date, len(seen), blank, repeated, new_texts, kinds, pages.rejects, *pages.account)


def tell_steps(
    sightings: Sightings, evidence: TextEvidence, sweep: Sweep, pages: dict[str, str | None]
) -> dict[Kind, int] | None:
    """Return the steps to a sweep from the one before, and from it to the one behind; count the kinds of the first."""
    counts = None
    sweeps = sightings.sweeps()
    for old, new in pairwise(sweeps):
        if sweep in (old, new):
            sides = [pages if one == sweep else sightings.pages(one) for one in (old, new)]
            steps = tell_kinds(sides[0], sides[1], evidence)
            sightings.put_steps(new, steps)
            if new == sweep:
                counts = {kind: sum(step.kind == kind for step in steps) for kind in KINDS}
    return counts
