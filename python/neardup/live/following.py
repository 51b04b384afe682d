"""Following an index: what a document store has to be told to be as far."""

from collections.abc import Iterator, Sequence

from neardup._core import Index
from neardup.errors import UsageError
from neardup.live.changes import Changes
from neardup.live.held import Held
from neardup.live.stored_document import Role, StoredDocument
from neardup.live.stores.document_store import DocumentStore

_BATCH = 1000
"""Documents that a store is given in one transaction when it has to be told all."""


def follow(index: Index, store: DocumentStore) -> None:
    """Tell the store all that happened since the step it knows of.

    Raises `UsageError` for a store that is further than the index: an older copy of the index took its place.
    """
    while (position := store.position()) < index.position:
        changes = _since(index, position)
        for step in _compared(index, store, position) if changes is None else [changes]:
            store.apply(step)
    if position > index.position:
        index.refresh()
    if position > index.position:
        # a power failure may leave the log longer than readers know
        index.recover()
    if position > index.position:
        raise UsageError(
            f"the store is at step {position}, the index at {index.position}: an older copy took the index's place"
        )


def _since(index: Index, position: int) -> Changes | None:
    """Tell what the index remembers; None when that does not reach back so far."""
    told = index.changes_since(position)
    if told is None:
        return None
    end, removed, came, changed = told
    return Changes(end, removed, _stored(came), [Role(*role) for role in changed])


def _compared(index: Index, store: DocumentStore, position: int) -> Iterator[Changes]:
    """Tell what is different: removals and roles first, then the documents that came since, batch by batch.

    Each step is as far as its last document, so that a crash between them is made good by the next comparison or by
    what the index remembers: what stands by then is as of the end already. What happens after the end is told the next
    time, whatever of it is seen here.
    """
    end, originals_by_id = index.originals()
    originals, known = dict(originals_by_id), {role.id: role.original for role in store.roles()}
    removed = [name for name in known if name not in originals]
    changed = [name for name, original in known.items() if originals.get(name, original) != original]
    roles = [Role(*role) for role in index.roles(changed)]
    while came := index.arrivals(position, end, _BATCH):
        position = came[-1][0][0]
        yield Changes(position, removed, _stored(came), roles)
        removed, roles = [], []
    yield Changes(end, removed, [], roles)


def _stored(came: Sequence[tuple[Held, str | None]]) -> list[StoredDocument]:
    return [
        StoredDocument(name, text, url, time, original, rule) for (_, name, text, url, time, original), rule in came
    ]
