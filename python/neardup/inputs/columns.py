"""Columns of Python values as a table, with the rows that cannot be used."""

from collections.abc import Mapping, Sequence
from typing import Any

from neardup import _core
from neardup.allowed import show
from neardup.errors import DataError, UsageError
from neardup.inputs.form import FieldNames
from neardup.inputs.surrogates import NO_CHARACTER, replace_surrogates

_PLAIN = frozenset((str, bytes, bool, int, list, tuple, dict, type(None)))
"""Types whose values need no conversion."""


def collect(
    columns: Mapping[str, Sequence[Any]] | Sequence[tuple[str, Sequence[Any]]],
    fields: FieldNames,
    lacking: Mapping[str, Sequence[int]] | None = None,
) -> _core.Table:
    """Return columns of values as a table that the core reads.

    A value other than a text in a field of texts, or a record without a field, makes its row one that cannot be used:
    the core reports it with its reason, or skips it.

    Args:
        columns: Values by the name of their column, all of one length. NaN in a field of texts is a missing value.
        fields: The fields that the job reads.
        lacking: Rows from 0 whose record does not have a field that others have, by the field.

    Raises:
        DataError: A nested field of texts has values of other types, too.
    """
    pairs = list(columns.items()) if isinstance(columns, Mapping) else list(columns)
    reasons: dict[int, str] = {}
    for field, rows in (lacking or {}).items():
        names = ", ".join(name for name, _ in pairs)
        reasons |= dict.fromkeys(rows, f'there is no field "{field}"; the fields are {names}')
    there = {name for name, _ in pairs}
    # a field whose own name has the signs of a path or a sum comes first
    wanted = {part for field in fields.texts for part in ([field] if field in there else field.split("+"))}
    made: list[tuple[str, list[Any]]] = []
    for name, values in pairs:
        if name not in wanted:
            made.append((name, list(map(_plain, values))))
            continue
        texts = [None if is_missing(value) else value for value in values]
        for row, text in enumerate(texts):
            if text is not None and not isinstance(text, str):
                kind = type(text).__name__
                reason = f'the field "{name}" is {show(text)}, of type {kind}; allowed are texts (str) and None'
                reasons.setdefault(row, reason)
        made.append((name, texts))
    made = [(name, _times(values) if name == fields.time else values) for name, values in made]
    count = len(made[0][1]) if made else 0
    for name, values in made:
        if len(values) != count:
            raise UsageError(
                f'the column "{name}" has {len(values):,} values, and "{made[0][0]}" has {count:,}; the columns of a '
                "table have equal lengths"
            )
    try:
        table, odd = _table_of(made, reasons)
    except UnicodeEncodeError:
        for name, values in made:
            for row, text in replace_surrogates(values):
                if fields.has(name):
                    reasons.setdefault(row, f'the field "{name}" is {show(text)}, which is {NO_CHARACTER}')
        table, odd = _table_of(made, reasons)
    nested = {field.replace("[]", "") for field in wanted - there}
    for path, row, kind in odd:
        if path in nested:
            raise DataError(
                f'row {row + 1}: the field "{path}" has a value of type {kind}; allowed are texts (str) and None'
            )
    return table


def _table_of(
    made: list[tuple[str, list[Any]]], reasons: dict[int, str]
) -> tuple[_core.Table, list[tuple[str, int, str]]]:
    count = len(made[0][1]) if made else 0
    listed = [reasons.get(row) for row in range(count)] if reasons else None
    return _core.collect_columns([name for name, _ in made], [values for _, values in made], listed)


def _times(values: list[Any]) -> list[Any]:
    """Return times of one type: beside others, a number has a sign, so that it is seconds and never a year."""
    is_number = [isinstance(value, int | float) and not isinstance(value, bool) for value in values]
    if all(is_number[row] or value is None for row, value in enumerate(values)):
        return values
    return [f"{value:+}" if number else value for value, number in zip(values, is_number, strict=True)]


def is_missing(value: Any) -> bool:
    """Return whether a value is missing: None, NaN, or a value of pandas for that."""
    return (
        value is None or type(value).__name__ in ("NAType", "NaTType") or (isinstance(value, float) and value != value)
    )


def _plain(value: Any) -> Any:
    """Return the value of Python for a missing one, a number of numpy, or a time without a zone, which is UTC."""
    if type(value) in _PLAIN:
        return value
    if is_missing(value) or isinstance(value, float):
        return None if is_missing(value) else float(value)
    if hasattr(value, "year") and getattr(value, "tzinfo", value) is None:
        return f"{value.isoformat()}Z"
    return (
        value.item() if hasattr(value, "dtype") and hasattr(value, "item") and not hasattr(value, "__len__") else value
    )
