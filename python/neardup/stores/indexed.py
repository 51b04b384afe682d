"""Documents in one place, their search index in another."""

from collections.abc import Iterator
from itertools import islice

from neardup.allowed import allow_all
from neardup.stores.document_store import DocumentStore, SearchIndex
from neardup.stores.stored_document import Changes, Role, StoredDocument

_BATCH = 500
"""Number of documents passed to the search index at a time."""


@allow_all
class IndexedStore:
    """A document store whose kept documents are in a search engine, too.

    The search engine is updated first. A step whose documents it refuses, or that a crash interrupts, is not applied;
    it is sent again later, and repeating it changes nothing. Of several processes, one applies steps at a time.
    """

    def __init__(self, store: DocumentStore, index: SearchIndex) -> None:
        """Join the two; `index` already contains the kept documents of `store`, as after `refill`."""
        self._store = store
        self._index = index

    def claim(self, index: str) -> None:
        """Follow the index of this identity, from now on; `UsageError` for the store of another."""
        self._store.claim(index)

    def position(self) -> int:
        """Return the position of the last applied step; 0 if there was none."""
        return self._store.position()

    def apply(self, changes: Changes) -> None:
        """Apply the changes of one step to both; see `DocumentStore.apply`."""
        if changes.position <= self.position():
            return
        after = {document.id: document for document in changes.stored}
        for role in changes.changed:
            document = after.get(role.id) or self._store.get(role.id)
            if document is not None:
                after[role.id] = document._replace(original=role.original, rule=role.rule)
        kept = [document for document in after.values() if document.is_kept]
        gone = dict.fromkeys([*changes.removed, *after])
        self._index.remove([key for key in gone if key not in after or not after[key].is_kept])
        self._index.put(kept)
        self._store.apply(changes)

    def refill(self) -> None:
        """Put every kept document into the search index: for a new index, while no step is applied."""
        kept = (self.get(role.id) for role in self.roles() if role.original == role.id)
        found = (document for document in kept if document is not None)
        while batch := list(islice(found, _BATCH)):
            self._index.put(batch)

    def get(self, document_id: str) -> StoredDocument | None:
        """Return one document."""
        return self._store.get(document_id)

    def by_url(self, url: str) -> list[StoredDocument]:
        """Return the documents with exactly this URL, by id."""
        return self._store.by_url(url)

    def duplicates(self, document_id: str) -> list[str]:
        """Return the ids of the dropped documents with this original, in order."""
        return self._store.duplicates(document_id)

    def roles(self) -> Iterator[Role]:
        """Return the role of every document by id, as of one moment, while others may continue writing."""
        return self._store.roles()

    def __len__(self) -> int:
        """Count the documents."""
        return len(self._store)

    def close(self) -> None:
        """Close the store, but not the search index, which belongs to the caller."""
        self._store.close()
