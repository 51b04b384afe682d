"""Following an index: what a document store has to be told to be as far."""

from collections.abc import Iterator, Sequence
from itertools import islice

from neardup._core import Index
from neardup.errors import UsageError
from neardup.live.changes import Changes
from neardup.live.held import Held, held_after
from neardup.live.stored_document import Role, StoredDocument
from neardup.live.stores.document_store import DocumentStore

_BATCH = 1000
"""Documents that a store is given in one transaction when it has to be told all."""


def follow(index: Index, store: DocumentStore) -> None:
    """Tell the store all that happened since the step it knows of.

    Raises `UsageError` for a store that is further than the index: it follows another one.
    """
    while (position := store.position()) < index.position:
        changes = _since(index, position)
        for step in _compared(index, store, position) if changes is None else [changes]:
            store.apply(step)
    if position > index.position:
        index.refresh()
        if position > index.position:
            raise UsageError(
                f"the store is at step {position}, the index at {index.position}: it is the store of another"
            )


def _since(index: Index, position: int) -> Changes | None:
    """Tell what the index remembers; None when that does not reach back so far."""
    told = index.changes_since(position)
    if told is None:
        return None
    end, removed, came, changed = told
    return Changes(end, removed, [_stored(held, rule) for held, rule in came], [Role(*role) for role in changed])


def _compared(index: Index, store: DocumentStore, position: int) -> Iterator[Changes]:
    """Tell what is different: removals and roles first, then the documents that came since, batch by batch.

    Each step is as far as its last document, so that a crash between them is made good by the next comparison or by
    what the index remembers: what stands by then is as of the end already.
    """
    end, roles = index.roles()
    originals, known = dict(roles), {role.id: role.original for role in store.roles()}
    came = held_after(index, position)
    removed = [name for name in known if name not in originals]
    changed = [_role(index, name) for name, original in known.items() if originals.get(name, original) != original]
    batch = list(islice(came, _BATCH))
    while following := list(islice(came, _BATCH)):
        yield Changes(batch[-1][0], removed, _with_rules(index, batch), changed)
        batch, removed, changed = following, [], []
    yield Changes(end, removed, _with_rules(index, batch), changed)


def _with_rules(index: Index, batch: Sequence[Held]) -> list[StoredDocument]:
    return [_stored(held, _role(index, held[1]).rule if held[5] != held[1] else None) for held in batch]


def _role(index: Index, name: str) -> Role:
    told = index.verdict(name)
    return Role(name, name) if told is None else Role(name, told[1] or name, told[2])


def _stored(held: Held, rule: str | None) -> StoredDocument:
    _, name, text, url, seconds, original = held
    return StoredDocument(name, text, url, seconds, original, rule)
