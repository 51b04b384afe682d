"""Rows of a label file, each with its place: JSON lines, CSV or Parquet."""

import json
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from os import PathLike
from typing import Any, NoReturn

from neardup import _core
from neardup.errors import DataError, UsageError
from neardup.inputs.sources import file_name, refuse_special

Row = Mapping[str, Any]
LabelRows = str | PathLike[str] | Iterable[Row]

SUFFIXES = ".jsonl, .ndjson, .csv and .tsv (each also compressed), and .parquet"
_COMPRESSIONS = (".gz", ".zst", ".bz2", ".xz", ".lz4")


def read_rows(truth: LabelRows, fields: Iterable[str]) -> Iterator[tuple[str, Row]]:
    """Return the rows of a file, or of a list of mappings, as (place, values).

    Numbers of JSON are `int` or `Decimal`, values of CSV `str`. Only `fields` are read from a Parquet file. Raises
    `DataError` for an invalid record, `UsageError` for a file of another kind.
    """
    if not isinstance(truth, str | PathLike):
        return ((f"label {number}", _mapping(number, row)) for number, row in enumerate(truth, 1))
    name = file_name(truth)
    refuse_special(name)
    stem, _, last = name.lower().rpartition(".")
    kind = stem.rpartition(".")[2] if f".{last}" in _COMPRESSIONS else last
    if kind in ("jsonl", "ndjson"):
        return _json_lines(name)
    if kind in ("csv", "tsv"):
        return _separated(name, "," if kind == "csv" else "\t")
    if name.lower().endswith(".parquet"):
        return _table(name, fields)
    raise UsageError(f"{name}: not a kind of file that labels are read from; there are {SUFFIXES}")


def _mapping(number: int, row: Row) -> Row:
    if not isinstance(row, Mapping):
        raise UsageError(f"label {number} is {type(row).__name__}: labels are a path, or mappings such as {{'a': ...}}")
    return row


def _json_lines(name: str) -> Iterator[tuple[str, Row]]:
    for number, line in enumerate(_core.unpack(name).removeprefix(b"\xef\xbb\xbf").split(b"\n"), 1):
        if not line.strip():
            continue
        place = f"{name}, line {number}"
        try:
            row = json.loads(line.decode(), parse_float=Decimal, parse_constant=_refuse_constant)
        except (ValueError, RecursionError) as error:
            raise DataError(f"{place}: not JSON: {error}") from None
        if not isinstance(row, dict):
            raise DataError(f"{place}: not a JSON object")
        yield place, row


def _refuse_constant(word: str) -> NoReturn:
    raise ValueError(f"{word} is no number")


def _separated(name: str, delimiter: str) -> Iterator[tuple[str, Row]]:
    import csv
    from io import StringIO

    content = _core.unpack(name)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise DataError(f"{name}, line {line}: not UTF-8") from None
    reader = csv.reader(StringIO(text, newline=""), delimiter=delimiter, strict=True)
    header: list[str] | None = None
    begin = 1
    try:
        for values in reader:
            place, begin = f"{name}, line {begin}", reader.line_num + 1
            if header is None:
                header = values
            elif len(values) == len(header):
                yield place, dict(zip(header, values, strict=True))
            elif values:
                raise DataError(f"{place}: {len(values)} fields, the header has {len(header)}")
    except csv.Error as error:
        raise DataError(f"{name}, line {begin}: not CSV: {error}") from None


def _table(name: str, fields: Iterable[str]) -> Iterator[tuple[str, Row]]:
    table = _core.read_table(name)
    columns = {field: table.column(field) for field in fields if field in table.column_names}
    for number in range(len(table)):
        yield f"{name}, row {number + 1}", {field: values[number] for field, values in columns.items()}
