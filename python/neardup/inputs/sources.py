"""Inputs of a job: files, texts, documents or Arrow streams."""

import os
import stat
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from itertools import islice
from os import PathLike, fspath
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeGuard

from neardup import _core
from neardup.allowed import show
from neardup.errors import UsageError
from neardup.inputs.document import ArrowArray, ArrowStream, Document, FormattedTable, LazyTable, ScannedTable
from neardup.inputs.form import FieldNames, Form, TableForm
from neardup.inputs.groups import TableGroup, in_list
from neardup.inputs.libraries import form_of
from neardup.inputs.listed import ColumnLists, DocumentList, RecordList, TextList

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
OneTable = ArrowStream | ArrowArray | LazyTable | ScannedTable | FormattedTable | Mapping[str, Any]
Item = str | None | Document | OneTable
"""One of many inputs; a mapping is a record."""
Inputs = str | PathLike[str] | OneTable | Iterable[PathLike[str]] | Iterable[Item]


Streams = Sequence[str] | Sequence[ArrowStream] | Sequence[tuple[str, ArrowStream]]
"""Inputs as the core takes them: names of files, or streams, which may have names."""
_WORDS = 8
"""Spaces in a str from which it is taken for a text, if it names no file."""
_NO_OPTIONS: Mapping[str, str] = MappingProxyType({})


class Gathered(NamedTuple):
    """Inputs as the core takes them.

    `options` apply unless the caller gives others.
    """

    inputs: Streams
    form: Form | None = None
    """The inputs in the caller's own type, in which a result returns them; None for files, indexes and Spark."""
    options: Mapping[str, str] = _NO_OPTIONS
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


def refuse_table(given: object, allowed: str) -> None:
    """Raise `UsageError` for a table or a mapping, whose items may be the names of its columns; a column passes.

    Args:
        given: Several documents, as a caller gives them where no fields are named.
        allowed: The types that a document may have.
    """
    if core_of(given) is None and has_rows(given):
        raise UsageError(
            f"{type(given).__name__} is no list of documents: give {allowed}; neardup.read(table, id_field=...) yields "
            "the documents of a table"
        )


def has_rows(given: object) -> bool:
    """Return whether an object is a table, a mapping of them, or a record; a list and a column of texts are not."""
    if is_frame(given) or isinstance(given, Mapping) or core_of(given) is not None:
        return True
    form = _table_of(given, FieldNames())
    return form is not None and not form.is_column


def gather(inputs: Inputs, options: Mapping[str, Any] = _NO_OPTIONS, *, is_read_once: bool = False) -> Gathered:
    """Convert the inputs of a caller for the core.

    One `str` is a path, a glob, or "-" for stdin; so is each `Path`. The folder of an index represents its documents.
    Many `str` are texts, many `Document` are documents, many mappings are records. A table is of any library that
    shares it through Arrow; several are given as a list, or as a mapping from names of sources to tables. Kinds are not
    mixed: `UsageError` names the item.

    Args:
        inputs: What the caller gives.
        options: The options of the job, of which the names of fields are used.
        is_read_once: Whether the inputs are read once only, so that those that can be read once stay as they are.
    """
    if isinstance(inputs, str | PathLike):
        _refuse_text(inputs)
        return gather_paths([file_name(inputs)])
    if is_frame(inputs):
        return Gathered([inputs], engine=engine_of(inputs))
    if (core := core_of(inputs)) is not None:
        return _gather_indexes([core])
    fields = FieldNames.of(options)
    if (form := _form_of(inputs, fields)) is not None:
        return _gather_form(form, is_read_once=is_read_once)
    if not isinstance(inputs, Iterable) or isinstance(inputs, bytes | Mapping):
        raise UsageError(f"documents cannot be read from {type(inputs).__name__}: {_ALLOWED}")
    return _gather_items(list(inputs), fields, is_read_once=is_read_once)


def gather_named(inputs: Any, options: Mapping[str, Any] = _NO_OPTIONS) -> Gathered:
    """Convert inputs as `gather` does for one reading, except that a list of `str` is a list of paths."""
    if isinstance(inputs, Iterable) and not isinstance(inputs, str | bytes | PathLike | Mapping | ArrowStream):
        if is_frame(inputs) or _table_of(inputs, FieldNames.of(options)) is not None:
            return gather(inputs, options, is_read_once=True)
        items = list(inputs)
        if all(isinstance(path, str | PathLike) for path in items):
            return gather_paths([file_name(path) for path in items])
        inputs = items
    return gather(inputs, options, is_read_once=True)


