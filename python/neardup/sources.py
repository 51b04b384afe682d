"""What a job may be given: files, texts, documents or Arrow streams."""

from collections.abc import Iterable, Iterator, Sequence
from os import PathLike, fspath
from typing import NamedTuple

from neardup import _core
from neardup.document import ArrowStream, Document
from neardup.errors import UsageError

Inputs = str | PathLike[str] | ArrowStream | Iterable[str | PathLike[str] | Document | ArrowStream]


class Gathered(NamedTuple):
    """Inputs as the core takes them.

    `items` holds the caller's own texts or documents, in order, so that a result can give them back.
    """

    inputs: Sequence[str] | Sequence[ArrowStream]
    items: Sequence[str | Document] | None
    has_ids: bool
    has_times: bool


def gather(inputs: Inputs) -> Gathered:
    """Sort out what the caller gave.

    One `str` is a path, a glob, or "-" for stdin; so is each `Path`. Many `str` are texts, many `Document` are
    documents, an object with `__arrow_c_stream__` is a table. Kinds are not mixed: `UsageError` names the item.
    """
    if isinstance(inputs, str | PathLike):
        return Gathered([file_name(inputs)], None, False, False)
    if isinstance(inputs, ArrowStream):
        return Gathered([inputs], None, False, False)
    if not isinstance(inputs, Iterable):
        raise UsageError(f"documents cannot be read from {type(inputs).__name__}: {_ALLOWED}")
    items = list(inputs)
    first = items[0] if items else ""
    kind = next((kind for kind in (str, PathLike, Document, ArrowStream) if isinstance(first, kind)), None)
    for number, item in enumerate(items):
        if kind is None or not isinstance(item, kind):
            raise UsageError(f"item {number} is {type(item).__name__}, item 0 {type(first).__name__}: {_ALLOWED}")
    if kind is PathLike:
        return Gathered([file_name(path) for path in items if isinstance(path, PathLike)], None, False, False)
    if kind is ArrowStream:
        return Gathered([table for table in items if isinstance(table, ArrowStream)], None, False, False)
    texts = [item for item in items if isinstance(item, str)]
    if kind is str:
        _refuse_paths(texts)
        return Gathered([_core.collect((None, text, None, None, None) for text in texts)], texts, False, False)
    documents = [item for item in items if isinstance(item, Document)]
    rows = _rows(documents)
    has_times = any(document.time is not None for document in documents)
    return Gathered([_core.collect(rows)], documents, documents[0].id is not None, has_times)


_ALLOWED = "give a path, or a list of all str (texts), all Path, all Document, or all Arrow tables"


def _rows(documents: list[Document]) -> Iterator[tuple[str | None, str, str | None, int | str | None, str | None]]:
    for document in documents:
        yield document.id, document.text, document.url, document.time, document.source


def file_name(path: str | PathLike[str]) -> str:
    """Return a path as text; `UsageError` for a name that is none."""
    name = fspath(path)
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
