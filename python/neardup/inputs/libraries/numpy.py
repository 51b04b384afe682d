"""Arrays of numpy with one dimension."""

from typing import Any

import numpy

from neardup.errors import UsageError
from neardup.inputs.columns import collect
from neardup.inputs.document import ArrowStream
from neardup.inputs.form import FieldNames, KeptRows, TableForm


class TextArray(TableForm):
    """An array of texts or of objects, or one of records with named fields."""

    def __init__(self, values: Any, fields: FieldNames) -> None:
        self.values = values
        self.fields = fields

    @property
    def stream(self) -> ArrowStream:
        """The texts, or the fields of the records, as a table."""
        names = self.values.dtype.names
        if names is None:
            return collect({self.fields.compared: self.values.tolist()}, self.fields)
        return collect({name: self.values[name].tolist() for name in names}, self.fields)

    @property
    def is_column(self) -> bool:
        """Whether it is one of texts, and none of records."""
        return self.values.dtype.names is None

    @property
    def names(self) -> list[str]:
        """Names of the fields of records."""
        return list(self.values.dtype.names or ())

    @property
    def count(self) -> int:
        """Number of its rows."""
        return len(self.values)

    def take(self, kept: KeptRows) -> Any:
        """Return an array."""
        values = self.values[list(kept.rows)]
        if not kept.gaps:
            return values
        if values.dtype.names is None:
            return numpy.array(kept.new_texts(values.tolist()), dtype=self.values.dtype)
        values[kept.field] = kept.new_texts(values[kept.field].tolist())
        return values


def form_of(given: Any, fields: FieldNames) -> TableForm | None:
    """Return the form of an array of texts; None for other types, and for objects that are no texts."""
    if not isinstance(given, numpy.ndarray):
        return None
    if given.ndim != 1:
        raise UsageError(f"an array of {given.ndim} dimensions is no list of texts; give one of 1 dimension")
    is_texts = given.dtype.kind in "UT" or given.dtype.names is not None
    is_objects = given.dtype.kind == "O" and any(isinstance(value, str) for value in given)
    return TextArray(given, fields) if is_texts or is_objects else None
