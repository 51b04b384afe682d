"""Changes: the steps of all pages from sweep to sweep, in a span of dates."""

import json
import sqlite3
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from neardup.errors import UsageError
from neardup.sweeps.evidence import Overlap
from neardup.sweeps.kinds import KINDS, Kind
from neardup.sweeps.sightings import Sightings, Sweep

STORED = tuple(kind for kind in KINDS if kind != "same")
"""The kinds that are listed if none are asked for. Pages that stay the same have no row in the table of steps."""


class ListedStep(NamedTuple):
    """A step: what became of a page from the sweep of `start` to the next one, of `end`.

    `old_text` and `new_text` are the ids of both versions; None if the page was blank or not there.
    """

    start: str
    end: str
    kind: Kind
    old: str | None
    """URL before; None for a new page."""
    new: str | None
    """URL after; None for a page that is gone."""
    resemblance: float | None
    """Resemblance of both versions, for display: 1.0 if the text is the same, None without two texts."""
    remark: str | None
    """What the kind does not say, such as "merged into URL"."""
    overlap: Overlap | None
    """Exact counts of both versions, if the text changed."""
    old_text: str | None
    new_text: str | None


class StepCounts(NamedTuple):
    """Number of steps of each kind from the sweep of `start` to the next one, of `end`."""

    start: str
    end: str
    kinds: dict[Kind, int]


def read_kinds(kinds: str | Sequence[str]) -> tuple[Kind, ...]:
    """Return kinds in the order of `KINDS`: names, or several joined by commas; all that are stored if there are none.

    Raises `UsageError` for a name that is no kind.
    """
    names = [name.strip() for some in ([kinds] if isinstance(kinds, str) else kinds) for name in some.split(",")]
    for name in names:
        if name not in KINDS:
            raise UsageError(f'kind is "{name}"; it is one of {", ".join(KINDS)}, or several with commas between')
    return tuple(kind for kind in KINDS if kind in names) if names else STORED


class Changes:
    """The steps from the sweep of one time to that of another, through all sweeps between, as a database has them."""

    def __init__(self, connection: sqlite3.Connection, first: int, last: int, kinds: Sequence[Kind]) -> None:
        self._ask = connection.execute
        self.kinds = tuple(kinds)
        self.span = [sweep for sweep in Sightings(connection).sweeps() if first <= sweep.time <= last]
        """The sweeps, by date."""

    def rows(self, limit: int | None = None, offset: int = 0) -> Iterator[ListedStep]:
        """Yield the steps by date, and of one date by URL: at most `limit`, after the first `offset`."""
        rest = _ALL if limit is None else limit
        for start, end in pairwise(self.span):
            if offset and (count := sum(self._count(start, end).values())) <= offset:
                offset -= count
                continue
            for step in self._read(start, end, self.kinds, rest, offset):
                rest -= 1
                yield step
            offset = 0
            if not rest:
                return

    def first(self, interval: int, kind: Kind, limit: int) -> Iterator[ListedStep]:
        """Yield the first steps of one kind in an interval, which is given by its position."""
        start, end = self.span[interval : interval + 2]
        yield from self._read(start, end, (kind,), limit, 0)

    def counts(self) -> list[StepCounts]:
        """Count the steps of every kind, interval by interval."""
        return [StepCounts(start.date, end.date, self._count(start, end)) for start, end in pairwise(self.span)]

    def _read(self, start: Sweep, end: Sweep, kinds: Sequence[Kind], limit: int, offset: int) -> Iterator[ListedStep]:
        # steps are stored in the order of URLs
        query = f"{_STEPS} UNION ALL {_SAME} ORDER BY 1, 2" if "same" in kinds else f"{_STEPS} ORDER BY step.rowid"
        values = {"sweep": end.number, "start": start.time, "end": end.time, "kinds": json.dumps(kinds)}
        for row in self._ask(f"{query} LIMIT :limit OFFSET :offset", {**values, "limit": limit, "offset": offset}):
            yield _step(start, end, row)

    def _count(self, start: Sweep, end: Sweep) -> dict[Kind, int]:
        counts = Counter(
            dict(self._ask("SELECT kind, count(*) FROM step WHERE sweep = ? GROUP BY kind", (end.number,)))
        )
        if "same" in self.kinds:
            same = self._ask(f"SELECT count(*) FROM ({_BOTH})", {"start": start.time, "end": end.time})  # noqa: S608
            counts["same"] = int(same.fetchone()[0])
        return {kind: counts[kind] for kind in self.kinds}


_ALL = 2**63 - 1
"""A limit that no list reaches."""
_TEXT = """(SELECT id FROM version JOIN text ON text.number = text
    WHERE page = {page} AND since <= {time} AND until > {time})"""
_STEPS = f"""SELECT coalesce(new.url, old.url) AS url, kind, old.url, new.url, shared, left_size, right_size, remark,
    {_TEXT.format(page="old_page", time=":start")}, {_TEXT.format(page="new_page", time=":end")}
    FROM step LEFT JOIN page AS old ON old.number = old_page LEFT JOIN page AS new ON new.number = new_page
    WHERE sweep = :sweep AND kind IN (SELECT value FROM json_each(:kinds))"""  # noqa: S608 - names of ours
_BOTH = "SELECT page, text FROM version WHERE since <= :start AND until > :end"
"""The pages that have one text in both sweeps."""
_SAME = f"""SELECT url, 'same', url, url, NULL, NULL, NULL, NULL, id, id
    FROM ({_BOTH}) JOIN page ON page.number = page LEFT JOIN text ON text.number = text"""  # noqa: S608 - names of ours


def _step(start: Sweep, end: Sweep, row: tuple[Any, ...]) -> ListedStep:
    _, kind, old, new, *counts, remark, old_text, new_text = row
    overlap = None if None in counts else Overlap(*counts)
    same = 1.0 if old_text is not None and old_text == new_text else None
    resemblance = same if overlap is None else overlap.resemblance
    return ListedStep(start.date, end.date, kind, old, new, resemblance, remark, overlap, old_text, new_text)
