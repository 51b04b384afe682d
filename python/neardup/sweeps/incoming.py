"""The pages of a sweep while it is added, in temporary tables: only what is new about them leaves the database."""

import sqlite3
from collections.abc import Iterable, Iterator, Mapping

from neardup.inputs.document import Document
from neardup.sweeps.database import OPEN
from neardup.sweeps.extractions import Extraction
from neardup.sweeps.moves import name_page
from neardup.sweeps.sightings import Sweep

_TABLES = """
CREATE TEMP TABLE IF NOT EXISTS arrival (url TEXT PRIMARY KEY, id TEXT) WITHOUT ROWID;
CREATE TEMP TABLE IF NOT EXISTS noted (key INTEGER PRIMARY KEY, id TEXT);
CREATE TEMP TABLE IF NOT EXISTS extracted (digest BLOB, id TEXT, flaw TEXT);
CREATE TEMP TABLE IF NOT EXISTS incoming (page INTEGER PRIMARY KEY, text INTEGER);
"""


class Incoming:
    """The pages that were read so far. Of several pages with one URL the first counts."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._ask = connection.execute
        self._fill = connection.executemany
        for statement in filter(str.strip, _TABLES.split(";")):
            self._ask(statement)
        for table in ("incoming", "noted", "extracted"):
            self._ask(f"DELETE FROM {table}")  # noqa: S608 - a name of ours

    def note(self, captures: Iterable[tuple[int, str]], extractions: Iterable[Extraction]) -> None:
        """Note the keys of records and payloads, and the pages of HTML, with the ids of their texts.

        The texts may be added later.
        """
        self._fill("INSERT OR REPLACE INTO noted VALUES (?, ?)", captures)
        self._fill("INSERT INTO extracted VALUES (?, ?, ?)", extractions)

    def add(self, pages: Mapping[str, Document | None]) -> list[Document]:
        """Add pages: URL -> text with its id, None for a blank page. Returns the texts that no sweep has."""
        texts = {str(text.id): text for text in pages.values() if text is not None}
        self._ask("DELETE FROM arrival")
        self._fill("INSERT INTO arrival VALUES (?, ?)", ((url, text and text.id) for url, text in pages.items()))
        self._fill("INSERT INTO page (url, server) VALUES (?, ?)", list(self._new_urls()))
        new = [texts[name] for name in self._new_texts()]
        self._fill("INSERT INTO text (id, size) VALUES (?, ?)", ((one.id, len(one.text.encode())) for one in new))
        self._ask(
            """INSERT OR IGNORE INTO incoming SELECT page.number, text.number
            FROM arrival JOIN page USING (url) LEFT JOIN text USING (id)"""
        )
        return new

    def _new_urls(self) -> Iterator[tuple[str, str]]:
        """Yield each URL that no sweep has, with its server."""
        query = "SELECT url FROM arrival LEFT JOIN page USING (url) WHERE number IS NULL"
        return ((url, name_page(url).server) for (url,) in self._ask(query))

    def _new_texts(self) -> list[str]:
        """Return the ids of texts that no sweep has, of pages that were not read before."""
        query = """SELECT DISTINCT id FROM arrival JOIN page USING (url) LEFT JOIN text USING (id)
            WHERE id IS NOT NULL AND text.number IS NULL AND page.number NOT IN (SELECT page FROM incoming)"""
        return [row[0] for row in self._ask(query)]

    def count(self) -> tuple[int, int]:
        """Return the number of pages, and how many of them are blank."""
        pages, texts = self._ask("SELECT count(*), count(text) FROM incoming").fetchone()
        return int(pages), int(pages) - int(texts)

    def settle(self, sweep: Sweep, after: Sweep | None) -> None:
        """Make these the pages of a sweep, in front of the next sweep `after`.

        A version that other pages or texts interrupt ends here, and begins again at the next sweep.
        """
        end = OPEN if after is None else after.time
        times = {"time": sweep.time, "end": end}
        # in the order of pages, which no index has
        self._ask(
            """INSERT INTO version SELECT page, :end, until, text FROM version NOT INDEXED
            WHERE since < :time AND until > :end AND NOT EXISTS (
                SELECT 1 FROM incoming WHERE incoming.page = version.page AND incoming.text IS version.text
            )""",
            times,
        )
        self._ask(
            """UPDATE version NOT INDEXED SET until = :time
            WHERE since < :time AND until > :time AND NOT EXISTS (
                SELECT 1 FROM incoming WHERE incoming.page = version.page AND incoming.text IS version.text
            )""",
            times,
        )
        # a page that has its text in the next sweep, too, has one version from here on
        self._ask(
            """UPDATE version SET since = :time WHERE since = :end AND EXISTS (
                SELECT 1 FROM incoming WHERE incoming.page = version.page AND incoming.text IS version.text
            ) AND NOT EXISTS (
                SELECT 1 FROM version AS other
                WHERE other.page = version.page AND other.since <= :time AND other.until > :time
            )""",
            times,
        )
        self._ask(
            """INSERT INTO version SELECT page, :time, :end, text FROM incoming WHERE NOT EXISTS (
                SELECT 1 FROM version
                WHERE version.page = incoming.page AND since <= :time AND until > :time
            )""",
            times,
        )
        self._ask("INSERT OR REPLACE INTO capture SELECT key, text.number FROM noted JOIN text USING (id)")
        # in the order of digests, so that the table is written from front to back
        self._ask(
            """INSERT OR IGNORE INTO extraction
            SELECT digest, text.number, flaw FROM extracted JOIN text USING (id) ORDER BY digest"""
        )
        self._ask("DELETE FROM incoming")
