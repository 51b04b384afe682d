"""Documents and their search index in one SQLite file."""

import sqlite3
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from neardup.allowed import allow_all
from neardup.errors import EnvironmentFault
from neardup.inputs.sources import refuse_special_database
from neardup.stores.others import refuse_others
from neardup.stores.pool import Pool
from neardup.stores.sql import PART, WHOLE, Execute, Rows, SqlStore
from neardup.stores.terms import QueryTerm, SearchTerm, search_lines, search_terms

_TIMEOUT = 60.0
"""Seconds to wait for another writer."""
_MASK = 2**64 - 1
_TABLES = (
    """CREATE TABLE documents (
        number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, text TEXT NOT NULL, url TEXT, time INTEGER,
        original TEXT NOT NULL, rule TEXT, checksum TEXT
    )""",
    "CREATE INDEX documents_by_url ON documents (url) WHERE url IS NOT NULL",
    "CREATE INDEX documents_by_original ON documents (original)",
    """CREATE TABLE state (
        format INTEGER NOT NULL, position INTEGER NOT NULL, terms TEXT NOT NULL, owner TEXT, documents INTEGER
    )""",
    # Terms contain no space: this tokeniser splits at spaces, and does not change what is not ASCII. The index stores
    # no texts, because these are in the table: deletions pass it the old text.
    "CREATE VIRTUAL TABLE search USING fts5 (words, parts, content = '', tokenize = \"ascii tokenchars '_'\")",
)


@allow_all
class SqliteStore(SqlStore):
    """All documents in one SQLite file, and the kept ones in its full-text index (FTS5).

    Readers and the writer do not wait for each other (WAL mode); so the file must be on a disk of this machine, beside
    its `-wal` and `-shm`. A step is on disk before `apply` returns (synchronous=FULL): the store may be the only place
    of a text, and a text that is lost in a power failure would not be sent again.
    """

    _begin = "BEGIN IMMEDIATE"
    _lock = ""  # a transaction that writes locks the whole file
    cure = "`neardup index repair` on the folder of its gate makes it anew"

    def __init__(self, path: str | PathLike[str]) -> None:
        """Open the file, or make it; every document is read and compared with its checksum.

        `UsageError` for the database of another program, which stays as it is; `EnvironmentFault` if the file cannot
        be opened, or is none of SQLite; `DamagedStore` for a document that is not as it was written.
        """
        refuse_special_database(path)
        self._file = Path(path).absolute()
        refuse_others(self._file, str(path))
        self.place = str(path)
        self._pool = Pool(self._connect)
        self._open()
        try:
            for _ in self.documents():
                pass
        except BaseException:
            self.close()
            raise

    def note(self, text: str) -> None:
        """Store a note in place of the previous one; older versions of neardup ignore it."""
        with self._reading() as execute:
            if self._exists(execute, "note") and (text,) in execute("SELECT told FROM note"):
                return
        with self._writing() as execute:
            execute("CREATE TABLE IF NOT EXISTS note (told TEXT NOT NULL)")
            execute("DELETE FROM note")
            execute("INSERT INTO note VALUES (?)", text)

    def _connect(self) -> sqlite3.Connection:
        # one thread at a time uses a connection, but not always the same thread
        connection = sqlite3.connect(self._file, timeout=_TIMEOUT, isolation_level=None, check_same_thread=False)
        try:
            _use_wal(connection)
            connection.execute("PRAGMA synchronous = FULL")
        except BaseException:
            connection.close()
            raise
        return connection

    @contextmanager
    def _connected(self) -> Iterator[Execute]:
        try:
            with self._pool.connection() as connection:
                yield lambda sql, *values: connection.execute(sql, values)
        except sqlite3.Error as error:
            raise EnvironmentFault(f"{self.place}: {error}") from error

    def _stream(self, sql: str) -> Generator[tuple[Any, ...], None, None]:
        with self._reading() as execute:
            yield from execute(sql)

    def _exists(self, execute: Execute, table: str = "state") -> bool:
        return execute("SELECT 1 FROM sqlite_master WHERE name = ?", table).fetchone() is not None

    def _create(self, execute: Execute) -> None:
        for sql in _TABLES:
            execute(sql)

    def _enter(self, execute: Execute, number: int, terms: list[SearchTerm]) -> None:
        execute("INSERT INTO search (rowid, words, parts) VALUES (?, ?, ?)", number, *search_lines(terms))

    def _leave(self, execute: Execute, number: int, text: str) -> None:
        lines = search_lines(search_terms(text))
        execute("INSERT INTO search (search, rowid, words, parts) VALUES ('delete', ?, ?, ?)", number, *lines)

    def _clear(self, execute: Execute) -> None:
        execute("INSERT INTO search (search) VALUES ('delete-all')")

    def _verify_search(self, kept: Iterator[tuple[str, str]]) -> None:
        with self._reading() as execute:
            for (message,) in execute("PRAGMA integrity_check"):
                if message != "ok":
                    raise self._damaged(message)
            execute("INSERT INTO search (search) VALUES ('integrity-check')")
            kept_numbers = execute("SELECT id, number FROM documents WHERE original = id")
            numbers: dict[str, int] = {name: number for name, number in kept_numbers}  # noqa: C416 - rows of any values
            expected = {numbers[document_id]: _sum_lines(text) for document_id, text in kept}
            execute("CREATE VIRTUAL TABLE IF NOT EXISTS temp.instances USING fts5vocab(main, search, instance)")
            sized = {number for (number,) in execute("SELECT id FROM search_docsize")}
            found = dict.fromkeys(sized, 0)
            for term, number, column, place in execute('SELECT term, doc, col, "offset" FROM temp.instances'):
                found[number] = (found.get(number, 0) + hash((column, place, term))) & _MASK
            execute("DROP TABLE temp.instances")
            wrong = {number for number in expected.keys() | found if found.get(number) != expected.get(number)}
            wrong |= sized ^ expected.keys()
            if wrong:
                named = execute("SELECT id FROM documents WHERE number = ?", min(wrong)).fetchone()
                name = repr(named[0]) if named else f"of row {min(wrong)}"
                raise self._damaged(f"document {name} is not searched as it is stored")

    def _find(self, execute: Execute, terms: list[QueryTerm], limit: int) -> Rows:
        each = (f'(words : "{term.word}" OR parts : "{term.parts}"{"*" if term.open else ""})' for term in terms)
        return execute(
            f"""SELECT id, url, -bm25(search, {WHOLE}, {PART}) AS score
            FROM search JOIN documents ON number = search.rowid
            WHERE search MATCH ? ORDER BY score DESC, id LIMIT ?""",  # noqa: S608 - two constants
            " AND ".join(each),
            limit,
        )


def _sum_lines(text: str) -> int:
    """Return a sum over the terms of a document with their places, which does not depend on the order."""
    columns = zip(("words", "parts"), search_lines(search_terms(text)), strict=True)
    places = ((column, place, term) for column, line in columns for place, term in enumerate(line.split(" ")) if term)
    return sum(map(hash, places)) & _MASK


def _use_wal(connection: sqlite3.Connection) -> None:
    """Switch to WAL mode, with retries: for this SQLite itself does not wait while others make the same new file."""
    last = monotonic() + _TIMEOUT
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or monotonic() > last:
                raise
            sleep(0.01)
        else:
            return
