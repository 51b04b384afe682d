"""Documents, read one after another."""

from collections.abc import Iterator
from typing import NamedTuple

from neardup import _core
from neardup.inputs.document import Document


class Reject(NamedTuple):
    """A record that cannot be used: its source, its row there from 1, and the reason."""

    source: str
    row: int
    reason: str


class Reading(Iterator[Document]):
    """Documents in input order; those of files are read when they are asked for, a few ahead."""

    def __init__(self, documents: Iterator[Document], reader: _core.Reader | None) -> None:
        """Take the documents, and who reads them from files."""
        self._documents = documents
        self._reader = reader

    def __next__(self) -> Document:
        return next(self._documents)

    @property
    def rejects(self) -> list[Reject]:
        """The records passed over so far; none unless `on_error` is "skip"."""
        return [] if self._reader is None else [Reject(*one) for one in self._reader.rejects]
