"""Following an index: what a document store needs to be as far."""

from collections.abc import Iterator, Sequence

from neardup._core import Index
from neardup.errors import UsageError
from neardup.inputs.document import Held
from neardup.stores.document_store import DocumentStore
from neardup.stores.stored_document import Changes, Role, StoredDocument

_BATCH = 1000
"""Documents that a store is given in one transaction at most."""
Arrival = tuple[Held, str | None]
"""A document that came, and the rule by which it was dropped."""
Changed = tuple[int, list[str], list[Arrival], list[tuple[str, str, str | None]]]
"""The last step, removed ids, what came, and roles of documents that were there before."""


def follow(index: Index, store: DocumentStore) -> None:
    """Apply to the store all steps of the index behind its own position.

    Raises `UsageError` for a store that is further than the index: an older copy of the index took its place.
    """
    while (position := store.position()) < index.position:
        for changes in _changes(index, store, position):
            store.apply(changes)
    if position > index.position:
        index.refresh()
    if position > index.position:
        # a power failure may leave the log longer than readers know
        index.recover()
    if position > index.position:
        raise UsageError(
            f"the store is at step {position}, the index at {index.position}: an older copy took the index's place"
        )


def _changes(index: Index, store: DocumentStore, position: int) -> Iterator[Changes]:
    """Yield what changed after a step: removals and roles first, and documents that came, batch by batch.

    Each step is as far as its last document, so that the next call makes good a crash between them:
    what is there by then is as of the end already. What happens after the end comes the next time, too, whatever of it
    is seen here.
    """
    told = index.changes_since(position, _BATCH)
    end, removed, came, roles = told or _compared(index, store, position)
    while len(came) == _BATCH:
        position = came[-1][0][0]
        yield Changes(position, removed, _stored(came), _roles(roles))
        removed, roles, came = [], [], index.arrivals(position, end, _BATCH)
    yield Changes(end, removed, _stored(came), _roles(roles))


def _compared(index: Index, store: DocumentStore, position: int) -> Changed:
    """Return what is different, where the index remembers no longer what happened."""
    end, originals_by_id = index.originals()
    originals, known = dict(originals_by_id), {role.id: role.original for role in store.roles()}
    removed = [name for name in known if name not in originals]
    changed = [name for name, original in known.items() if originals.get(name, original) != original]
    return end, removed, index.arrivals(position, end, _BATCH), index.roles(changed)


def _roles(roles: Sequence[tuple[str, str, str | None]]) -> list[Role]:
    return [Role(*role) for role in roles]


def _stored(came: Sequence[Arrival]) -> list[StoredDocument]:
    return [
        StoredDocument(name, text, url, time, original, rule) for (_, name, text, url, time, original), rule in came
    ]
