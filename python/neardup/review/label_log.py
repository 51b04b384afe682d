"""The log of labels: a file to which many threads and processes add lines, without losing any."""

import errno
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Final, Literal, NamedTuple

from neardup.errors import DataError, EnvironmentFault
from neardup.evaluation.listed_pair import Key
from neardup.inputs.sources import refuse_special
from neardup.output.written import write_now

Label = Literal["duplicate", "not", "unsure"]
LABELS: tuple[Label, ...] = ("duplicate", "not", "unsure")
UNDO: Final = "undo"
Labels = dict[Key, dict[str, Label]]
"""The labels of each pair, by person."""


class Entry(NamedTuple):
    """A line of the log: the label of a pair by a person, and its time, in UTC as of RFC 3339."""

    left: str
    right: str
    label: Label | Literal["undo"]
    who: str
    when: str


class ValidLabels:
    """The labels that are valid after a number of entries.

    Earlier labels of a person for a pair are kept below the last one, because an undo makes them valid again.
    """

    def __init__(self) -> None:
        self._given: dict[str, list[tuple[Key, Label]]] = {}
        """The labels of each person that were not undone, in order."""

    def take(self, entry: Entry) -> None:
        """Apply the next entry. An undo without a label to undo changes nothing."""
        key, given = (entry.left, entry.right), self._given.setdefault(entry.who, [])
        if entry.label != UNDO:
            given.append((key, entry.label))
            return
        for at in range(len(given) - 1, -1, -1):
            if given[at][0] == key:
                del given[at]
                return

    def last(self, who: str, key: Key | None = None) -> Key | None:
        """Return the pair of a person's last valid label, of all or of those on `key`; None if there is none."""
        given = self._given.get(who, [])
        return next((pair for pair, _ in reversed(given) if key in (None, pair)), None)

    def labels(self) -> Labels:
        """Return the valid labels, in a new dictionary."""
        return {key: {who: labels[-1] for who, labels in one.items()} for key, one in self.history().items()}

    def history(self) -> dict[Key, dict[str, list[Label]]]:
        """Return the labels of each person for each pair that were not undone, oldest first, in a new dictionary."""
        history: dict[Key, dict[str, list[Label]]] = {}
        for who, given in self._given.items():
            for key, label in given:
                history.setdefault(key, {}).setdefault(who, []).append(label)
        return history


if sys.platform == "win32":
    raise EnvironmentFault("a review keeps its labels under the file locks of POSIX, and this system has none")
else:
    import fcntl


def try_lock(file: int) -> bool:
    """Lock an open file or folder until it is closed; False if another process has locked it."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


@dataclass
class ReadLog:
    """The part of a file that was read: inode, bytes and lines up to the last line end, and labels valid by then."""

    file: int = 0
    end: int = 0
    lines: int = 0
    valid: ValidLabels = field(default_factory=ValidLabels)


class LabelLog:
    """A file of entries, one a line, and the labels that are valid. Only what is new in the file is read.

    A line counts once its line end is written. A line that a crash left without one was never confirmed: it is skipped,
    and the next entry replaces it. Raises `DataError` for a line that is not an entry, `EnvironmentFault` for a file
    that cannot be read or written.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = Lock()
        self._read = ReadLog()

    def labels(self) -> Labels:
        """Return the labels that are valid now."""
        with self._open(os.O_RDONLY, fcntl.LOCK_SH) as file:
            self._catch_up(file)
            return self._read.valid.labels()

    def history(self) -> dict[Key, dict[str, list[Label]]]:
        """Return the labels of each person for each pair that were not undone, oldest first."""
        with self._open(os.O_RDONLY, fcntl.LOCK_SH) as file:
            self._catch_up(file)
            return self._read.valid.history()

    def add(self, who: str, key: Key, label: Label) -> None:
        """Add a label; it is on the disk when this returns."""
        self.add_all(who, [key], label)

    def add_all(self, who: str, keys: Iterable[Key], label: Label) -> None:
        """Add the same label for several pairs; all are on the disk when this returns."""
        self._append(who, label, lambda: keys)

    def undo(self, who: str, key: Key | None = None) -> Key | None:
        """Undo a person's last valid label, of all or of those on `key`, and return its pair.

        The previous label of that person on the pair is valid again. None if there is nothing to undo.
        """
        taken = self._append(who, UNDO, lambda: filter(None, [self._read.valid.last(who, key)]))
        return taken[0] if taken else None

    def _append(self, who: str, label: Label | str, choose: Callable[[], Iterable[Key]]) -> list[Key]:
        with self._open(os.O_RDWR | os.O_APPEND, fcntl.LOCK_EX) as file:
            self._catch_up(file)
            keys, when = list(choose()), write_now()
            rows = ({"left": left, "right": right, "label": label, "who": who, "when": when} for left, right in keys)
            self._write(file, b"".join(json.dumps(row, ensure_ascii=False).encode() + b"\n" for row in rows))
            self._catch_up(file)
            return keys

    def _write(self, file: int, lines: bytes) -> None:
        # removes what a crash left after the last line end
        os.ftruncate(file, self._read.end)
        try:
            if os.write(file, lines) < len(lines):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            os.fsync(file)
        except OSError:
            # a label that is not confirmed must not be valid later
            os.ftruncate(file, self._read.end)
            raise

    @contextmanager
    def _open(self, flags: int, lock: int) -> Iterator[int]:
        """Open the file, exclusively or shared with other readers; one thread of a process at a time."""
        refuse_special(self.path)
        with self._lock:
            try:
                file = os.open(self.path, flags)
                try:
                    fcntl.flock(file, lock)
                    yield file
                finally:
                    os.close(file)
            except OSError as error:
                raise EnvironmentFault(f"{self.path} cannot be read or written: {error.strerror}") from error

    def _catch_up(self, file: int) -> None:
        """Apply the lines that were added since, all or none.

        If another file has replaced the known one, apply all its lines.
        """
        status = os.fstat(file)
        if status.st_ino != self._read.file or status.st_size < self._read.end:
            self._read = ReadLog(status.st_ino)
        fresh = bytearray()
        while part := os.pread(file, status.st_size - self._read.end - len(fresh), self._read.end + len(fresh)):
            fresh += part
        complete = bytes(fresh[: fresh.rfind(b"\n") + 1])
        entries = [self._entry(line, at) for at, line in enumerate(complete.split(b"\n")[:-1], self._read.lines + 1)]
        for entry in entries:
            self._read.valid.take(entry)
        self._read.end += len(complete)
        self._read.lines += len(entries)

    def _entry(self, line: bytes, number: int) -> Entry:
        try:
            entry = Entry(**json.loads(line))
        except (ValueError, TypeError, RecursionError):
            entry = None
        if entry is None or not all(isinstance(value, str) for value in entry) or entry.label not in (*LABELS, UNDO):
            raise DataError(f"{self.path}, line {number}: not a label with {', '.join(Entry._fields)}")
        return entry
