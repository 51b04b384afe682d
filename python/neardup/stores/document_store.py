"""Interfaces of a document store and of a search index, as the gate needs them."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol

from neardup.stores.stored_document import Changes, Role, StoredDocument


class DocumentStore(Protocol):
    """All documents that were admitted at the gate, kept and dropped, with their roles.

    Ids sort as UTF-8 bytes. Methods raise `EnvironmentFault` if the store cannot be reached, read or written.
    """

    def claim(self, index: str) -> None:
        """Follow the index of this identity, from now on; `UsageError` for the store of another."""
        ...

    def position(self) -> int:
        """Return the position of the last applied step; 0 if there was none."""
        ...

    def apply(self, changes: Changes) -> None:
        """Store the changes of one step, and its position, in one transaction that is on disk when this returns.

        Steps arrive in the order of the gate's log. A step that is not above the stored position was applied before and
        changes nothing, so that the last steps may be repeated after a crash. Ids in `removed` that are not there are
        ignored. A time may be returned in another form of `Document.time`. Raises `DataError`, with nothing changed,
        for a document that cannot be stored, and for a new role of one that is not there.
        """
        ...

    def get(self, document_id: str) -> StoredDocument | None:
        """Return one document."""
        ...

    def by_url(self, url: str) -> list[StoredDocument]:
        """Return the documents with exactly this URL, by id."""
        ...

    def duplicates(self, document_id: str) -> list[str]:
        """Return the ids of the dropped documents with this original, in order."""
        ...

    def roles(self) -> Iterator[Role]:
        """Return the role of every document by id, as of one moment, while others may continue writing."""
        ...

    def __len__(self) -> int:
        """Count the documents."""
        ...

    def close(self) -> None:
        """Release files and connections; the store cannot be used any more."""
        ...


class Found(NamedTuple):
    """A document that a query found."""

    id: str
    url: str | None
    score: float
    """Higher is better; scores of different queries or stores do not compare."""


class SearchIndex(Protocol):
    """Any search engine. Both methods may be called again with the same arguments."""

    def put(self, documents: Sequence[StoredDocument]) -> None:
        """Make documents searchable; they replace those of the same ids."""
        ...

    def remove(self, ids: Sequence[str]) -> None:
        """Remove documents; ids that are not there are ignored."""
        ...
