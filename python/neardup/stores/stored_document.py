"""Stored documents, and the roles that the gate gives them."""

from typing import NamedTuple


class Role(NamedTuple):
    """What a document is to the gate: kept when it is its own original, else dropped."""

    id: str
    original: str
    """The kept document that stands for it."""
    rule: str | None = None
    """Why it was dropped, as in decisions.parquet; None when it is kept."""


class StoredDocument(NamedTuple):
    """A document with its role, as a store gives it back."""

    id: str
    text: str
    url: str | None
    time: int | str | None
    """As in `Document`; a store keeps it to the microsecond."""
    original: str
    rule: str | None = None

    @property
    def is_kept(self) -> bool:
        """Whether it is its own original."""
        return self.original == self.id
