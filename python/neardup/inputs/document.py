"""Documents, and what may stand for many of them."""

from typing import NamedTuple, Protocol, runtime_checkable


class Document(NamedTuple):
    """A text with what is known of it.

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
    """Anything that gives an Arrow C stream: a pyarrow Table, a polars or pandas DataFrame, a DuckDB relation."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Return the stream as a PyCapsule."""
        ...
