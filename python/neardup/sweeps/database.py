"""The database of a store of sweeps: which page held which text on which date."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from neardup.errors import DataError, EnvironmentFault
from neardup.inputs.sources import refuse_special_database

FORMAT = 2
_WAIT = 10.0
"""Number of seconds to wait for another process that writes."""
_CACHE = 128 << 10
"""Maximum memory of the cache, in KiB: the URLs and the ids of texts of a large site are looked up in any order."""

_SCHEMA = """
CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE sweep (number INTEGER PRIMARY KEY, time INTEGER NOT NULL UNIQUE, date TEXT NOT NULL);
CREATE TABLE page (number INTEGER PRIMARY KEY, url TEXT NOT NULL UNIQUE, server TEXT NOT NULL);
-- `size` is in bytes of UTF-8; a text of format 1 has none until the sweeps are listed
CREATE TABLE text (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, size INTEGER);
-- what became of a page in the sweep since the one before; pages that stayed the same have no row
CREATE TABLE step (
    sweep INTEGER NOT NULL REFERENCES sweep,
    kind TEXT NOT NULL,
    old_page INTEGER REFERENCES page,
    new_page INTEGER REFERENCES page,
    shared INTEGER,
    left_size INTEGER,
    right_size INTEGER,
    -- what the kind does not say, such as "merged into URL"
    remark TEXT
);
CREATE INDEX step_sweep ON step (sweep);
CREATE INDEX step_old ON step (old_page, sweep);
CREATE INDEX step_new ON step (new_page, sweep);
"""

_EVIDENCE = (
    # in which sweep a URL pointed to another one, by a redirect or as its canonical URL
    """CREATE TABLE pointer (
        sweep INTEGER NOT NULL REFERENCES sweep,
        url TEXT NOT NULL,
        target TEXT NOT NULL,
        how TEXT NOT NULL,
        PRIMARY KEY (sweep, url)
    ) WITHOUT ROWID""",
    # the text of a record of a web archive, or of a payload, by a digest of its name
    "CREATE TABLE capture (key INTEGER PRIMARY KEY, text INTEGER NOT NULL)",
    # the text that was extracted from a page of HTML, by the digest of the page and of all that takes part
    "CREATE TABLE extraction (digest BLOB PRIMARY KEY, text INTEGER NOT NULL, flaw TEXT) WITHOUT ROWID",
)
_VERSIONS = (
    """-- A page held a text in all sweeps from the time `since` on and before the time `until`. A page without a text
    -- was blank. A page that stays the same has one row, whatever the number of sweeps.
    CREATE TABLE version (
        page INTEGER NOT NULL REFERENCES page,
        since INTEGER NOT NULL,
        until INTEGER NOT NULL,
        text INTEGER REFERENCES text,
        PRIMARY KEY (page, since)
    ) WITHOUT ROWID""",
    "CREATE INDEX version_since ON version (since)",
    "CREATE INDEX version_until ON version (until)",
    "CREATE INDEX version_text ON version (text)",
    """CREATE VIEW sighting AS
    SELECT number AS sweep, page, text FROM sweep JOIN version ON since <= time AND time < until""",
)
OPEN = 2**63 - 1
"""The end of a version that the newest sweep has."""

_UPGRADES = {
    1: (
        "ALTER TABLE step ADD COLUMN remark TEXT",
        "ALTER TABLE text ADD COLUMN size INTEGER",
        "ALTER TABLE sighting RENAME TO row_of_each_sweep",
        *_VERSIONS,
        *_EVIDENCE,
        # rows of consecutive sweeps with one text are a run, which becomes one version
        f"""INSERT INTO version
        WITH place AS (
            SELECT number, time, row_number() OVER w AS at, lead(time, 1, {OPEN}) OVER w AS next
            FROM sweep WINDOW w AS (ORDER BY time)
        ), seen AS (
            SELECT page, text, time, next, at - row_number() OVER (PARTITION BY page, text ORDER BY time) AS run
            FROM row_of_each_sweep JOIN place ON number = sweep
        )
        SELECT page, min(time), max(next), text FROM seen GROUP BY page, text, run""",  # noqa: S608 - a number of ours
        "DROP TABLE row_of_each_sweep",
    )
}
"""The statements that make a database of a format one of the next format."""


def create_database(path: Path, settings: dict[str, str]) -> None:
    """Create a database without sweeps. It appears at `path` when it is complete."""
    aside = path.with_suffix(".partial")
    with faults(path):
        aside.unlink(missing_ok=True)
        connection = sqlite3.connect(aside)
        connection.executescript(_SCHEMA + ";".join((*_VERSIONS, *_EVIDENCE)))
        connection.executemany("INSERT INTO setting VALUES (?, ?)", sorted(settings.items()))
        connection.execute(f"PRAGMA user_version = {FORMAT}")
        connection.commit()
        connection.close()
        aside.rename(path)


def open_database(path: Path) -> sqlite3.Connection:
    """Open a database, and upgrade it if its format is an older one.

    Raises `DataError` for a file that is not a database, or has an unknown format.
    """
    refuse_special_database(path)
    with faults(path):
        connection = sqlite3.connect(path, timeout=_WAIT, isolation_level=None)
        version = _read_format(connection)
        if version != FORMAT and version not in _UPGRADES:
            connection.close()
            raise DataError(f"{path}: its format is {version}, this neardup reads {FORMAT}")
        # lets readers continue while a sweep is added
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute(f"PRAGMA cache_size = -{_CACHE}")
        if version != FORMAT:
            _upgrade(connection)
    return connection


def read_database(path: Path) -> sqlite3.Connection:
    """Open a database that any thread may read, one at a time, in the state of the first query."""
    with faults(path):
        connection = sqlite3.connect(path, timeout=_WAIT, isolation_level=None, check_same_thread=False)
        connection.execute("PRAGMA query_only = ON")
        connection.execute(f"PRAGMA cache_size = -{_CACHE}")
        connection.execute("BEGIN")
    return connection


def _read_format(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _upgrade(connection: sqlite3.Connection) -> None:
    with transaction(connection):
        # another process may have upgraded it meanwhile
        for version in range(_read_format(connection), FORMAT):
            for statement in _UPGRADES[version]:
                connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {FORMAT}")


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Write all changes of the block or none. Only one connection writes at a time."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        # a full disk may have ended the transaction already
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


@contextmanager
def snapshot(connection: sqlite3.Connection, refresh: Callable[[], None]) -> Iterator[None]:
    """Read one state of the database in the block, whatever others write; `refresh` has read one that matches it."""
    # a number that every commit of another connection changes; reading it in a transaction fixes the state that is read
    version = "PRAGMA data_version"
    while True:
        before = connection.execute(version).fetchone()
        refresh()
        connection.execute("BEGIN")
        if connection.execute(version).fetchone() == before:
            break
        connection.execute("ROLLBACK")
    try:
        yield
    finally:
        connection.execute("ROLLBACK")


@contextmanager
def faults(path: Path) -> Iterator[None]:
    """Convert the errors of the database to those of neardup."""
    try:
        yield
    except sqlite3.OperationalError as error:
        if "locked" in str(error):
            raise EnvironmentFault(f"{path}: another process is writing it") from error
        if "readonly" in str(error) or "unable to open" in str(error):
            reason = "it and its folder must be writable, for readers as well"
            raise EnvironmentFault(f"{path}: {error}; {reason}") from error
        raise EnvironmentFault(f"{path}: {error}") from error
    except sqlite3.DatabaseError as error:
        raise DataError(f"{path}: {error}") from error
    except OSError as error:
        raise EnvironmentFault(f"{error.filename or path}: {error.strerror}") from error
    except UnicodeEncodeError as error:
        raise DataError(
            f"{error.object[:80]!r} is not Unicode: {error.object[error.start]!r} is no character"
        ) from error
