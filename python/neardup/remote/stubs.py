"""Stubs: files of this machine that represent remote ones while a run is planned.

A stub has the size, the time and the head of its file, so that the core finds inputs, formats and fields as in folders
of this machine. What lies between takes no space.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pyarrow import fs

from neardup import _core
from neardup.errors import DataError, EnvironmentFault, NeardupError, UsageError
from neardup.output.addresses import is_address, local_path
from neardup.remote.heads import head_of, lines_of, set_time, write_part
from neardup.remote.place import PIECE, Place
from neardup.remote.storage import Storage, in_parallel, parts_of

_WILDCARD = re.compile(r"[*?\[{]")
FINDING = ("include", "exclude", "scheme", "encoding")
"""Options by which files are found."""
FETCHED = "fetched"
"""Folder of the files of a task, in its work folder."""


@dataclass(frozen=True)
class Stubs:
    """The stubs of a run, in a folder of this machine. They can be sent to tasks, which fetch the files."""

    storage: Storage
    root: str
    is_whole: bool
    """Whether files are read as a whole before their lines are known."""

    def path_of(self, place: Place) -> Path:
        """Return the path of a stub."""
        scheme, authority, path = parts_of(place.address)
        return Path(self.root, scheme, authority, *path.split("/"))

    def place_of(self, path: str | Path) -> Place:
        """Return the file that a stub represents."""
        scheme, authority, *below = Path(path).relative_to(self.root).parts
        return Place(self.storage, f"{scheme}://{authority}/{'/'.join(below)}")

    def __call__(self, path: str, start: int | None, end: int | None, folder: str) -> str:
        """Fetch a file into a folder, or its lines that begin in a range of bytes, and return its path there."""
        if not Path(path).is_relative_to(self.root):
            return path
        target = Path(folder, FETCHED, Path(path).relative_to(self.root))
        if not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            is_part = start is not None and end is not None and not self.is_whole
            spans = lines_of(target.name, start or 0, end or 0) if is_part else whole
            with self.place_of(path).reader() as source, open(target, "wb") as file:
                write_part(source, file, spans)
        return str(target)


def whole(source: Any) -> list[tuple[int, int]]:
    """Return the span of a whole file, in pieces."""
    size = source.size()
    return [(start, min(start + PIECE, size)) for start in range(0, size, PIECE)]


class StubTree:
    """The stubs of the inputs of a run, and of its references."""

    def __init__(self, storage: Storage, options: dict[str, Any]) -> None:
        # The driver may be in another folder by the time that it is removed.
        self._folder = TemporaryDirectory(prefix="neardup-")
        self.stubs = Stubs(storage, str(Path(self._folder.name).resolve()), options.get("encoding") == "detect")
        self._finding = {name: options[name] for name in FINDING if name in options}
        self._searched: list[Place] = []
        self._found: dict[str, tuple[int, int | None]] = {}

    def paths(self, inputs: Sequence[str]) -> list[str]:
        """Return the inputs for the core: paths of this machine, and those of stubs, which it makes."""
        inputs = [local_path(name) for name in inputs]
        remote = [name for name in inputs if is_address(name)]
        if not remote:
            return list(inputs)
        if len(remote) < len(inputs):
            others = next(name for name in inputs if not is_address(name))
            raise UsageError(f"{remote[0]} and {others}: give files of this machine, or addresses, but not both")
        paths = [self._make(name) for name in remote]
        with self.named():
            found = _core.Sources(paths, self._finding).input
        in_parallel(self._fill, map(str, found))
        stats = [(self.stubs.place_of(path).address, Path(path).stat()) for path in found]
        self._found.update({address: (stat.st_size, stat.st_mtime_ns) for address, stat in stats})
        return paths

    def _make(self, name: str) -> str:
        """Make empty stubs for an input, and return its path."""
        searched = Place.of(self.stubs.storage, name)
        path, kind = str(self.stubs.path_of(searched)), searched.info.type
        if kind == fs.FileType.NotFound:
            wildcard = _WILDCARD.search(name)
            searched = Place.of(self.stubs.storage, name[: wildcard.start()].rpartition("/")[0] if wildcard else name)
        files = searched.all()
        if not files and searched.info.type == fs.FileType.NotFound:
            raise DataError(f"{searched}: there is no such file or folder")
        self._searched.append(searched)
        for place, info in files:
            self._place(place, info)
        if kind == fs.FileType.Directory:
            Path(path).mkdir(parents=True, exist_ok=True)
        return path

    def _place(self, place: Place, info: fs.FileInfo) -> None:
        target = self.stubs.path_of(place)
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            with open(target, "wb") as file:
                file.truncate(info.size)
            set_time(target, info.mtime_ns)
        except OSError as error:
            raise UsageError(f"{place}: no folder can hold a file of this name: {error.strerror}") from error
        if target.name == ".neardup":
            self._fill(str(target))

    def _fill(self, path: str) -> None:
        """Fill the head of a stub."""
        place, before = self.stubs.place_of(path), Path(path).stat()
        with place.reader() as source, open(path, "r+b") as file:
            write_part(source, file, whole if self.stubs.is_whole else head_of(Path(path).name))
        set_time(path, before.st_mtime_ns)

    def check(self) -> None:
        """Raise `EnvironmentFault` for the first file that was written since it was found."""
        files = [file for searched in self._searched for file in searched.all()]
        now = {place.address: (info.size, info.mtime_ns) for place, info in files}
        for address, stamp in self._found.items():
            if now.get(address) != stamp:
                raise EnvironmentFault(f"{address}: the file changed during the run; run again when it is at rest")

    @contextmanager
    def named(self) -> Iterator[None]:
        """Name addresses in errors, not stubs."""
        try:
            yield
        except NeardupError as error:
            text = re.sub(rf"{re.escape(self.stubs.root)}/([^/\s]+)/([^/\s]+)", r"\1://\2", str(error))
            raise type(error)(text) from None

    def refuse_below(self, output: str) -> None:
        """Raise `UsageError` if the output would replace a file that is read."""
        folder = output.rstrip("/")
        for address in self._found:
            if address.startswith((f"{folder}/", f"{folder}.partial/")):
                raise UsageError(f"{output}: the output would replace the input {address}; give another name")

    def remove(self) -> None:
        """Remove the stubs."""
        self._folder.cleanup()
