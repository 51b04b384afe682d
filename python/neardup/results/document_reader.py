"""Documents, read one after another."""

from collections.abc import Iterator
from typing import NamedTuple

from neardup import _core
from neardup.inputs.document import Document
from neardup.output.written import plural
from neardup.results.account import Account


class Reject(NamedTuple):
    """A record that cannot be used: its source, its row there from 1, and the reason."""

    source: str
    row: int
    reason: str


class Reading(Iterator[Document]):
    """Documents in input order; those of files are read on demand, a few ahead."""

    def __init__(self, documents: Iterator[Document], reader: _core.DocumentReader | None) -> None:
        """Wrap the documents, and the reader of their files if there is one."""
        self._documents = documents
        self._reader = reader
        self._count = 0

    def __next__(self) -> Document:
        document = next(self._documents)
        self._count += 1
        return document

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {plural(self._count, 'document')} so far>"

    @property
    def account(self) -> Account:
        """Account of the files and the records so far: its `files` and `records` are those of run.json."""
        return Account.of_counts(read=self._count) if self._reader is None else Account.of(self._reader)

    @property
    def rejects(self) -> list[Reject]:
        """The records skipped so far; none unless `on_error` is "skip"."""
        return [] if self._reader is None else [Reject(*one) for one in self._reader.rejects]
