"""What the gate wants of a search index."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from neardup.stores.stored_document import StoredDocument


class Found(NamedTuple):
    """A document that a query found."""

    id: str
    url: str | None
    score: float
    """Higher is better; scores of different queries or stores do not compare."""


class SearchIndex(Protocol):
    """Any search engine. Both methods may be given again what they were given before."""

    def put(self, documents: Sequence[StoredDocument]) -> None:
        """Make documents searchable, in place of those of the same ids."""
        ...

    def remove(self, ids: Sequence[str]) -> None:
        """Take documents out; ids that are not there change nothing."""
        ...
