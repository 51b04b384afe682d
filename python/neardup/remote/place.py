"""Places: files and folders by their addresses, such as `s3a://bucket/folder`."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from uuid import uuid4

from pyarrow import fs

from neardup.errors import EnvironmentFault
from neardup.remote.storage import Storage, in_parallel, parts_of

PIECE = 16 << 20
"""Bytes that are read at once."""


@dataclass(frozen=True)
class Place:
    """A file or a folder of a storage. It can be sent to tasks."""

    storage: Storage
    address: str

    @classmethod
    def of(cls, storage: Storage, address: str) -> "Place":
        """Return the place of an address as a caller writes it."""
        scheme, authority, path = parts_of(address)
        return cls(storage, f"{scheme}://{authority}/{path}")

    def __str__(self) -> str:
        return self.address

    def __truediv__(self, below: str) -> "Place":
        return Place(self.storage, f"{self.address.rstrip('/')}/{below}")

    @contextmanager
    def opened(self, doing: str = "read") -> Iterator[tuple[fs.FileSystem, str]]:
        """Yield the file system and the path there; `EnvironmentFault` names the address."""
        try:
            yield self.storage.locate(self.address)
        except OSError as error:
            raise EnvironmentFault(f"{self.address}: cannot {doing}: {self.storage.explain(error)}") from error

    @property
    def info(self) -> fs.FileInfo:
        """What is there."""
        with self.opened() as (system, path):
            return system.get_file_info(path)

    def exists(self) -> bool:
        """Return whether a file is there."""
        return bool(self.info.type == fs.FileType.File)

    def files(self) -> list[tuple["Place", fs.FileInfo]]:
        """Return all files below a folder, in the order of their addresses; none if there is no folder."""
        with self.opened() as (system, path):
            found = system.get_file_info(fs.FileSelector(path, allow_not_found=True, recursive=True))
        files = {one.path.strip("/")[len(path.strip("/")) + 1 :]: one for one in found if one.type == fs.FileType.File}
        return [(self / name, files[name]) for name in sorted(files)]

    def all(self) -> list[tuple["Place", fs.FileInfo]]:
        """Return the file, or all files below the folder."""
        info = self.info
        return [(self, info)] if info.type == fs.FileType.File else self.files()

    @contextmanager
    def reader(self) -> Iterator[Any]:
        """Open a file for reading at any position."""
        with self.opened() as (system, path), system.open_input_file(path) as file:
            yield file

    def read(self) -> bytes:
        """Return the content of a file."""
        with self.reader() as file:
            content: bytes = file.read()
            return content

    def write(self, content: bytes) -> None:
        """Write a file as a whole."""
        with self.opened("write") as (system, path):
            self._make_parent(system, path)
            with system.open_output_stream(path, compression=None) as file:
                file.write(content)

    def send(self, file: Path) -> None:
        """Write a file of this machine here; it appears when it is complete."""
        with self.opened("write") as (system, path), open(file, "rb") as source:
            self._make_parent(system, path)
            # An object appears when it is closed. A task may be tried several times at once.
            aside = path if self.storage.has_objects(self.address) else f"{path}.{uuid4().hex}"
            with system.open_output_stream(aside, compression=None) as target:
                shutil.copyfileobj(source, target, PIECE)
            if aside != path:
                if system.get_file_info(path).type == fs.FileType.File:
                    system.delete_file(path)
                system.move(aside, path)

    def _make_parent(self, system: fs.FileSystem, path: str) -> None:
        """Make the folder of a file, where there are folders."""
        if not self.storage.has_objects(self.address):
            system.create_dir(path.rpartition("/")[0], recursive=True)

    def remove(self) -> None:
        """Remove a folder with all that is in it, or a file; nothing is no error."""
        with self.opened("remove") as (system, path):
            kind = system.get_file_info(path).type
            if kind == fs.FileType.Directory:
                system.delete_dir(path)
            elif kind == fs.FileType.File:
                system.delete_file(path)

    @contextmanager
    def filled(self, spent: str) -> Iterator[str]:
        """Yield a folder of this machine, whose files are sent here at the end, except those in the folder `spent`."""
        with TemporaryDirectory(prefix="neardup-") as folder:
            yield folder
            self.send_all(Path(folder), spent)

    def send_all(self, folder: Path, spent: str) -> None:
        """Write the files of a folder here, except those in its folder `spent`."""
        names = [file.relative_to(folder) for file in folder.rglob("*") if file.is_file()]
        sent = [name for name in names if name.parts[0] != spent]
        in_parallel(lambda name: (self / name.as_posix()).send(folder / name), sent)
