"""Stored documents, and their roles at the gate."""

from collections.abc import Sequence
from hashlib import blake2b
from typing import NamedTuple


class Role(NamedTuple):
    """Role of a document at the gate: kept if it is its own original, else dropped."""

    id: str
    original: str
    """The kept document that represents it."""
    rule: str | None = None
    """Why it was dropped, as in decisions.parquet; None if it is kept."""


class StoredDocument(NamedTuple):
    """A document with its role, as a store returns it."""

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


MOST_STEPS = 2**48
"""A number of steps that no index reaches: a position from here on was not written by neardup."""


class Changes(NamedTuple):
    """All changes of one step: a store applies all of them or none, in the order of the fields."""

    position: int
    """Position of the gate's log after this step, above 0; it grows from step to step."""
    removed: Sequence[str] = ()
    """Ids of removed documents."""
    stored: Sequence[StoredDocument] = ()
    """Documents that are new, or that replace those of the same ids."""
    changed: Sequence[Role] = ()
    """New roles of documents that are in the store; if an id occurs twice, the last role counts."""


_MISSING = 2**64 - 1
"""The length that is written for a missing value."""


def checksum(document: StoredDocument) -> str:
    """Digest all that a store keeps of a document, its time in microseconds or missing: BLAKE2b, 128 bits, in hex."""
    digest = blake2b(digest_size=16)
    for value in document:
        data = None if value is None else str(value).encode("utf-8", "surrogatepass")
        digest.update((_MISSING if data is None else len(data)).to_bytes(8, "little"))
        digest.update(data or b"")
    return digest.hexdigest()
