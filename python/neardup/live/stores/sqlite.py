"""Documents and their search index in one SQLite file."""

import sqlite3
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from neardup.errors import EnvironmentFault
from neardup.live.search.terms import QueryTerm, SearchTerm, search_lines, search_terms
from neardup.live.stores.pool import Pool
from neardup.live.stores.sql import PART, WHOLE, Execute, Rows, SqlStore

_PATIENCE = 60.0
"""Seconds to wait for another writer."""
_TABLES = (
    """CREATE TABLE documents (
        number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, text TEXT NOT NULL, url TEXT, time INTEGER,
        original TEXT NOT NULL, rule TEXT
    )""",
    "CREATE INDEX documents_by_url ON documents (url) WHERE url IS NOT NULL",
    "CREATE INDEX documents_by_original ON documents (original)",
    "CREATE TABLE state (format INTEGER NOT NULL, position INTEGER NOT NULL, terms TEXT NOT NULL, owner TEXT)",
    # Terms hold no space: this tokeniser cuts at spaces, and leaves what is not ASCII as it is. The index has no
    # content of its own, since the texts stand in the table: it is told what to forget.
    "CREATE VIRTUAL TABLE search USING fts5 (words, parts, content = '', tokenize = \"ascii tokenchars '_'\")",
)


class SqliteStore(SqlStore):
    """All documents in one SQLite file, and the kept ones in its full-text index (FTS5).

    Readers do not wait for the writer, nor it for them (WAL mode); so the file stands on a disk of this machine, beside
    its `-wal` and `-shm`. A step is on disk before `apply` returns (synchronous=FULL): the store may be the only place
    where a text stands, and what a power failure took away would not come again.
    """

    _begin = "BEGIN IMMEDIATE"
    _lock = ""  # a transaction that writes has the whole file

    def __init__(self, path: str | PathLike[str]) -> None:
        """Open the file, or make it. `EnvironmentFault` when it cannot be opened, or holds something else."""
        self._file = Path(path).absolute()
        self._place = str(path)
        self._pool = Pool(self._connect)
        self._open()

    def _connect(self) -> sqlite3.Connection:
        # one thread at a time has a connection, but not always the same one
        connection = sqlite3.connect(self._file, timeout=_PATIENCE, isolation_level=None, check_same_thread=False)
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
            raise EnvironmentFault(f"{self._place}: {error}") from error

    def _stream(self, sql: str) -> Generator[tuple[Any, ...], None, None]:
        with self._reading() as execute:
            yield from execute(sql)

    def _exists(self, execute: Execute) -> bool:
        return execute("SELECT 1 FROM sqlite_master WHERE name = 'state'").fetchone() is not None

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

    def _find(self, execute: Execute, terms: list[QueryTerm], limit: int) -> Rows:
        each = (f'(words : "{term.word}" OR parts : "{term.parts}"{"*" if term.open else ""})' for term in terms)
        return execute(
            f"""SELECT id, url, -bm25(search, {WHOLE}, {PART}) AS score
            FROM search JOIN documents ON number = search.rowid
            WHERE search MATCH ? ORDER BY score DESC, id LIMIT ?""",  # noqa: S608 - two constants
            " AND ".join(each),
            limit,
        )


def _use_wal(connection: sqlite3.Connection) -> None:
    """Switch to WAL mode: for this SQLite does not wait by itself while others make the same new file."""
    last = monotonic() + _PATIENCE
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or monotonic() > last:
                raise
            sleep(0.01)
        else:
            return
