"""Databases of SQLite that other programs made: they are never written."""

import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from neardup.errors import UsageError

UNFINISHED = 0x6E647570
"""The `application_id` of a database that a repair is making."""
_STATE = {"format", "position", "terms", "owner"}
"""Columns of the table `state` of every version."""


def refuse_others(file: Path, shown: str | None = None) -> None:
    """Raise `UsageError` for a database that is not empty and not neardup's; nothing is written to it.

    A file that is no database, or cannot be read, passes: opening it reports the error.
    """
    # connecting would create a missing file; an empty one is a new database
    with suppress(sqlite3.Error, OSError, ValueError):
        if file.is_file() and file.stat().st_size and (tables := _tables_of_others(file)) is not None:
            named = f"with the tables {', '.join(tables)}" if tables else "without tables"
            raise UsageError(f"{shown or file}: a database of another program, {named}: name another file")


def _tables_of_others(file: Path) -> list[str] | None:
    """Return the first tables of a database of another program; None for neardup's, and for an empty one."""
    # opening a database for writing moves the content of its -wal into it
    mode = "ro" if file.with_name(f"{file.name}-wal").exists() else "rw"
    with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode={mode}", uri=True, timeout=60)) as connection:
        named = connection.execute("SELECT name FROM sqlite_master WHERE type IN ('table', 'view') ORDER BY name")
        tables = [name for (name,) in named]
        state = {name for (name,) in connection.execute("SELECT name FROM pragma_table_info('state')")}
        application = connection.execute("PRAGMA application_id").fetchone()[0]
    if state >= _STATE or not (tables or application not in (0, UNFINISHED)):
        return None
    return tables[:5]
