"""Documents and their search index in PostgreSQL."""

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from zlib import crc32

from psycopg import Connection
from psycopg.types.string import StrDumper, TextLoader

from neardup.allowed import allow_all
from neardup.errors import EnvironmentFault
from neardup.stores.pool import Pool
from neardup.stores.sql import PART, WHOLE, Execute, Rows, SqlStore
from neardup.stores.terms import QueryTerm, SearchTerm, search_lines, search_terms, write_tsquery, write_tsvector

if TYPE_CHECKING:
    from psycopg import Connection
_NUL, _ESCAPE = "\0", "\1"
_ESCAPED_NUL, _ESCAPED_ESCAPE = "\1\1", "\1\2"


def escape(text: str) -> str:
    """Escape NUL with other characters."""
    return text.replace(_ESCAPE, _ESCAPED_ESCAPE).replace(_NUL, _ESCAPED_NUL)


def unescape(text: str) -> str:
    """Undo `escape`."""
    # the first U+0001 of a run begins an escape, so none is taken for the end of one
    return text.replace(_ESCAPED_NUL, _NUL).replace(_ESCAPED_ESCAPE, _ESCAPE)


class _Dumper(StrDumper):
    def dump(self, obj: str) -> Any:
        return super().dump(escape(obj))


class _Loader(TextLoader):
    def load(self, data: Any) -> str | bytes:
        text = super().load(data)
        return unescape(text) if isinstance(text, str) else text


def escape_texts(connection: Connection[Any]) -> None:
    """Make a connection escape every text that it writes, and unescape every text that it reads."""
    connection.adapters.register_dumper(str, _Dumper)
    connection.adapters.register_loader("text", _Loader)


# Ids and URLs may be longer than a B-tree accepts (2,700 bytes): hash indexes accept any, and one keeps ids unique.
_TABLES = (
    """CREATE TABLE documents (
        number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id text COLLATE "C" NOT NULL, text text NOT NULL,
        url text, time bigint, original text COLLATE "C" NOT NULL, rule text, checksum text,
        EXCLUDE USING hash (id WITH =)
    )""",
    "CREATE INDEX documents_by_url ON documents USING hash (url)",
    "CREATE INDEX documents_by_original ON documents USING hash (original)",
    """CREATE TABLE state (
        format int NOT NULL, position bigint NOT NULL, terms text NOT NULL, owner text, documents bigint
    )""",
    """CREATE TABLE search (
        number bigint PRIMARY KEY REFERENCES documents, terms tsvector NOT NULL, parts text NOT NULL
    )""",
    # with fastupdate, every search would read the list of pending entries until the next vacuum
    "CREATE INDEX search_by_terms ON search USING gin (terms) WITH (fastupdate = off)",
)


