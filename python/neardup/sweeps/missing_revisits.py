"""Revisits whose responses are in earlier sweeps."""

from collections.abc import Iterator
from contextlib import suppress
from itertools import islice

from neardup.corpus.archives import MISSING
from neardup.errors import UsageError
from neardup.inputs.document import Document
from neardup.results.account import Account
from neardup.sweeps.archive_notes import ArchiveNotes, MissingRevisit
from neardup.sweeps.incoming import Incoming
from neardup.sweeps.sightings import Sightings
from neardup.urls.pages import Pages

_TOGETHER = 1000
"""Number of pages that are written at once."""


def add_missing_revisits(sightings: Sightings, incoming: Incoming, notes: ArchiveNotes, pages: Pages, time: int) -> int:
    """Add the pages of revisits with the texts of earlier sweeps, and return their number.

    The text is that of the record or the payload to which the revisit refers, else that of its URL in the sweep before
    `time`, else that of the URL to which it refers.
    """
    count = 0
    found = _find_pages(sightings, notes.missing, pages, time)
    while batch := dict(islice(found, _TOGETHER)):
        # a page that was read in this sweep counts before
        incoming.add(batch)
        count += len(batch)
    return count


def _find_pages(
    sightings: Sightings, missing: list[MissingRevisit], pages: Pages, time: int
) -> Iterator[tuple[str, Document | None]]:
    seen: set[str] = set()
    for revisit in missing:
        urls = []
        for url in (revisit.url, revisit.refers):
            with suppress(UsageError):
                urls.append(pages.spell(url or ""))
        known = sightings.captured(revisit.keys)
        if known is not None:
            found: tuple[str | None] | None = (known,)
        else:
            found = next((one for url in urls if (one := sightings.text_before(url, time)) is not None), None)
        if found is not None and urls and urls[0] not in seen:
            seen.add(urls[0])
            [text] = found
            # the text itself is in the store already
            yield urls[0], None if text is None else Document("", text)


def count_as_read(account: Account, revisits: int) -> Account:
    """Count revisits as pages that were read, which the reader of the archives passed over."""
    if not revisits:
        return account
    records = account.records
    kinds = {**records["kinds"], MISSING: records["kinds"].get(MISSING, 0) - revisits}
    counts = {"read": records["read"] + revisits, "passed_over": records["passed_over"] - revisits}
    return account._replace(
        records={**records, **counts, "kinds": {kind: count for kind, count in kinds.items() if count}}
    )
