"""DataFrames, LazyFrames and Series of polars."""

from functools import cached_property
from typing import Any

import polars

from neardup.errors import DataError
from neardup.inputs.document import ArrowStream
from neardup.inputs.form import FieldNames, KeptRows, TableForm


class PolarsFrame(TableForm):
    """A DataFrame."""

    def __init__(self, frame: polars.DataFrame) -> None:
        self.frame = frame

    @property
    def stream(self) -> ArrowStream:
        """The rows, in columns that the core reads."""
        return readable(self.frame)

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

    def __init__(self, query: polars.LazyFrame) -> None:
        self.query = query

    @cached_property
    def collected(self) -> PolarsFrame:
        """Its rows."""
        try:
            return PolarsFrame(self.query.collect())
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

    def __init__(self, texts: polars.Series, name: str) -> None:
        self.texts = texts
        self.name_of_texts = name

    @property
    def stream(self) -> ArrowStream:
        """A frame whose only column has the texts."""
        return readable(self.texts.to_frame(self.name_of_texts))

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

    def __init__(self, structs: polars.Series) -> None:
        self.structs = structs

    @cached_property
    def rows(self) -> PolarsFrame:
        """The structs as a frame."""
        return PolarsFrame(self.structs.struct.unnest())

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
        return PolarsFrame(given)
    if isinstance(given, polars.LazyFrame):
        return PolarsQuery(given)
    if isinstance(given, polars.Series):
        return PolarsStructs(given) if isinstance(given.dtype, polars.Struct) else PolarsTexts(given, fields.compared)
    return None


def readable(frame: polars.DataFrame) -> polars.DataFrame:
    """Return a frame without types that the Arrow interface of polars does not share as the format asks.

    A column of the type Null, which has a buffer too many, becomes one of texts without values. Objects of Python are
    left out.
    """
    changed: dict[Any, Any] = {name: _without_null(kind) for name, kind in frame.schema.items()}
    objects = [name for name, kind in frame.schema.items() if kind == polars.Object]
    casts: dict[Any, Any] = {name: kind for name, kind in changed.items() if kind != frame.schema[name]}
    return frame.drop(objects).cast(casts) if objects or casts else frame


def _without_null(kind: Any) -> Any:
    """Return a type in which String takes the place of Null."""
    if kind == polars.Null:
        return polars.String()
    if isinstance(kind, polars.List):
        return polars.List(_without_null(kind.inner))
    if isinstance(kind, polars.Array):
        return polars.Array(_without_null(kind.inner), kind.size)
    if isinstance(kind, polars.Struct):
        return polars.Struct({field.name: _without_null(field.dtype) for field in kind.fields})
    return kind


def _replaced(texts: polars.Series, kept: KeptRows) -> polars.Series:
    """Return the new texts as a Series of the same type; those of an Enum become plain texts."""
    kind = polars.String() if isinstance(texts.dtype, polars.Enum) else texts.dtype
    old = texts if texts.dtype == polars.Binary else texts.cast(polars.String)
    return polars.Series(texts.name, kept.new_texts(old.to_list()), dtype=kind)
