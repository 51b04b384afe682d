"""Changes as a table in CSV."""

import csv
from collections.abc import Iterable, Iterator
from io import StringIO
from itertools import islice
from os import PathLike, fspath

from neardup import _core
from neardup.sweeps.changes import ListedStep

COLUMNS = ("from", "to", "kind", "old", "new", "resemblance", "remark")
_TOGETHER = 1000
"""Number of rows that are written at once."""


def list_values(change: ListedStep) -> tuple[str | float | None, ...]:
    """Return the values of a row, in the order of `COLUMNS`."""
    return change.start, change.end, change.kind, change.old, change.new, change.resemblance, change.remark


def write_csv(changes: Iterable[ListedStep]) -> Iterator[str]:
    """Yield the table in pieces, the names of its columns first. Lines end with a line feed."""
    yield _write_rows([COLUMNS])
    reading = iter(changes)
    while rows := list(islice(map(list_values, reading), _TOGETHER)):
        yield _write_rows(rows)


def write_table(changes: Iterable[ListedStep], output: str | PathLike[str], *, overwrite: bool = False) -> None:
    """Write the table to a file, which appears when it is complete.

    Raises `UsageError` if there is a file already and it is not to be replaced, `EnvironmentFault` if it cannot be
    written.
    """
    head = ",".join(COLUMNS)
    _core.write_output(fspath(output), write_csv(changes), "a table of sweep changes", head, overwrite)


def _write_rows(rows: Iterable[Iterable[object]]) -> str:
    text = StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()
