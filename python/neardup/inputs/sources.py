"""Inputs of a job: files, texts, documents or Arrow streams."""

import os
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from os import PathLike, fspath
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeGuard

from neardup import _core
from neardup.allowed import show
from neardup.errors import UsageError
from neardup.inputs.document import ArrowStream, Document

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


class RunResult(Protocol):
    """Result of a run, with the interface of `neardup._core.JobResult`."""

    @property
    def summary(self) -> str:
        """The text of run.json."""
        ...

    @property
    def tables(self) -> list[str]:
        """Names of the tables of the result."""
        ...

    def table(self, name: Any) -> Any:
        """Return one table; `UsageError` names the tables there are."""
        ...


class Engine(Protocol):
    """Runs a verb of the core over inputs, with the options of the core."""

    def run(
        self,
        verb: str,
        inputs: Sequence[Any],
        options: dict[str, Any],
        progress: Callable[[str, int, int, int], None] | None = None,
        notice: Callable[[str], None] | None = None,
    ) -> RunResult:
        """Run the verb and return its result."""
        ...

    def stream(self, frame: Any, options: dict[str, Any]) -> Any:
        """Return the documents of a table of this engine as an Arrow stream, in the order of their ids."""
        ...


Files = str | PathLike[str] | Iterable[PathLike[str]]
Inputs = str | PathLike[str] | ArrowStream | Iterable[str | PathLike[str] | Document | ArrowStream]


class Gathered(NamedTuple):
    """Inputs as the core takes them.

    `items` are the caller's own texts or documents, in order, so that a result can return them. `options` apply unless
    the caller gives others.
    """

    inputs: Sequence[str] | Sequence[ArrowStream]
    items: Sequence[str | Document] | None = None
    options: Mapping[str, str] = MappingProxyType({})
    engine: Engine | None = None
    """Engine that runs over the inputs unless the caller names another one."""


def refuse_special(name: str | PathLike[str]) -> None:
    """Raise `UsageError` for a named pipe or a device, from which reading may never end; a missing file passes.

    It is called before any file is opened that a user names, or that is in a folder of a user.
    """
    # an invalid name is reported when it is opened
    with suppress(OSError, ValueError):
        mode = os.stat(name).st_mode  # noqa: PTH116 - every command would import pathlib
        if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
            raise UsageError(f"{name}: neither a file nor a folder; give the name of a file")


def refuse_special_database(name: str | PathLike[str]) -> None:
    """Do the same for a database of SQLite, and for the files that SQLite opens beside it."""
    for end in ("", "-journal", "-wal", "-shm"):
        refuse_special(f"{fspath(name)}{end}")


def gather(inputs: Inputs) -> Gathered:
    """Convert the inputs of a caller for the core.

    One `str` is a path, a glob, or "-" for stdin; so is each `Path`. The folder of an index represents its documents.
    Many `str` are texts, many `Document` are documents, an object with `__arrow_c_stream__` is a table. Kinds are not
    mixed: `UsageError` names the item.
    """
    if isinstance(inputs, str | PathLike):
        return gather_paths([file_name(inputs)])
    if is_frame(inputs):
        return Gathered([inputs], engine=engine_of(inputs))
    if isinstance(inputs, ArrowStream):
        return _gather_streams([inputs])
    if not isinstance(inputs, Iterable):
        raise UsageError(f"documents cannot be read from {type(inputs).__name__}: {_ALLOWED}")
    items = list(inputs)
    first = items[0] if items else ""
    kind = next((kind for kind in (str, PathLike, Document, ArrowStream) if isinstance(first, kind)), None)
    for number, item in enumerate(items):
        if kind is None or not isinstance(item, kind):
            raise UsageError(f"item {number} is {type(item).__name__}, item 0 {type(first).__name__}: {_ALLOWED}")
    if kind is PathLike:
        return gather_paths([file_name(path) for path in items if isinstance(path, PathLike)])
    if kind is ArrowStream:
        return _gather_streams([table for table in items if isinstance(table, ArrowStream)])
    texts = [item for item in items if isinstance(item, str)]
    if kind is str:
        _refuse_paths(texts)
        return Gathered([_core.collect((None, text, None, None, None) for text in texts)], texts, {"url_field": "url"})
    documents = [item for item in items if isinstance(item, Document)]
    rows = _rows(documents)
    options = {"url_field": "url"}
    if documents[0].id is not None:
        options["id_field"] = "id"
    if any(document.time is not None for document in documents):
        options["time_field"] = "time"
    return Gathered([_core.collect(rows)], documents, options)


def engine_of(frame: "DataFrame") -> Engine:
    """Return the engine of a Spark DataFrame. It is imported by name, because it builds on this module."""
    engine: Engine = import_module("neardup.spark").SparkEngine(frame.sparkSession)
    return engine


def is_frame(inputs: object) -> "TypeGuard[DataFrame]":
    """Return whether the inputs are a Spark DataFrame, without importing Spark."""
    return type(inputs).__module__.startswith("pyspark.sql.") and type(inputs).__name__ == "DataFrame"


def gather_paths(names: list[str]) -> Gathered:
    """Keep paths, globs and "-" as they are, and open the indexes among them; `UsageError` for both at once."""
    indexes = [_core.Index.open(name) for name in names if _core.Index.exists_in(name)]
    if indexes and len(indexes) < len(names):
        raise UsageError(
            "an index and files are not one input: add the files to the index, or run over one after the other"
        )
    return _gather_streams(indexes) if indexes else Gathered(names)


def _gather_streams(streams: Sequence[ArrowStream]) -> Gathered:
    """Keep tables as they are; for indexes, take their fields, policy and scheme, too."""
    cores = [getattr(stream, "core", stream) for stream in streams]
    indexes = [core for core in cores if isinstance(core, _core.Index)]
    if len(indexes) < len(streams):
        return Gathered(streams)
    import json

    infos = [json.loads(index.info()) for index in indexes]
    options = {"id_field": "id", "url_field": "url"}
    if all(info["policy"] == "earliest" for info in infos):
        options["time_field"] = "time"
    if len({info["scheme"] for info in infos}) == 1:
        options["scheme"] = infos[0]["scheme"]
    return Gathered(indexes, None, options)


_ALLOWED = "give a path, or a list of all str (texts), all Path, all Document, or all Arrow tables"


def _rows(documents: list[Document]) -> Iterator[tuple[str | None, str, str | None, int | str | None, str | None]]:
    for document in documents:
        yield document.id, document.text, document.url, document.time, document.source


def file_name(path: str | PathLike[str]) -> str:
    """Return a path as text; `UsageError` if it is no path, or no possible name of a file."""
    name = fspath(path) if isinstance(path, str | PathLike) else path
    if not isinstance(name, str) or "\0" in name:
        raise UsageError(f"{show(name)} is no name of a file; give a path")
    try:
        name.encode()
    except UnicodeEncodeError:
        raise UsageError(f"{name!r}: the name of the file is not UTF-8; give the folder it is in") from None
    return name


def _refuse_paths(texts: list[str]) -> None:
    """Refuse a list of file names, which would silently be compared as very short texts."""
    if texts and len(texts) <= 64 and all(_names_file(text) for text in texts):
        raise UsageError(f"{texts[0]!r} is a file: a list of str is a list of texts, give Path objects for files")


def _names_file(text: str) -> bool:
    from pathlib import Path

    return len(text) < 256 and text.isprintable() and bool(Path(text).suffix) and Path(text).exists()
