"""Adding a sweep: its pages, its new texts, and the change of every page."""

from collections import Counter
from contextlib import suppress
from hashlib import blake2b
from itertools import islice
from typing import Any, NamedTuple

from neardup.corpus.pointers import Pointer
from neardup.errors import UsageError
from neardup.inputs.document import Document
from neardup.sweeps.archive_notes import ArchiveNotes
from neardup.sweeps.evidence import TextEvidence
from neardup.sweeps.extractions import Extractions
from neardup.sweeps.frames import BESIDE, choose_beside
from neardup.sweeps.incoming import Incoming
from neardup.sweeps.kinds import KINDS, STUB, Kind
from neardup.sweeps.missing_revisits import add_missing_revisits, count_as_read
from neardup.sweeps.sightings import Sightings, Sweep
from neardup.sweeps.texts import Texts
from neardup.sweeps.tracing import trace_pages
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
    stubs: int
    """Number of URLs with a new text that is no page: a notice that it moved, a soft 404, a login page."""
    revisits: int
    """Number of revisits of web archives whose text an earlier sweep has."""
    pointers: int
    """Number of URLs that lead to another one by a redirect, or name another one as canonical."""
    rejects: list[PageReject]
    files: dict[str, Any]
    """Account of the files, as in run.json."""
    records: dict[str, Any]
    """Account of the records, as in run.json."""


def name_text(text: str) -> str | None:
    """Return the id of a text, a digest of 128 bits; None for a blank text."""
    return blake2b(text.encode(), digest_size=16).hexdigest() if text.strip(_WHITE) else None


def add_pages(
    sightings: Sightings,
    incoming: Incoming,
    texts: Texts,
    evidence: TextEvidence,
    pages: Pages,
    notes: ArchiveNotes,
    extractions: Extractions,
    time: int,
    date: str,
) -> Added:
    """Add a sweep, inside a transaction of `sightings`.

    `notes` are those of the archives among the inputs, `extractions` those of the pages of HTML.

    If it fails, `texts` may contain texts that no sweep refers to.
    """
    read, new_texts = read_pages(incoming, texts, pages, notes, extractions)
    revisits = add_missing_revisits(sightings, incoming, notes, pages, time)
    count, blank = incoming.count()
    if not count:
        raise UsageError("a sweep has at least one page, and this input has none that can be used")
    sweep = sightings.add_sweep(time, date)
    before, after = sightings.neighbours(sweep)
    incoming.settle(sweep, after)
    sightings.join_versions(time)
    pointers = spell_pointers(notes, pages)
    sightings.put_pointers(sweep, pointers)
    kinds = None if before is None else record_steps(sightings, evidence, sweep)
    stubs = sum(step.new is not None and step.remark == STUB for step in sightings.steps(sweep))
    record_later_steps(sightings, evidence, sweep)
    account = count_as_read(pages.account, revisits)
    repeated = read + revisits - count
    counts = (count, blank, repeated, new_texts, kinds, stubs, revisits, len(pointers))
    return Added(date, *counts, pages.rejects, *account)


def read_pages(
    incoming: Incoming, texts: Texts, pages: Pages, notes: ArchiveNotes, extractions: Extractions
) -> tuple[int, int]:
    """Read pages, and sign the texts that no sweep has. Returns the number of pages, and of texts that were signed."""
    read = signed = 0
    waiting: dict[str, Document] = {}
    reading = iter(pages)
    while batch := list(islice(reading, _TOGETHER)):
        read += len(batch)
        incoming.note(notes.take_captures(), extractions.take())
        fresh: dict[str, Document | None] = {}
        for page in batch:
            if page.canonical not in fresh:
                name = name_text(page.text)
                fresh[page.canonical] = None if name is None else Document(page.text, name)
        waiting |= {str(text.id): text for text in incoming.add(fresh)}
        if len(waiting) >= _TOGETHER:
            signed += texts.add(waiting.values())
            waiting.clear()
    incoming.note(notes.take_captures(), extractions.take())
    return read, signed + texts.add(waiting.values())


def spell_pointers(notes: ArchiveNotes, pages: Pages) -> dict[str, Pointer]:
    """Return where URLs point, with the URLs as pages are compared by them."""
    pointers: dict[str, Pointer] = {}
    for url, pointer in notes.pointers.items():
        # a URL that has no canonical form is that of no page
        with suppress(UsageError):
            own, target = pages.spell(url), pages.spell(pointer.target)
            if own != target:
                pointers.setdefault(own, pointer._replace(target=target))
    return pointers


def record_steps(sightings: Sightings, evidence: TextEvidence, sweep: Sweep) -> dict[Kind, int]:
    """Write the steps from the previous sweep to this one, and return the number of pages of each kind."""
    old, new = sightings.differing(sweep)
    steps = trace_pages(
        old,
        new,
        evidence,
        beside=sightings.beside(sweep, choose_beside([*old, *new]), BESIDE),
        stubs=sightings.stubs(sweep),
        pointers=sightings.pointers(sweep),
    )
    sightings.put_steps(sweep, steps)
    kinds = Counter(step.kind for step in steps)
    kinds["same"] = sightings.count_pages(sweep) - sum(step.new is not None for step in steps)
    return {kind: kinds[kind] for kind in KINDS}


def record_later_steps(sightings: Sightings, evidence: TextEvidence, sweep: Sweep) -> None:
    """Write the steps of all later sweeps again: a text that is a stub since this sweep may end in any of them."""
    for later in sightings.later(sweep):
        record_steps(sightings, evidence, later)
