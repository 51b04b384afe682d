"""Documents, and the types that represent many of them."""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple, Protocol, runtime_checkable

from neardup._core import Index
from neardup.allowed import show
from neardup.errors import DataError
from neardup.inputs.surrogates import NO_CHARACTER, has_surrogate


class Document(NamedTuple):
    """A text with its id, URL, time and place, as far as they are known.

    `time` is Unix seconds, or text: an RFC 3339 date-time or a date YYYY[-MM[-DD]]. `row` counts from 1 within its
    source.
    """

    text: str
    id: str | None = None
    url: str | None = None
    time: int | str | None = None
    source: str | None = None
    row: int | None = None


@runtime_checkable
class ArrowStream(Protocol):
    """Any object that exports an Arrow C stream: a pyarrow Table, a polars or pandas DataFrame, a DuckDB relation."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Return the stream as a PyCapsule."""
        ...


class ArrowArray(Protocol):
    """Any object that exports an Arrow C array: an array or a record batch of pyarrow."""

    def __arrow_c_array__(self, requested_schema: object | None = None) -> object:
        """Return the schema and the array as PyCapsules."""
        ...


class LazyTable(Protocol):
    """A query that returns a table: a LazyFrame of polars."""

    def collect(self) -> Any:
        """Return the table."""
        ...


class ScannedTable(Protocol):
    """Rows that are read when they are needed: a Dataset or a Scanner of pyarrow."""

    def to_table(self) -> Any:
        """Return the rows as a table."""
        ...


class FormattedTable(Protocol):
    """A Dataset or an IterableDataset of Hugging Face."""

    def with_format(self, type: str | None = None) -> Any:  # noqa: A002 - their name
        """Return the dataset in another format."""
        ...


def refuse_flawed(documents: Iterable[Document], first: int = 1, *, needs_text: bool) -> None:
    """Raise `DataError` for the first document with a member of another type, or one that cannot be written.

    Args:
        documents: The documents.
        first: The number of the first of them.
        needs_text: Whether a text must not be None.
    """
    for number, document in enumerate(documents, first):
        _refuse_flaw(number, document, needs_text=needs_text)


def _refuse_flaw(number: int, document: Document, *, needs_text: bool) -> None:
    for name in ("text", "id", "url", "source"):
        value = getattr(document, name)
        if isinstance(value, str):
            if has_surrogate(value):
                raise DataError(f"document {number}: its {name} is {show(value)}, which is {NO_CHARACTER}")
        elif value is not None or (needs_text and name == "text"):
            allowed = "str" if needs_text and name == "text" else "str and None"
            raise DataError(f"document {number}: its {name} is {show(value)}; allowed are {allowed}")


DocumentRow = tuple[int, str, str, str | None, int | str | None, str]
"""A document of an index: the number of its step, id, text, url, time, original."""
_BATCH = 256


def iterate_rows(index: Index) -> Iterator[DocumentRow]:
    """Yield all documents in order of arrival, including those added meanwhile."""
    step = 0
    while rows := index.documents(step + 1, _BATCH):
        yield from rows
        step = rows[-1][0]


def documents_of(index: Index) -> Iterator[Document]:
    """Return all documents of an index in the same order."""
    return map(document_of, iterate_rows(index))


def document_of(row: DocumentRow) -> Document:
    """Convert a document as an index returns it."""
    _, name, text, url, time, _ = row
    return Document(text, name, url, time)
