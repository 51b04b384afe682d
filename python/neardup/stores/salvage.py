"""Reads the file of an SQLite store that cannot be opened, or has lost its index."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

from neardup import _core
from neardup.errors import DataError, EnvironmentFault, UsageError
from neardup.inputs.sources import refuse_special_database
from neardup.stores.others import UNFINISHED, refuse_others
from neardup.stores.stored_document import MOST_STEPS

Row = tuple[str, str, str | None, int | str | None]
"""id, text, URL and time of a document."""


def read_position(store: Path) -> int:
    """Return the position of the store; 0 if it cannot be read."""
    position = _ask(store, "SELECT position FROM state")
    # the index continues from there, and its store must be able to follow
    return position if isinstance(position, int) and 0 <= position < MOST_STEPS // 2 else 0


def read_owner(store: Path) -> str | None:
    """Return the identity of the index that the store followed; None if there is none, or it cannot be read."""
    owner = _ask(store, "SELECT owner FROM state")
    return None if owner is None else str(owner)


def read_note(store: Path) -> str | None:
    """Return what `SqliteStore.note` last wrote to the store; None if there is nothing, or it cannot be read."""
    note = _ask(store, "SELECT told FROM note")
    return None if note is None else str(note)


def read_rows(store: Path) -> Iterator[Row]:
    """Yield all documents that can be read, in order of arrival."""
    refuse_special_database(store)
    with suppress(sqlite3.DatabaseError), closing(sqlite3.connect(store)) as connection:
        # one text that is no UTF-8 must not end the reading
        connection.text_factory = _decode
        for name, text, url, time in connection.execute("SELECT id, text, url, time FROM documents ORDER BY number"):
            if isinstance(name, str) and isinstance(text, str):
                yield name, text, url if isinstance(url, str) else None, _time(time)


def is_number(name: str) -> bool:
    """Whether an index gave this name to a document without an id."""
    return name.startswith("#") and name[1:].isdigit()


def hand_over(store: Path, index: str, position: int) -> None:
    """Make a store follow another index from now on, as if it had received all its steps."""
    try:
        with closing(sqlite3.connect(store)) as connection, connection:
            connection.execute("UPDATE state SET owner = ?, position = ?", (index, position))
    except sqlite3.Error as error:
        raise EnvironmentFault(f"{store}: {error}") from error


def mark_unfinished(store: Path, *, is_unfinished: bool) -> None:
    """Mark in the head of a database whether a repair is still making it; a missing database is made."""
    try:
        with closing(sqlite3.connect(store)) as connection:
            connection.execute(f"PRAGMA application_id = {UNFINISHED if is_unfinished else 0}")
    except sqlite3.Error as error:
        raise EnvironmentFault(f"{store}: {error}") from error


def is_unfinished(store: Path) -> bool:
    """Return whether a repair that was stopped left this file."""
    # the file is not opened by SQLite, which would remove files beside it
    if store.is_symlink() or not store.is_file():
        return False
    with open(store, "rb") as file:
        head = file.read(72)
    return head.startswith(b"SQLite format 3\0") and head[68:] == UNFINISHED.to_bytes(4, "big")


def _decode(value: bytes) -> str | None:
    with suppress(UnicodeDecodeError):
        return value.decode()
    return None


def _time(micros: object) -> int | str | None:
    """Return the time of a stored document; None if it is none."""
    if isinstance(micros, int):
        with suppress(DataError, OverflowError):
            return _core.of_micros(micros)
    return None


def _ask(store: Path, question: str) -> str | int | bytes | float | None:
    refuse_special_database(store)
    # connecting would create the file
    if not store.exists():
        return None
    with suppress(sqlite3.Error, UsageError), closing(sqlite3.connect(store)) as connection:
        refuse_others(store)
        found = connection.execute(question).fetchone()
        return None if found is None else found[0]
    return None
