"""A disk that loses power.

The writes of a process are recorded, and the disk is rebuilt in a state that is possible after any of its calls.

Synced data are on the disk: the bytes of a file up to its last sync, and the names in a folder up to the folder's last
sync. Of later changes any part may be on the disk, also the first half of a write.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from tempfile import mkdtemp
from typing import NamedTuple

RECORDER = Path(__file__).with_name("recorder.c")
SECTOR = 512


class Event(NamedTuple):
    """A call that changed something below the folder, or synced it."""

    kind: str
    inode: int
    offset: int
    data: bytes
    path: str


@cache
def build_recorder() -> Path:
    """Compile the recorder with the compiler that also links Rust."""
    made = Path(mkdtemp(prefix="recorder")) / "recorder.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", made, RECORDER, "-ldl", "-lpthread"], check=True)
    return made


def record(script: str, folder: Path, records: Path) -> list[Event]:
    """Run a Python script with the folder as its argument, and return its calls below the folder."""
    under = {"LD_PRELOAD": str(build_recorder()), "RECORD_UNDER": str(folder), "RECORD_TO": str(records)}
    subprocess.run([sys.executable, "-c", script, folder], env=os.environ | under, check=True)
    return list(_read(records.read_bytes()))


def _read(data: bytes) -> Iterator[Event]:
    at = 0
    while at < len(data):
        end = data.index(b"\n", at)
        kind, inode, offset, length, path = data[at:end].decode().split(" ", 4)
        at = end + 1 + int(length)
        yield Event(kind, int(inode), int(offset), data[end + 1 : at], path)


class Disk:
    """The files of a folder as they are on the disk, and the changes that may not be there yet."""

    def __init__(self, folder: Path) -> None:
        self._folder = str(folder)
        self._bytes: dict[int, bytearray] = {}
        """The synced bytes by file."""
        self._written: dict[int, list[Event]] = {}
        """The writes and truncations that are not synced, by file."""
        self._names: dict[str, int] = {}
        """The synced names: files by path; 0 represents a folder."""
        self._named: list[Event] = []
        """Changes of names that are not synced, in order."""
        self._files: dict[int, int] = {}
        """A unique number for every file by its inode, because inodes are used again."""
        self._count = 0

    def do(self, event: Event) -> None:
        """Apply the next event."""
        if event.kind == "make":
            self._count += 1
            self._files[event.inode] = self._count
        event = event._replace(inode=self._files.get(event.inode, 0))
        if event.kind in ("write", "cut"):
            self._written.setdefault(event.inode, []).append(event)
        elif event.kind == "sync":
            if event.inode in self._written or event.inode in self._bytes:
                self._bytes[event.inode] = self._content(event.inode, self._written.pop(event.inode, []))
            # names are journalled: all changes before a synced one are on the disk, too
            of_folder = [at for at, one in enumerate(self._named) if _parent(one.path) == event.path]
            for one in self._named[: of_folder[-1] + 1] if of_folder else []:
                _rename(self._names, one)
            del self._named[: of_folder[-1] + 1 if of_folder else 0]
        else:
            self._named.append(event)

    def write(self, target: Path, random: Random) -> None:
        """Write the folder to `target` in a state in which a power loss now may leave it."""
        names = dict(self._names)
        for event in self._named[: random.randint(0, len(self._named))]:
            _rename(names, event)
        for path, inode in sorted(names.items()):
            place = target / path.removeprefix(self._folder).lstrip("/")
            if inode == 0:
                place.mkdir(parents=True, exist_ok=True)
                continue
            place.parent.mkdir(parents=True, exist_ok=True)
            kept = [one for one in self._written.get(inode, []) if random.random() < random.choice((0, 0.5, 1))]
            place.write_bytes(self._content(inode, [_half(one, random) for one in kept]))

    def _content(self, inode: int, events: list[Event]) -> bytearray:
        content = bytearray(self._bytes.get(inode, b""))
        for _, _, offset, data, _ in events:
            if not data:
                del content[offset:]
            content.extend(bytes(max(offset + len(data) - len(content), 0)))
            content[offset : offset + len(data)] = data
        return content


def _half(event: Event, random: Random) -> Event:
    """Return the event, sometimes without the last sectors of its write."""
    if event.kind == "cut" or len(event.data) <= SECTOR or random.random() < 0.7:
        return event
    return event._replace(data=event.data[: random.randrange(SECTOR, len(event.data), SECTOR)])


def _rename(names: dict[str, int], event: Event) -> None:
    if event.kind == "folder":
        names[event.path] = 0
    elif event.kind in ("make", "link"):
        names[event.path] = event.inode
    elif event.kind == "remove":
        names.pop(event.path, None)
    else:
        old, new = event.path.split("\t")
        if old in names:
            names[new] = names.pop(old)
        for path in [path for path in names if path.startswith(f"{old}/")]:
            names[new + path[len(old) :]] = names.pop(path)


def _parent(path: str) -> str:
    return path.rpartition("\t")[2].rpartition("/")[0]
