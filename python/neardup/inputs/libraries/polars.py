"""DataFrames, LazyFrames and Series of polars."""

from functools import cached_property
from typing import Any

import polars

from neardup.errors import DataError
from neardup.inputs.document import ArrowStream
from neardup.inputs.form import FieldNames, KeptRows, TableForm


class PolarsFrame(TableForm):
    """A DataFrame."""

    def __init__(self, frame: polars.DataFrame, fields: FieldNames) -> None:
        self.frame = frame
        self.fields = fields

    @property
    def stream(self) -> ArrowStream:
        """The rows, in columns that the core reads."""
        return readable(self.frame, self.fields)

    @property
    def names(self) -> list[str]:
        """Names of its columns."""
        return self.frame.columns

    @property
    def count(self) -> int:
        """Number of its rows."""
        return self.frame.height

    def take(self, kept: KeptRows) -> polars.DataFrame:
        """Return a DataFrame."""
        rows = self.frame[list(kept.rows)]
        if not kept.gaps:
            return rows
        return rows.with_columns(_replaced(rows[kept.field], kept))


class PolarsQuery(TableForm):
    """A LazyFrame, which is collected once."""

    def __init__(self, query: polars.LazyFrame, fields: FieldNames) -> None:
        self.query = query
        self.fields = fields

    @cached_property
    def collected(self) -> PolarsFrame:
        """Its rows."""
        try:
            return PolarsFrame(self.query.collect(), self.fields)
        except (polars.exceptions.PolarsError, OSError) as error:
            raise DataError(f"the LazyFrame cannot be collected: {error}") from error

    @property
    def stream(self) -> ArrowStream:
        """The rows, in columns that the core reads."""
        return self.collected.stream

    @property
    def names(self) -> list[str]:
        """Names of its columns."""
        return self.collected.names

    @property
    def count(self) -> int:
        """Number of its rows."""
        return self.collected.count

    def take(self, kept: KeptRows) -> polars.LazyFrame:
        """Return a LazyFrame of the collected rows."""
        return self.collected.take(kept).lazy()


class PolarsTexts(TableForm):
    """A Series of texts."""

    def __init__(self, texts: polars.Series, fields: FieldNames) -> None:
        self.texts = texts
        self.fields = fields

    @property
    def stream(self) -> ArrowStream:
        """A frame whose only column has the texts."""
        return readable(self.texts.to_frame(self.fields.compared), self.fields)

    @property
    def is_column(self) -> bool:
        """Whether it is one column of texts."""
        return True

    @property
    def count(self) -> int:
        """Number of its rows."""
        return len(self.texts)

    def take(self, kept: KeptRows) -> polars.Series:
        """Return a Series."""
        texts = self.texts[list(kept.rows)]
        return _replaced(texts, kept) if kept.gaps else texts


class PolarsStructs(TableForm):
    """A Series of structs, whose fields are those of a table."""

    def __init__(self, structs: polars.Series, fields: FieldNames) -> None:
        self.structs = structs
        self.fields = fields

    @cached_property
    def rows(self) -> PolarsFrame:
        """The structs as a frame."""
        return PolarsFrame(self.structs.struct.unnest(), self.fields)

    @property
    def stream(self) -> ArrowStream:
        """The structs as a frame, in columns that the core reads."""
        return self.rows.stream

    @property
    def names(self) -> list[str]:
        """Names of its columns."""
        return self.rows.names

    @property
    def count(self) -> int:
        """Number of its rows."""
        return len(self.structs)

    def take(self, kept: KeptRows) -> polars.Series:
        """Return a Series of structs."""
        if not kept.gaps:
            return self.structs[list(kept.rows)]
        return self.rows.take(kept).to_struct(self.structs.name)


def form_of(given: Any, fields: FieldNames) -> TableForm | None:
    """Return the form of a value of polars; None for other types."""
    if isinstance(given, polars.DataFrame):
        return PolarsFrame(given, fields)
    if isinstance(given, polars.LazyFrame):
        return PolarsQuery(given, fields)
    if isinstance(given, polars.Series):
        return PolarsStructs(given, fields) if isinstance(given.dtype, polars.Struct) else PolarsTexts(given, fields)
    return None


_WIDE = tuple(getattr(polars, name) for name in ("Int128", "UInt128") if hasattr(polars, name))
"""Types of integers that Arrow does not have; versions of polars differ in them."""


def readable(frame: polars.DataFrame, fields: FieldNames) -> polars.DataFrame:
    """Return a frame without types that the Arrow interface of polars does not share as the format asks.

    A column of the type Null, which has a buffer too many, becomes one of texts without values. Integers of 128 bits
    are written as texts. Objects of Python are left out.

    Raises:
        DataError: The texts of a field are such integers, or a field that is used has objects.
    """
    for name in fields.texts:
        if frame.schema.get(name) in _WIDE:
            raise DataError(
                f'the field "{name}" is of type {frame.schema[name]}; a text must be of type string, or binary in UTF-8'
            )
    changed: dict[Any, Any] = {name: _as_shared(kind) for name, kind in frame.schema.items()}
    if fields.time is not None and frame.schema.get(fields.time) in _WIDE:
        # a text of digits may be a date; no time needs more digits than a float has
        changed[fields.time] = polars.Float64()
    objects = [name for name, kind in frame.schema.items() if kind == polars.Object]
    for name in filter(fields.has, objects):
        raise DataError(f'the field "{name}" is of type Object, which polars does not share; cast it to String')
    casts: dict[Any, Any] = {name: kind for name, kind in changed.items() if kind != frame.schema[name]}
    return frame.drop(objects).cast(casts) if objects or casts else frame


def _as_shared(kind: Any) -> Any:
    """Return a type in which String takes the place of Null and of integers of 128 bits."""
    if kind == polars.Null or kind in _WIDE:
        return polars.String()
    if isinstance(kind, polars.List):
        return polars.List(_as_shared(kind.inner))
    if isinstance(kind, polars.Array):
        return polars.Array(_as_shared(kind.inner), kind.size)
    if isinstance(kind, polars.Struct):
        return polars.Struct({field.name: _as_shared(field.dtype) for field in kind.fields})
    return kind


def _replaced(texts: polars.Series, kept: KeptRows) -> polars.Series:
    """Return the new texts as a Series of the same type; those of an Enum become plain texts."""
    kind = polars.String() if isinstance(texts.dtype, polars.Enum) else texts.dtype
    old = texts if texts.dtype == polars.Binary else texts.cast(polars.String)
    return polars.Series(texts.name, kept.new_texts(old.to_list()), dtype=kind)
