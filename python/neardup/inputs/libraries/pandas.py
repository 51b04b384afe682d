"""DataFrames and Series of pandas."""

from typing import Any

import pandas

from neardup import _core
from neardup.inputs.columns import collect
from neardup.inputs.document import ArrowStream
from neardup.inputs.form import FieldNames, KeptRows, TableForm


class PandasFrame(TableForm):
    """A DataFrame. Rows are counted; its index is a field only if it has a name."""

    def __init__(self, frame: Any, fields: FieldNames) -> None:
        self.frame = frame
        self.fields = fields

    @property
    def stream(self) -> ArrowStream:
        """The rows as an Arrow table; pandas makes one, unless a column has values of several types."""
        if self._is_mixed():
            # pandas would take a number beside a date for microseconds, and a text beside bytes for bytes
            return collect(self._columns(), self.fields)
        try:
            return _core.Table.of_stream(self.frame)
        except (TypeError, ValueError, OverflowError, ImportError, NotImplementedError):
            return collect(self._columns(), self.fields)

    def _is_mixed(self) -> bool:
        """Return whether a text or the time has values of several types."""
        fields = (*self.fields.texts, self.fields.time)
        columns = [self.frame.iloc[:, at] for at, name in enumerate(self.frame.columns) if str(name) in fields]
        return any(
            values.dtype == object and pandas.api.types.infer_dtype(values, skipna=True).startswith("mixed")
            for values in columns
        )

    def _columns(self) -> list[tuple[str, list[Any]]]:
        """Return the columns and the named levels of the index as lists."""
        index = self.frame.index
        levels = [index.get_level_values(at) for at, name in enumerate(index.names) if name is not None]
        columns = [self.frame.iloc[:, at] for at in range(len(self.frame.columns))]
        return [(name, values.tolist()) for name, values in zip(self.names, columns + levels, strict=True)]

    @property
    def names(self) -> list[str]:
        """Names of its columns, and of the named levels of its index."""
        levels = (name for name in self.frame.index.names if name is not None)
        return list(map(str, (*self.frame.columns, *levels)))

    @property
    def count(self) -> int:
        """Number of its rows."""
        return len(self.frame)

    def take(self, kept: KeptRows) -> Any:
        """Return a DataFrame with the same columns and index, in either of which are the texts."""
        rows = self.frame.iloc[list(kept.rows)]
        if not kept.gaps:
            return rows
        rows = rows.copy()
        for name in rows.columns:
            if str(name) == kept.field:
                rows[name] = _replaced(rows[name], kept)
                return rows
        index = rows.index
        levels = [index.get_level_values(at) for at in range(index.nlevels)]
        at = list(map(str, index.names)).index(kept.field)
        levels[at] = pandas.Index(_replaced(levels[at].to_series(), kept))
        rows.index = pandas.MultiIndex.from_arrays(levels) if len(levels) > 1 else levels[at]
        return rows


class PandasTexts(TableForm):
    """A Series of texts."""

    def __init__(self, texts: Any, fields: FieldNames) -> None:
        self.texts = texts
        self.fields = fields

    @property
    def stream(self) -> ArrowStream:
        """A table whose only column has the texts."""
        return PandasFrame(self.texts.reset_index(drop=True).to_frame(self.fields.compared), self.fields).stream

    @property
    def is_column(self) -> bool:
        """Whether it is one column of texts."""
        return True

    @property
    def count(self) -> int:
        """Number of its rows."""
        return len(self.texts)

    def take(self, kept: KeptRows) -> Any:
        """Return a Series with the same index."""
        texts = self.texts.iloc[list(kept.rows)]
        return _replaced(texts, kept) if kept.gaps else texts


def form_of(given: Any, fields: FieldNames) -> TableForm | None:
    """Return the form of a value of pandas; None for other types."""
    if isinstance(given, pandas.DataFrame):
        return PandasFrame(given, fields)
    return PandasTexts(given, fields) if isinstance(given, pandas.Series) else None


def _replaced(texts: Any, kept: KeptRows) -> Any:
    """Return the new texts as a Series of the same type; those of categories become plain texts."""
    kind = object if isinstance(texts.dtype, pandas.CategoricalDtype) else texts.dtype
    return pandas.Series(kept.new_texts(texts.tolist()), index=texts.index, name=texts.name, dtype=kind)
