"""Tables of any library that shares them through the Arrow PyCapsule interface."""

from functools import cached_property
from typing import Any

from neardup import _core
from neardup.errors import UsageError
from neardup.inputs.document import ArrowStream
from neardup.inputs.form import FieldNames, KeptRows, TableForm
from neardup.table import Table


class AnyStream(TableForm):
    """A stream, which may be readable once only: it is read into memory if its rows are returned."""

    def __init__(self, given: ArrowStream) -> None:
        self.given = given

    @property
    def once(self) -> ArrowStream:
        """The stream itself."""
        return self.given

    @cached_property
    def stream(self) -> _core.Table:
        """The rows in memory."""
        return read_stream(self.given)

    @property
    def count(self) -> int:
        """Number of its rows."""
        return len(self.stream)

    def take(self, kept: KeptRows) -> Any:
        """Return a table of neardup."""
        return Table(take_rows(self.stream, kept))

    def __reduce__(self) -> Any:
        return AnyStream, (self.stream,)


def form_of(given: Any, fields: FieldNames) -> TableForm | None:
    """Return the form of a stream or an array of Arrow; None if it is neither."""
    if isinstance(given, type):
        return None
    if isinstance(given, ArrowStream):
        return AnyStream(given)
    return AnyStream(_core.Table.of_array(given, fields.compared)) if hasattr(given, "__arrow_c_array__") else None


def read_stream(given: ArrowStream) -> _core.Table:
    """Read a stream into memory; `UsageError` if it is no table."""
    try:
        return _core.Table.of_stream(given)
    except ValueError as error:
        kind = type(given).__name__
        raise UsageError(
            f"the Arrow stream of {kind} is no table ({error}); give a table with a column of texts"
        ) from error


def take_rows(table: _core.Table, kept: KeptRows) -> _core.Table:
    """Return some rows of a table in memory, with their new texts."""
    rows = table.take(list(kept.rows))
    if not kept.gaps:
        return rows
    texts = (text.decode() if isinstance(text, bytes) else text for text in kept.new_texts(rows.column(kept.field)))
    return rows.with_texts(kept.field, list(texts))
