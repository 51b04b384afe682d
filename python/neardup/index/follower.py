"""Following an index: the changes that bring a document store to the step of its index."""

from collections.abc import Iterator, Sequence

from neardup._core import Index
from neardup.errors import UsageError
from neardup.inputs.document import DocumentRow
from neardup.stores.document_store import DocumentStore
from neardup.stores.stored_document import Changes, Role, StoredDocument

_BATCH = 1000
"""Maximum number of documents that a store receives in one transaction."""
Arrival = tuple[DocumentRow, str | None]
"""A document that was added, and the rule by which it was dropped."""
Changed = tuple[int, list[str], list[Arrival], list[tuple[str, str, str | None]]]
"""The last step, removed ids, added documents, and roles of documents that were there before."""


def follow(index: Index, store: DocumentStore) -> None:
    """Apply to the store all steps of the index after the position of the store.

    Raises `UsageError` for a store that is ahead of the index: an older copy of the index took its place.
    """
    while (position := store.position()) < index.position:
        for changes in _changes(index, store, position):
            store.apply(changes)
    if position > index.position:
        index.refresh()
    if position > index.position:
        # after a power failure the log may contain steps that readers do not trust
        index.recover()
    if position > index.position:
        raise UsageError(
            f"the store is at step {position}, the index at {index.position}: an older copy took the index's place"
        )


def _changes(index: Index, store: DocumentStore, position: int) -> Iterator[Changes]:
    """Yield the changes after a step: removals and roles first, then added documents, batch by batch.

    The position of a batch is that of its last document, so that the next call continues there after a crash. The
    documents stored by then are already as of the end. The next call yields every change after the end, even if this
    one has seen some of it.
    """
    changes = index.changes_since(position, _BATCH)
    end, removed, added, roles = changes or _compared(index, store, position)
    while len(added) == _BATCH:
        position = added[-1][0][0]
        yield Changes(position, removed, _stored(added), _roles(roles))
        removed, roles, added = [], [], index.arrivals(position, end, _BATCH)
    yield Changes(end, removed, _stored(added), _roles(roles))


def _compared(index: Index, store: DocumentStore, position: int) -> Changed:
    """Return the differences between index and store, for steps that the index no longer remembers."""
    end, originals_by_id = index.originals()
    originals, known = dict(originals_by_id), {role.id: role.original for role in store.roles()}
    removed = [name for name in known if name not in originals]
    changed = [name for name, original in known.items() if originals.get(name, original) != original]
    return end, removed, index.arrivals(position, end, _BATCH), index.roles(changed)


def _roles(roles: Sequence[tuple[str, str, str | None]]) -> list[Role]:
    return [Role(*role) for role in roles]


def _stored(arrivals: Sequence[Arrival]) -> list[StoredDocument]:
    return [
        StoredDocument(name, text, url, time, original, rule) for (_, name, text, url, time, original), rule in arrivals
    ]
