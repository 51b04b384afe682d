"""Selections: which of the documents of an index are listed."""

from collections.abc import Collection, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from neardup._core import Table, parse_time
from neardup.errors import UsageError


class Selection(NamedTuple):
    """Conditions on documents; None admits all."""

    min_size: int | None = None
    """Smallest number of documents of the group or cluster."""
    max_size: int | None = None
    """Largest number of them."""
    since: str | None = None
    """First time: a date-time or a date."""
    until: str | None = None
    """Last time; a date includes all of its day, month or year."""
    host: str | None = None
    """Host of the URL."""

    @property
    def is_of_documents(self) -> bool:
        """Whether there are conditions on single documents."""
        return (self.since, self.until, self.host) != (None, None, None)

    def rows(self, table: Table, size: str) -> list[int]:
        """Return the rows, from 0, of the documents of which all conditions hold; `size` names the column of sizes.

        A document without a time meets no condition on the time. `UsageError` for a time that is none.
        """
        first, end = _bounds(self.since, self.until)
        host = None if self.host is None else self.host.lower()
        columns = zip(*(table.column(name) for name in (size, "date", "host")), strict=True)
        return [
            row
            for row, (count, date, own) in enumerate(columns)
            if (self.min_size is None or count >= self.min_size)
            and (self.max_size is None or count <= self.max_size)
            and (host is None or own == host)
            and (first is end is None or _is_between(date, first, end))
        ]


def select_documents(table: Table, selection: Selection) -> Table:
    """Return the decisions on the documents that are selected."""
    return table.take(selection.rows(table, "group_size"))


def select_clusters(table: Table, selection: Selection) -> Table:
    """Return the clusters of which at least one document is selected, with all of their documents."""
    rows = selection.rows(table, "size")
    if selection.is_of_documents:
        rows = _rows_of(table.column("cluster"), rows)
    return table.take(rows)


def _rows_of(clusters: Sequence[Any], rows: Collection[int]) -> list[int]:
    selected = {clusters[row] for row in rows}
    return [row for row, cluster in enumerate(clusters) if cluster in selected]


def _bounds(since: str | None, until: str | None) -> tuple[int | None, int | None]:
    """Return the first moment, and the first one that is too late."""
    first = None if since is None else parse_time(since)
    end = None if until is None else _end_of(until)
    if first is not None and end is not None and first >= end:
        raise UsageError(f"the time from {since} to {until} is empty; name the earlier one first")
    return first, end


_DAYS = {4: 366, 7: 31, 10: 1}
"""Number of days of which each lies in the period after a year, a month or a day, by the length of its name."""


def _end_of(until: str) -> int:
    """Return the first second after a time, or after a year, a month or a day."""
    start, days = parse_time(until), _DAYS.get(len(until), 0)
    if not days:
        return start + 1
    try:
        after = datetime.fromtimestamp(start, UTC) + timedelta(days)
    except OverflowError:
        return start + days * 86_400
    return int(after.replace(month=1 if days > 31 else after.month, day=1 if days > 1 else after.day).timestamp())


def _is_between(date: str | None, first: int | None, end: int | None) -> bool:
    if date is None:
        return False
    moment = parse_time(date)
    return (first is None or moment >= first) and (end is None or moment < end)
