"""Tables in memory: rows of named columns, for any library that reads Arrow."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from importlib import import_module
from itertools import chain
from typing import TYPE_CHECKING, Any, cast, overload

from neardup import _core
from neardup.allowed import show
from neardup.errors import UsageError
from neardup.output.written import show_plain

if TYPE_CHECKING:
    from os import PathLike

    import pandas
    import polars
    import pyarrow

_SHOWN = 10
"""Rows that a table shows of itself: the first half of them and the last."""
_WIDTH = 32
"""Characters of a value that a table shows."""
_BATCH = 1 << 16
"""Rows that are copied into Python objects at once."""


class Rows(ABC):
    """Rows of named columns: what all tables have in common.

    They are read by any library that knows the Arrow PyCapsule interface, as in `polars.DataFrame(table)`.
    """

    @property
    @abstractmethod
    def column_names(self) -> list[str]:
        """Names of the columns, in order."""

    @abstractmethod
    def column(self, name: str) -> list[Any]:
        """Copy one column into Python objects; `UsageError` names the columns there are."""

    @abstractmethod
    def __len__(self) -> int:
        """Count the rows."""

    @abstractmethod
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Return the rows as an Arrow C stream; it may be called any number of times."""

    @abstractmethod
    def _part(self, start: int, length: int) -> "Table":
        """Return at most `length` rows from the row `start` on, counted from 0."""

    def to_arrow(self) -> "pyarrow.Table":
        """Return a table of pyarrow, which shares the memory; `UsageError` if pyarrow is not installed."""
        return _library("pyarrow").table(self)

    def to_polars(self) -> "polars.DataFrame":
        """Return a DataFrame of polars, which shares the memory; `UsageError` if polars is not installed."""
        return cast("polars.DataFrame", _library("polars").DataFrame(self))

    def to_pandas(self) -> "pandas.DataFrame":
        """Return a DataFrame of pandas; `UsageError` if pandas is not installed."""
        library = _library("pandas")
        try:
            rows = _library("pyarrow").table(self)
        except UsageError:
            return cast("pandas.DataFrame", library.DataFrame(self.to_dict(), columns=self.column_names))
        return cast("pandas.DataFrame", rows.to_pandas())

    def to_dict(self) -> dict[str, list[Any]]:
        """Return the columns as lists, by their names."""
        return {name: self.column(name) for name in self.column_names}

    @overload
    def __getitem__(self, key: int) -> dict[str, Any]: ...
    @overload
    def __getitem__(self, key: slice) -> "Table": ...
    @overload
    def __getitem__(self, key: str) -> list[Any]: ...
    def __getitem__(self, key: int | slice | str) -> "dict[str, Any] | Table | list[Any]":
        """Return the row at a position from 0, the rows of a slice as a table, or the column of a name."""
        if isinstance(key, str):
            return self.column(key)
        count = len(self)
        if isinstance(key, slice):
            if key.step == 0:
                raise UsageError("the step of a slice of a table is 0; allowed are other whole numbers")
            rows = range(*key.indices(count))
            if rows.step == 1:
                return self._part(rows.start, len(rows))
            taken = _core.Table.of_stream(self).take(rows)
            return Table(taken if rows.step > 0 else taken.reversed())
        if not hasattr(key, "__index__"):
            raise UsageError(f"a table has no row {show(key)}; give a position, a slice, or the name of a column")
        position = key.__index__()
        if not -count <= position < count:
            raise IndexError(f"there is no row {position}; there are {count}")
        [row] = self._part(position % count, 1)
        return row

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """Yield the rows, each as a dictionary from the names of the columns to the values."""
        names = self.column_names
        for start in range(0, len(self), _BATCH):
            some = self._part(start, _BATCH)
            yield from (dict(zip(names, row, strict=True)) for row in zip(*map(some.column, names), strict=True))

    def __contains__(self, row: object) -> bool:
        return any(row == one for one in self)

    def __repr__(self) -> str:
        names, *rows = _short(self.column_names), *map(_short, self._shown())
        widths = [max(map(len, column)) for column in zip(names, *rows, strict=True)]
        lines = [
            "  ".join(value.ljust(width) for value, width in zip(line, widths, strict=True)) for line in [names, *rows]
        ]
        return "\n".join([self._title(), *(line.rstrip() for line in lines)])

    def _repr_html_(self) -> str:
        """Return a small table for notebooks."""
        from html import escape

        head = "".join(f"<th>{escape(name)}</th>" for name in _short(self.column_names))
        rows = ("".join(f"<td>{escape(value)}</td>" for value in _short(row)) for row in self._shown())
        body = "".join(f"<tr>{row}</tr>" for row in rows)
        title = escape(self._title())
        return f"<table><caption>{title}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"

    def _title(self) -> str:
        count, width = len(self), len(self.column_names)
        return (
            f"Table of {count:,} {'row' if count == 1 else 'rows'} and {width} {'column' if width == 1 else 'columns'}"
        )

    def _shown(self) -> Iterator[list[Any]]:
        """Yield the values of the first and the last rows, and a row of dots between them if some are left out."""
        count, names = len(self), self.column_names
        some = (
            [self._part(0, count)]
            if count <= _SHOWN
            else [self._part(0, _SHOWN // 2), self._part(count - _SHOWN // 2, count)]
        )
        first, *rest = ([*zip(*map(part.column, names), strict=True)] for part in some)
        yield from map(list, first)
        if rest:
            yield [...] * len(names)
            yield from map(list, chain.from_iterable(rest))


class Table(Rows):
    """A table in memory."""

    def __init__(self, core: _core.Table) -> None:
        """Wrap a table of the core."""
        self._core = core

    @property
    def column_names(self) -> list[str]:
        """The names of the columns, in order."""
        return self._core.column_names

    def column(self, name: str) -> list[Any]:
        """Copy one column into Python objects; `UsageError` names the columns there are."""
        return self._core.column(name)

    def __len__(self) -> int:
        """Count the rows."""
        return len(self._core)

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Return the rows as an Arrow C stream, without copying them; it may be called any number of times."""
        return self._core.__arrow_c_stream__(requested_schema)

    def write_parquet(self, path: "str | PathLike[str]") -> None:
        """Write the table as a Parquet file; `EnvironmentFault` if it cannot be written."""
        self._core.write_parquet(path)

    def _part(self, start: int, length: int) -> "Table":
        """Return at most `length` rows from the row `start` on, counted from 0."""
        return Table(self._core.slice(start, length))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Table) and self.to_dict() == other.to_dict()

    __hash__ = None  # type: ignore[assignment]


def _short(row: Sequence[Any]) -> list[str]:
    """Write values as a table shows them, each on one line."""
    return [_cut(value) for value in row]


def _cut(value: Any) -> str:
    if value is ...:
        return "..."
    shown = f"{value:.4g}" if isinstance(value, float) else show_plain(" ".join(str(value).split()))
    return shown if len(shown) <= _WIDTH else f"{shown[: _WIDTH - 3]}..."


def _library(name: str) -> Any:
    """Import a library of tables; `UsageError` if it is not installed."""
    try:
        return import_module(name)
    except ImportError:
        raise UsageError(f"{name} is not installed; install it with: pip install {name}") from None