@allow_all
class PostgresStore(SqlStore):
    """All documents in a table of PostgreSQL, and the kept ones in its text search (tsvector with a GIN index).

    Writers of several processes wait for each other, readers do not wait. A step is as durable as the server makes it
    (`synchronous_commit`). Of a document of many megabytes only the first terms, up to a million bytes, are searched.
    """

    _begin = "BEGIN"
    _lock = " FOR UPDATE"
    cure = "give its gate a new schema, which it fills from its index"

    def __init__(self, conninfo: str, schema: str = "neardup") -> None:
        """Connect, and make the schema and its tables if they are missing.

        `conninfo` is a connection string of libpq, as in "postgresql://user@host/database". `EnvironmentFault` if the
        server cannot be reached or refuses, if its encoding is not UTF-8, and if psycopg is missing.
        """
        try:
            import psycopg
        except ImportError as error:
            raise EnvironmentFault("PostgreSQL needs an extra library: pip install 'neardup[postgres]'") from error
        self._error = psycopg.Error
        self._conninfo, self._schema = conninfo, schema
        self.place = f"PostgreSQL, schema {schema!r}"
        self._pool = Pool(self._connect)
        self._open()

    def _connect(self) -> "Connection[Any]":
        import psycopg
        from psycopg.sql import SQL, Identifier

        connection: Connection[Any] = psycopg.connect(self._conninfo, autocommit=True, client_encoding="utf8")
        try:
            escape_texts(connection)
            connection.execute(SQL("SET search_path TO {}").format(Identifier(self._schema)))
        except BaseException:
            connection.close()
            raise
        return connection

    @contextmanager
    def _borrow(self) -> Iterator["Connection[Any]"]:
        try:
            with self._pool.connection() as connection:
                yield connection
        except self._error as error:
            raise EnvironmentFault(f"{self.place}: {error}") from error

    @contextmanager
    def _connected(self) -> Iterator[Execute]:
        with self._borrow() as connection:

            def execute(sql: str, *values: object) -> Rows:
                # without values, no character of a statement is a placeholder
                if not values:
                    return connection.execute(sql.encode())
                return connection.execute(sql.replace("?", "%s").encode(), values)

            yield execute

    def _stream(self, sql: str) -> Generator[tuple[Any, ...], None, None]:
        with self._borrow() as connection, connection.transaction(), connection.cursor("rows") as cursor:
            cursor.itersize = 10_000
            yield from cursor.execute(sql.encode())

    def _exists(self, execute: Execute) -> bool:
        execute("SELECT pg_advisory_xact_lock(?, ?)", crc32(b"neardup") >> 1, crc32(self._schema.encode()) >> 1)
        return execute("SELECT 1 WHERE to_regclass('state') IS NOT NULL").fetchone() is not None

    def _create(self, execute: Execute) -> None:
        from psycopg.sql import Identifier

        for (encoding,) in execute("SHOW server_encoding"):
            if encoding != "UTF8":
                raise EnvironmentFault(f"{self.place}: the encoding of the database is {encoding}; it has to be UTF8")
        if not execute("SELECT 1 FROM pg_namespace WHERE nspname = ?", self._schema).fetchone():
            execute(f"CREATE SCHEMA {Identifier(self._schema).as_string()}")
        for sql in _TABLES:
            execute(sql)

    def _enter(self, execute: Execute, number: int, terms: list[SearchTerm]) -> None:
        execute(
            "INSERT INTO search (number, terms, parts) VALUES (?, CAST(? AS tsvector), ?)",
            number,
            write_tsvector(terms),
            f" {search_lines(terms).parts}",
        )

    def _leave(self, execute: Execute, number: int, text: str) -> None:  # noqa: ARG002 - for indexes without content
        execute("DELETE FROM search WHERE number = ?", number)

    def _clear(self, execute: Execute) -> None:
        execute("DELETE FROM search")

    def _verify_search(self, kept: Iterator[tuple[str, str]]) -> None:
        count = 0
        with self._reading() as execute:
            for document_id, text in kept:
                terms = search_terms(text)
                row = execute(
                    """SELECT search.terms = CAST(? AS tsvector) AND parts = ?
                    FROM search JOIN documents USING (number) WHERE id = ?""",
                    write_tsvector(terms),
                    f" {search_lines(terms).parts}",
                    document_id,
                ).fetchone()
                if row is None or not row[0]:
                    raise self._damaged(f"document {document_id!r} is not searched as it is stored")
                count += 1
            found = execute("SELECT count(*) FROM search").fetchone()
        if found is None or found[0] != count:
            raise self._damaged(f"{found and found[0]:,} documents are searched, {count:,} kept")

    def _find(self, execute: Execute, terms: list[QueryTerm], limit: int) -> Rows:
        # the index finds documents with all parts; their line shows whether the parts are in a row
        rows = [f" {term.parts}" + ("" if term.open else " ") for term in terms if " " in term.parts]
        return execute(
            f"""SELECT id, url, ts_rank('{{{PART}, 0, 0, {WHOLE}}}', search.terms, query, 1) AS score
            FROM search JOIN documents USING (number), CAST(? AS tsquery) AS query
            WHERE search.terms @@ query {"AND strpos(parts, ?) > 0 " * len(rows)}
            ORDER BY score DESC, id LIMIT ?""",  # noqa: S608 - two constants, and a condition repeated
            write_tsquery(terms),
            *rows,
            limit,
        )


def open_store(url: str, schema: str) -> SqlStore:
    """Open the store in a schema of the database that a URL names; see `PostgresStore`."""
    return PostgresStore(url, schema)
