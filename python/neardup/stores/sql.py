"""Document stores in SQL: the code that SQLite and PostgreSQL share."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from typing import Any, ClassVar, Protocol

from neardup._core import of_micros, to_micros
from neardup.allowed import allow_all
from neardup.errors import DamagedStore, DataError, EnvironmentFault, UsageError
from neardup.stores.document_store import Found
from neardup.stores.pool import Pool
from neardup.stores.stored_document import MOST_STEPS, Changes, Role, StoredDocument, checksum
from neardup.stores.terms import TERMS, QueryTerm, SearchTerm, query_terms, search_terms

FORMAT = 2
"""Version of the tables, stored in them. Tables of version 1 have no checksums, and get them when opened."""
WHOLE, PART = 1.0, 0.1
"""Weights of a word in the score of a search: if it occurs whole, and if it is part of another."""
_MOST = 2**31 - 1
"""Maximum number of rows of a query."""
_COLUMNS = "id, text, url, time, original, rule"


class Rows(Protocol):
    """Result of a statement."""

    @property
    def rowcount(self) -> int:
        """Number of rows that it changed."""
        ...

    def fetchone(self) -> tuple[Any, ...] | None:
        """Return the next row."""
        ...

    def __iter__(self) -> Iterator[tuple[Any, ...]]: ...


class Stream(Protocol):
    """Rows that are read on demand."""

    def __iter__(self) -> Iterator[tuple[Any, ...]]: ...

    def close(self) -> None:
        """Release the connection."""
        ...


Execute = Callable[..., Rows]
"""Runs one statement: its text with `?` in place of values, and the values."""


@allow_all
class SqlStore(ABC):
    """All documents in a table, and the kept ones in a search index beside it, changed in one transaction.

    It may be used from any number of threads. Processes open one each, after a fork too.
    """

    place: str
    """The file or schema, as messages name it."""
    _pool: Pool[Any]
    _begin: ClassVar[str]
    """Statement that begins a transaction that writes."""
    _lock: ClassVar[str]
    """End of a SELECT that locks its row until the transaction ends."""
    cure: ClassVar[str]
    """Advice on how to make a damaged store anew."""

    def claim(self, index: str) -> None:
        """Follow the index of this identity, from now on; `UsageError` for the store of another."""
        with self._writing() as execute:
            row = execute(f"SELECT owner FROM state{self._lock}").fetchone()  # noqa: S608 - ours, not a user's
            if row is not None and not isinstance(row[0], str | None):
                raise self._damaged(f"its owner is {row[0]!r}")
            if row is not None and row[0] not in (None, index):
                raise UsageError(f"{self.place} is the store of another index: name another store, or that index")
            execute("UPDATE state SET owner = ?", index)

    def position(self) -> int:
        """Return the position of the last applied step; 0 if there was none. `DamagedStore` if it is invalid."""
        with self._reading() as execute:
            return self._check_position(execute("SELECT position FROM state").fetchone())

    def apply(self, changes: Changes) -> None:
        """Apply the changes of one step; see `DocumentStore.apply`."""
        with self._writing() as execute:
            row = execute(f"SELECT position, terms FROM state{self._lock}").fetchone()  # noqa: S608 - ours, not a user's
            if row is None or row[1] != TERMS:
                raise EnvironmentFault(f"{self.place}: another version of neardup took the store over; open it anew")
            if changes.position <= self._check_position(row):
                return
            removed = sum(self._remove(execute, document_id) for document_id in changes.removed)
            for document in changes.stored:
                removed += self._store(execute, document)
            for role in changes.changed:
                self._change(execute, role)
            more = len(changes.stored) - removed
            execute("UPDATE state SET position = ?, documents = documents + ?", changes.position, more)

    def get(self, document_id: str) -> StoredDocument | None:
        """Return one document."""
        with self._reading() as execute:
            row = execute(f"SELECT {_COLUMNS} FROM documents WHERE id = ?", document_id).fetchone()  # noqa: S608
            return _document(row) if row else None

    def by_url(self, url: str) -> list[StoredDocument]:
        """Return the documents with exactly this URL, by id."""
        with self._reading() as execute:
            rows = execute(f"SELECT {_COLUMNS} FROM documents WHERE url = ? ORDER BY id", url)  # noqa: S608
            return [_document(row) for row in rows]

    def duplicates(self, document_id: str) -> list[str]:
        """Return the ids of the dropped documents with this original, in order."""
        with self._reading() as execute:
            rows = execute("SELECT id FROM documents WHERE original = ? AND id <> original ORDER BY id", document_id)
            return [found for (found,) in rows]

    def roles(self) -> Iterator[Role]:
        """Yield the role of every document by id, as of one moment, while others may continue writing."""
        with closing(self._stream("SELECT id, original, rule FROM documents ORDER BY id")) as rows:
            for row in rows:
                yield Role(*row)

    def search(self, query: str, limit: int = 10) -> list[Found]:
        """Return the kept documents that have every word of a query, best first.

        In Hangul, and in scripts written without spaces, any piece of a word is found; elsewhere only whole words.
        Nothing in a query is syntax. `UsageError` for a limit below 1 and for a query of more than 1,000 parts.
        """
        if limit < 1:
            raise UsageError(f"limit {limit}: write a number of documents from 1")
        with _refusing_surrogates():
            terms = query_terms(query)
        if not terms:
            return []
        with self._reading() as execute:
            return [Found(*row) for row in self._find(execute, terms, min(limit, _MOST))]

    def __len__(self) -> int:
        """Count the documents."""
        with self._reading() as execute:
            row = execute("SELECT count(*) FROM documents").fetchone()
            return int(row[0]) if row else 0

    def documents(self) -> Iterator[StoredDocument]:
        """Yield all documents in order of arrival, as of one moment; `DamagedStore` for one that is damaged."""
        count, recorded = 0, None
        # one statement reads one snapshot
        wanted = f"SELECT (SELECT documents FROM state), checksum, {_COLUMNS} FROM documents ORDER BY number"  # noqa: S608
        with closing(self._stream(wanted)) as rows:
            for of_all, check, *row in rows:
                recorded = of_all
                if check != checksum(StoredDocument(*row)):
                    raise self._damaged(f"document {row[0]!r} is not as it was written")
                count += 1
                yield _document(tuple(row))
        if count == 0:
            with self._reading() as execute:
                alone = "SELECT documents FROM state WHERE NOT EXISTS (SELECT 1 FROM documents)"
                recorded = (execute(alone).fetchone() or (0,))[0]
        if recorded != count:
            expected = f"{recorded:,}" if isinstance(recorded, int) else repr(recorded)
            raise self._damaged(f"{count:,} documents are there, and not {expected}")

    def verify(self) -> None:
        """Read everything; `DamagedStore` names the first document that is not stored or searched as it was written.

        Nothing may be written meanwhile.
        """
        kept = ((document.id, document.text) for document in self.documents() if document.is_kept)
        self._verify_search(kept)

    def close(self) -> None:
        """Release files and connections; the store cannot be used any more."""
        self._pool.close()

    def _damaged(self, what: str) -> DamagedStore:
        """Return the error that says what is damaged, and what to do."""
        return DamagedStore(f"{self.place}: damaged: {what}: {self.cure}")

    def _check_position(self, row: tuple[Any, ...] | None) -> int:
        """Return the position, the first value of the row of the state; `DamagedStore` if it cannot be one."""
        position = row[0] if row else None
        if not isinstance(position, int) or not 0 <= position < MOST_STEPS:
            raise self._damaged(f"its position is {position!r}, which is no number of steps")
        return position

    @contextmanager
    def _reading(self) -> Iterator[Execute]:
        """Yield a function that runs statements."""
        with _refusing_surrogates(), self._connected() as execute:
            yield execute

    @contextmanager
    def _writing(self) -> Iterator[Execute]:
        """Yield the same in a transaction that writes; it is committed at the end, and undone after an error."""
        with self._reading() as execute:
            execute(self._begin)
            yield execute
            execute("COMMIT")

    @abstractmethod
    def _connected(self) -> AbstractContextManager[Execute]:
        """Yield a function that runs statements; errors of the database are an `EnvironmentFault`."""

    @abstractmethod
    def _stream(self, sql: str) -> "Stream":
        """Return the rows of a query one by one."""

    @abstractmethod
    def _exists(self, execute: Execute) -> bool:
        """Wait until no one else makes the tables, and return whether they are there."""

    @abstractmethod
    def _create(self, execute: Execute) -> None:
        """Make the tables documents (its `number` is its row in search), search and state."""

    @abstractmethod
    def _enter(self, execute: Execute, number: int, terms: list[SearchTerm]) -> None:
        """Put a document into the search index."""

    @abstractmethod
    def _leave(self, execute: Execute, number: int, text: str) -> None:
        """Remove a document from the search index; `text` is the text that it was put in with."""

    @abstractmethod
    def _clear(self, execute: Execute) -> None:
        """Empty the search index."""

    @abstractmethod
    def _verify_search(self, kept: Iterator[tuple[str, str]]) -> None:
        """Check that the search index has these documents, by id and text, and no others; else `DamagedStore`."""

    @abstractmethod
    def _find(self, execute: Execute, terms: list[QueryTerm], limit: int) -> Rows:
        """Return id, url and score of the documents that have the terms, best first, then by id."""

    def _open(self) -> None:
        """Connect, and close everything if that fails."""
        try:
            self._prepare()
        except BaseException:
            self.close()
            raise

    def _prepare(self) -> None:
        """Make the tables if there are none; make the search index again if its terms are of another version."""
        with self._writing() as execute:
            if not self._exists(execute):
                self._create(execute)
                execute("INSERT INTO state (format, position, terms, documents) VALUES (?, 0, ?, 0)", FORMAT, TERMS)
                return
            row = execute(f"SELECT format, terms FROM state{self._lock}").fetchone()  # noqa: S608
            if row is None:
                raise self._damaged("its table `state` is empty")
            if row[0] == 1:
                self._add_checksums(execute)
                row = (FORMAT, row[1])
            if row[0] != FORMAT:
                raise EnvironmentFault(f"{self.place} contains no document store of format {FORMAT}")
            if row[1] != TERMS:
                self._clear(execute)
                for (number,) in list(execute("SELECT number FROM documents WHERE original = id")):
                    self._admit(execute, "number", number)
                execute("UPDATE state SET terms = ?", TERMS)
            self._check_position(execute("SELECT position FROM state").fetchone())

    def _add_checksums(self, execute: Execute) -> None:
        """Convert tables of version 1 to this version."""
        execute("ALTER TABLE documents ADD COLUMN checksum TEXT")
        execute("ALTER TABLE state ADD COLUMN documents BIGINT")
        for (number,) in list(execute("SELECT number FROM documents")):
            self._seal(execute, number)
        execute("UPDATE state SET format = ?, documents = (SELECT count(*) FROM documents)", FORMAT)

    def _seal(self, execute: Execute, number: int) -> None:
        """Store the checksum of a document as it is now."""
        row = execute(f"SELECT {_COLUMNS} FROM documents WHERE number = ?", number).fetchone()  # noqa: S608
        if row:
            execute("UPDATE documents SET checksum = ? WHERE number = ?", checksum(StoredDocument(*row)), number)

    def _store(self, execute: Execute, document: StoredDocument) -> int:
        """Store a document, and return the number of documents that it replaced."""
        removed = self._remove(execute, document.id)
        row = _row(document)
        values = (*row, checksum(row))
        execute(f"INSERT INTO documents ({_COLUMNS}, checksum) VALUES (?, ?, ?, ?, ?, ?, ?)", *values)  # noqa: S608
        if document.is_kept:
            self._admit(execute, "id", document.id)
        return removed

    def _change(self, execute: Execute, role: Role) -> None:
        self._dismiss(execute, role.id)
        row = execute(f"SELECT number, {_COLUMNS} FROM documents WHERE id = ?", role.id).fetchone()  # noqa: S608
        if row is None:
            raise DataError(f"{self.place} has no document {role.id!r} to change the role of")
        check = checksum(StoredDocument(*row[1:])._replace(original=role.original, rule=role.rule))
        values = (role.original, role.rule, check, row[0])
        execute("UPDATE documents SET original = ?, rule = ?, checksum = ? WHERE number = ?", *values)
        if role.original == role.id:
            self._admit(execute, "id", role.id)

    def _remove(self, execute: Execute, document_id: str) -> int:
        """Remove a document, and return the number of removed documents, 0 or 1."""
        self._dismiss(execute, document_id)
        return execute("DELETE FROM documents WHERE id = ?", document_id).rowcount

    def _admit(self, execute: Execute, column: str, value: object) -> None:
        """Put a document that is now kept into the search index."""
        row = execute(f"SELECT number, text FROM documents WHERE {column} = ?", value).fetchone()  # noqa: S608
        if row:
            self._enter(execute, row[0], search_terms(row[1]))

    def _dismiss(self, execute: Execute, document_id: str) -> None:
        """Remove a document that is still kept from the search index."""
        row = execute("SELECT number, text FROM documents WHERE id = ? AND original = id", document_id).fetchone()
        if row:
            self._leave(execute, *row)


def _row(document: StoredDocument) -> StoredDocument:
    try:
        return document._replace(time=None if document.time is None else to_micros(document.time))
    except DataError as error:
        raise DataError(f"document {document.id!r}: {error}") from None


def _document(row: tuple[Any, ...]) -> StoredDocument:
    document = StoredDocument(*row)
    return document if row[3] is None else document._replace(time=of_micros(row[3]))


@contextmanager
def _refusing_surrogates() -> Iterator[None]:
    try:
        yield
    except UnicodeEncodeError as error:
        raise DataError(f"{str(error.object)[:40]!r}: a lone surrogate is no character") from error
