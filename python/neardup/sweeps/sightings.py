"""Sightings: which page held which text in which sweep, and how it changed since the previous sweep."""

import json
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from neardup.corpus.pointers import Pointer
from neardup.sweeps.database import OPEN
from neardup.sweeps.evidence import Overlap
from neardup.sweeps.kinds import STUB, Kind, PageStep
from neardup.urls.spellings import spell_url


class Sweep(NamedTuple):
    """One sweep: its number in the store, its time in Unix seconds, and its date as it was given."""

    number: int
    time: int
    date: str


class SweepSize(NamedTuple):
    """The date of a sweep as it was given, and its size."""

    date: str
    time: int
    """The date in Unix seconds."""
    pages: int
    blank: int
    """Number of pages without text."""
    texts: int
    """Number of distinct texts."""
    bytes: int
    """Number of bytes of UTF-8 of these texts, each counted once."""


class Holding(NamedTuple):
    """A page that held a text, and the first and the last sweep in which it did, as positions in the order of dates."""

    url: str
    text: str
    first: int
    last: int


class Sightings:
    """Queries and changes of the tables of a database of sweeps."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._ask = connection.execute
        self._fill = connection.executemany

    def sweeps(self) -> list[Sweep]:
        """List the sweeps by date."""
        return [Sweep._make(row) for row in self._ask("SELECT number, time, date FROM sweep ORDER BY time")]

    def later(self, sweep: Sweep) -> list[Sweep]:
        """List the sweeps after a sweep, by date."""
        return [one for one in self.sweeps() if one.time > sweep.time]

    def neighbours(self, sweep: Sweep) -> tuple[Sweep | None, Sweep | None]:
        """Return the sweeps before and after a sweep; None where there is none."""
        sweeps = self.sweeps()
        at = sweeps.index(sweep)
        return sweeps[at - 1] if at else None, sweeps[at + 1] if at + 1 < len(sweeps) else None

    def pages(self, sweep: Sweep) -> dict[str, str | None]:
        """Return the pages of a sweep: URL -> id of its text, None for a blank page."""
        query = """SELECT url, id FROM sighting JOIN page ON page.number = page LEFT JOIN text ON text.number = text
            WHERE sweep = ?"""
        return dict(self._ask(query, (sweep.number,)))

    def sizes(self) -> list[SweepSize]:
        """Measure the sweeps, by date."""
        query = """SELECT count(*), count(*) - count(text),
            (SELECT count(*) FROM text WHERE number IN (SELECT text FROM sighting WHERE sweep = :sweep)),
            (SELECT total(size) FROM text WHERE number IN (SELECT text FROM sighting WHERE sweep = :sweep))
            FROM sighting WHERE sweep = :sweep"""
        rows = ((sweep, self._ask(query, {"sweep": sweep.number}).fetchone()) for sweep in self.sweeps())
        return [SweepSize(sweep.date, sweep.time, *map(int, counts)) for sweep, counts in rows]

    def unmeasured(self) -> list[str]:
        """Return the ids of texts whose size is not known."""
        return [row[0] for row in self._ask("SELECT id FROM text WHERE size IS NULL")]

    def measure(self, sizes: Iterable[tuple[str, int]]) -> None:
        """Write the sizes of texts, in bytes of UTF-8."""
        self._fill("UPDATE text SET size = ?2 WHERE id = ?1", sizes)

    def count_pages(self, sweep: Sweep) -> int:
        """Count the pages of a sweep."""
        return int(self._ask("SELECT count(*) FROM sighting WHERE sweep = ?", (sweep.number,)).fetchone()[0])

    def differing(self, sweep: Sweep) -> tuple[dict[str, str | None], dict[str, str | None]]:
        """Return the pages of the sweep before and of this one, without those that are the same in both."""
        query = """SELECT url, id FROM version JOIN page ON page.number = page LEFT JOIN text ON text.number = text
            WHERE {side} = :time AND NOT EXISTS (
                SELECT 1 FROM version AS other
                WHERE other.page = version.page AND other.{other} = :time AND other.text IS version.text
            )"""
        sides = (query.format(side="until", other="since"), query.format(side="since", other="until"))
        old, new = (dict(self._ask(side, {"time": sweep.time})) for side in sides)
        return old, new

    def beside(self, sweep: Sweep, urls: Iterable[str], count: int) -> Iterator[tuple[str, str]]:
        """Yield pages of a sweep, as URL and id of the text: the `count` pages that follow each URL in order."""
        query = """SELECT url, id FROM page JOIN version ON page = page.number JOIN text ON text.number = text
            WHERE url > ? AND since <= ? AND ? < until ORDER BY url LIMIT ?"""
        for url in urls:
            yield from self._ask(query, (url, sweep.time, sweep.time, count))

    def stubs(self, sweep: Sweep) -> set[str]:
        """Return the URLs whose texts are stubs in the sweep before this one, and are not the same in this one."""
        query = f"SELECT url FROM version JOIN page ON page.number = page WHERE until = ? AND {_IS_STUB}"  # noqa: S608 - words of ours
        return {row[0] for row in self._ask(query, (sweep.time,))}

    def pointers(self, sweep: Sweep) -> dict[str, Pointer]:
        """Return where URLs pointed in a sweep."""
        rows = self._ask("SELECT url, target, how FROM pointer WHERE sweep = ?", (sweep.number,))
        return {url: Pointer(target, how) for url, target, how in rows}

    def put_pointers(self, sweep: Sweep, pointers: Mapping[str, Pointer]) -> None:
        """Write where URLs point in a sweep."""
        rows = ((sweep.number, url, *pointer) for url, pointer in pointers.items())
        self._fill("INSERT INTO pointer VALUES (?, ?, ?, ?)", rows)

    def captured(self, keys: Sequence[int]) -> str | None:
        """Return the id of the text of a record or a payload; None if no key is known."""
        query = """SELECT text.id FROM json_each(?) AS asked JOIN capture ON capture.key = asked.value
            JOIN text ON text.number = capture.text ORDER BY asked.key LIMIT 1"""
        row = self._ask(query, (json.dumps(list(keys)),)).fetchone()
        return None if row is None else str(row[0])

    def text_before(self, url: str, time: int) -> tuple[str | None] | None:
        """Return the id of the text of a URL in the last sweep before a time; None if that does not have the URL."""
        query = """SELECT id FROM page JOIN version ON page = page.number LEFT JOIN text ON text.number = text
            WHERE url = :url AND since < :time AND until > (SELECT max(time) FROM sweep WHERE time < :time)"""
        row = self._ask(query, {"url": url, "time": time}).fetchone()
        return None if row is None else (row[0],)

    def texts(self) -> set[str]:
        """Return the ids of all texts."""
        return {row[0] for row in self._ask("SELECT id FROM text")}

    def named(self, texts: Collection[str]) -> set[str]:
        """Return the texts among `texts` that a sweep refers to."""
        query = "SELECT id FROM text WHERE id IN (SELECT value FROM json_each(?))"
        return {row[0] for row in self._ask(query, (json.dumps(sorted(texts)),))}

    def count(self, table: str) -> int:
        """Count the rows of a table."""
        return int(self._ask(f"SELECT count(*) FROM {table}").fetchone()[0])  # noqa: S608 - a name of ours

    def steps(self, sweep: Sweep) -> Iterator[PageStep]:
        """Yield the steps of pages from the previous sweep to this one, except for pages that stayed the same."""
        yield from map(_step, self._ask(f"{_STEPS} WHERE sweep = ?", (sweep.number,)))

    def texts_by_sweep(self, url: str) -> dict[int, str | None]:
        """Return the sweeps that contain a URL: number of the sweep -> id of the text, None for a blank page."""
        query = """SELECT sweep, id FROM page JOIN sighting ON page = page.number LEFT JOIN text ON text.number = text
            WHERE url = ?"""
        return dict(self._ask(query, (url,)))

    def find_url(self, url: str) -> str:
        """Return the first spelling of a URL that a sweep has; the URL as it is if there is none."""
        query = "SELECT 1 FROM page JOIN version ON page = page.number WHERE url = ? LIMIT 1"
        return next((one for one in spell_url(url) if self._ask(query, (one,)).fetchone()), url)

    def steps_of(self, url: str) -> list[tuple[int, PageStep]]:
        """Return the steps from or to a URL, each with the number of its sweep."""
        query = " UNION ".join(f"{_STEPS} WHERE {side}.url = :url" for side in ("old", "new"))
        return [(row[0], _step(row)) for row in self._ask(query, {"url": url})]

    def holdings(self, texts: Collection[str]) -> list[Holding]:
        """List the pages that held one of the texts in any sweep, except stubs."""
        query = f"""WITH place (time, at) AS (SELECT time, row_number() OVER (ORDER BY time) - 1 FROM sweep)
            SELECT url, id, min(at), max(at) FROM text JOIN version ON text = text.number
            JOIN page ON page.number = page JOIN place ON since <= time AND time < until
            WHERE id IN (SELECT value FROM json_each(?)) AND NOT {_IS_STUB} GROUP BY page, text ORDER BY url, id"""  # noqa: S608 - words of ours
        return [Holding._make(row) for row in self._ask(query, (json.dumps(sorted(texts)),))]

    def add_sweep(self, time: int, date: str) -> Sweep:
        """Add a sweep without pages."""
        number = self._ask("INSERT INTO sweep (time, date) VALUES (?, ?) RETURNING number", (time, date)).fetchone()[0]
        return Sweep(number, time, date)

    def join_versions(self, time: int) -> None:
        """Make one version of two that meet at a time and have one text."""
        self._ask(
            """UPDATE version SET until = next.until FROM version AS next
            WHERE version.until = :time AND next.since = :time AND next.page = version.page
                AND next.text IS version.text""",
            {"time": time},
        )
        self._ask(
            """DELETE FROM version WHERE since = :time AND EXISTS (
                SELECT 1 FROM version AS other
                WHERE other.page = version.page AND other.since < :time AND other.until > :time
            )""",
            {"time": time},
        )

    def put_steps(self, sweep: Sweep, steps: Iterable[PageStep]) -> None:
        """Replace the steps of a sweep."""
        self._ask("DELETE FROM step WHERE sweep = ?", (sweep.number,))
        query = """INSERT INTO step VALUES (?, ?, (SELECT number FROM page WHERE url = ?),
            (SELECT number FROM page WHERE url = ?), ?, ?, ?, ?)"""
        rows = (
            (sweep.number, step.kind, step.old, step.new, *(step.overlap or (None, None, None)), step.remark)
            for step in steps
            if step.kind != "same"
        )
        self._fill(query, rows)

    def remove_sweep(self, sweep: Sweep) -> None:
        """Remove a sweep, the steps to it and from it, and the URLs and texts that occur in no other sweep."""
        _, after = self.neighbours(sweep)
        times = {"time": sweep.time, "later": OPEN if after is None else after.time}
        self._ask("DELETE FROM version WHERE since = :time AND until = :later", times)
        self._ask("UPDATE version SET since = :later WHERE since = :time", times)
        self._ask("UPDATE version SET until = :later WHERE until = :time", times)
        self.join_versions(times["later"])
        for one in (sweep, after):
            if one is not None:
                self.put_steps(one, [])
        self._ask("DELETE FROM pointer WHERE sweep = ?", (sweep.number,))
        self._ask("DELETE FROM sweep WHERE number = ?", (sweep.number,))
        self._ask("DELETE FROM text WHERE number NOT IN (SELECT text FROM version WHERE text IS NOT NULL)")
        for table in ("capture", "extraction"):
            self._ask(f"DELETE FROM {table} WHERE text NOT IN (SELECT number FROM text)")  # noqa: S608 - a name of ours
        self._ask("DELETE FROM page WHERE number NOT IN (SELECT page FROM version)")


_IS_STUB = f"""EXISTS (
    SELECT 1 FROM step JOIN sweep ON sweep.number = step.sweep
    WHERE new_page = version.page AND time = version.since AND remark = '{STUB}'
)"""  # noqa: S608 - a word of ours
"""Whether a version is a stub: the step to it says so."""
_STEPS = """SELECT sweep, kind, old.url AS old_url, new.url AS new_url, shared, left_size, right_size, remark
    FROM step
    LEFT JOIN page AS old ON old.number = old_page LEFT JOIN page AS new ON new.number = new_page"""


def _step(
    row: tuple[int, Kind, str | None, str | None, int | None, int | None, int | None, str | None],
) -> PageStep:
    _, kind, old, new, shared, left_size, right_size, remark = row
    if shared is None or left_size is None or right_size is None:
        return PageStep(kind, old, new, None, remark)
    return PageStep(kind, old, new, Overlap(shared, left_size, right_size), remark)
