"""Stored documents, and the roles that the gate gives them."""

from collections.abc import Sequence
from hashlib import blake2b
from typing import NamedTuple


class Role(NamedTuple):
    """What a document is to the gate: kept when it is its own original, else dropped."""

    id: str
    original: str
    """The kept document that represents it."""
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


MOST_STEPS = 2**48
"""Steps that no index takes: a position from here on was not written by neardup."""


class Changes(NamedTuple):
    """All that one step changes: a store takes all of it or nothing, in the order of the fields."""

    position: int
    """Where the gate's log ends with this step, above 0; it grows from step to step."""
    removed: Sequence[str] = ()
    """Ids that are gone."""
    stored: Sequence[StoredDocument] = ()
    """Documents that are new, or that replace those of the same ids."""
    changed: Sequence[Role] = ()
    """New roles of documents that are in the store; of one id the last counts."""


_MISSING = 2**64 - 1
"""The length that is written for a value that there is not."""


def checksum(document: StoredDocument) -> str:
    """Digest all that a store keeps of a document, its time in microseconds or missing: BLAKE2b, 128 bits, in hex."""
    digest = blake2b(digest_size=16)
    for value in document:
        data = None if value is None else str(value).encode("utf-8", "surrogatepass")
        digest.update((_MISSING if data is None else len(data)).to_bytes(8, "little"))
        digest.update(data or b"")
    return digest.hexdigest()