def _gather_items(items: list[Any], fields: FieldNames, *, is_read_once: bool) -> Gathered:
    """Convert a list, all items of which are of one kind."""
    first = next((item for item in items if item is not None), "")
    kinds = (str, PathLike, Document, Mapping)
    kind = next((kind for kind in kinds if isinstance(first, kind)), None)
    tables: dict[str, TableForm] = {}
    indexes = []
    for number, item in enumerate(items):
        if kind is None and (core := core_of(item)) is not None:
            indexes.append(core)
        elif kind is None and (form := _table_of(item, fields)) is not None:
            tables[str(number + 1)] = form
        elif kind is None or not (isinstance(item, kind) or _is_row(item, kind)):
            first_of = f", item 1 {type(items[0]).__name__}" if number else ""
            raise UsageError(f"item {number + 1} is {type(item).__name__}{first_of}: {_ALLOWED}")
    if kind is PathLike:
        return gather_paths([file_name(path) for path in items])
    if indexes:
        if tables:
            raise UsageError(f"indexes and tables are not one input: {_ALLOWED}")
        return _gather_indexes(indexes)
    if kind is None:
        return _gather_form(TableGroup(tables, in_list), is_read_once=is_read_once)
    if kind is Document:
        return _gather_form(DocumentList(items), _options_of(items))
    if kind is Mapping or not items:
        return _gather_form(RecordList(items, fields))
    _refuse_paths(items)
    return _gather_form(TextList(items, fields))


def _is_row(item: Any, kind: type) -> bool:
    """Return whether an item of another type is one row: None among texts or records, a number among texts."""
    if item is None:
        return kind in (str, Mapping)
    is_input = isinstance(item, PathLike | Document | Iterable) or core_of(item) is not None
    return kind is str and (isinstance(item, bytes) or not is_input)


def _gather_form(form: Form, options: Mapping[str, str] = _NO_OPTIONS, *, is_read_once: bool = False) -> Gathered:
    return Gathered(form.streams_read_once if is_read_once else form.streams, form, options)


def _options_of(documents: list[Document]) -> dict[str, str]:
    """Return the fields that documents have."""
    options = {"id_field": "id"} if documents[0].id is not None else {}
    if any(document.url is not None for document in documents):
        options["url_field"] = "url"
    if any(document.time is not None for document in documents):
        options["time_field"] = "time"
    return options


def _form_of(inputs: Any, fields: FieldNames) -> Form | None:
    """Return the form of a table, or of a mapping to columns or tables; None for a list of items."""
    if (form := _table_of(inputs, fields)) is not None:
        return form
    if not isinstance(inputs, Mapping):
        return None
    if inputs and all(isinstance(values, list | tuple) for values in inputs.values()):
        return ColumnLists(inputs, fields)
    tables = {str(name): form for name, one in inputs.items() if (form := _table_of(one, fields)) is not None}
    if not tables or len(tables) < len(inputs):
        shown = ", ".join(f"{name!r}: {type(one).__name__}" for name, one in islice(inputs.items(), 4))
        raise UsageError(f"documents cannot be read from a mapping of {shown or 'nothing'}: {_ALLOWED}")
    return TableGroup(tables, type(inputs))


def _table_of(given: Any, fields: FieldNames) -> TableForm | None:
    """Return the form of one table or column; None if it is neither."""
    if isinstance(given, str | bytes | PathLike | list | tuple | dict | Document):
        # a dictionary of datasets is a dictionary
        return None
    return form_of(given, fields)


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
    return _gather_indexes(indexes) if indexes else Gathered(names)


def core_of(given: object) -> _core.Index | None:
    """Return the index of the core, if an index is given."""
    core = getattr(given, "core", given)
    return core if isinstance(core, _core.Index) else None


def _gather_indexes(indexes: Sequence[_core.Index]) -> Gathered:
    """Take the documents of indexes with their fields, policy and scheme."""
    import json

    infos = [json.loads(index.info()) for index in indexes]
    options = {"id_field": "id", "url_field": "url"}
    if all(info["policy"] == "earliest" for info in infos):
        options["time_field"] = "time"
    if len({info["scheme"] for info in infos}) == 1:
        options["scheme"] = infos[0]["scheme"]
    return Gathered(indexes, None, options)


_ALLOWED = (
    "give a path; a list of all str (texts), all Path, all Document, or all dict (records); or a table, such as a "
    "DataFrame, a Dataset or an Arrow table, or several in a list or by name"
)


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


def _refuse_text(path: str | PathLike[str]) -> None:
    """Refuse one text, which would be looked for as a file."""
    if isinstance(path, str) and ("\n" in path or (path.count(" ") >= _WORDS and not _may_be_found(path))):
        raise UsageError(f"{show(path)} is one str, which names a file: give a list of texts, or the path of a file")


def _may_be_found(path: str) -> bool:
    """Return whether a str is a pattern, or the name of something that exists."""
    return any(sign in path for sign in "*?[") or os.path.exists(path)  # noqa: PTH110 - every command would import pathlib


def _refuse_paths(texts: list[str | None]) -> None:
    """Refuse a list of file names, which would silently be compared as very short texts."""
    if texts and len(texts) <= 64 and all(map(_names_file, texts)):
        raise UsageError(f"{texts[0]!r} is a file: a list of str is a list of texts, give Path objects for files")


def _names_file(text: object) -> bool:
    from pathlib import Path

    if not isinstance(text, str):
        return False
    looks_so = len(text) < 256 and text.isprintable() and bool(Path(text).suffix or "/" in text)
    return looks_so and Path(text).exists()
