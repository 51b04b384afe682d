"""Databases of sweeps: those of older formats are upgraded, and nothing in them is lost."""

import sqlite3
from pathlib import Path
from random import Random

import pytest

from crawls import FERRY, LATER, OVEN, crawl
from neardup.errors import DataError
from neardup.sweeps import SweepStore
from neardup.sweeps.addition import name_text
from neardup.sweeps.database import FORMAT, create_database, open_database

SCHEMA_1 = """
CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE sweep (number INTEGER PRIMARY KEY, time INTEGER NOT NULL UNIQUE, date TEXT NOT NULL);
CREATE TABLE page (number INTEGER PRIMARY KEY, url TEXT NOT NULL UNIQUE, server TEXT NOT NULL);
CREATE TABLE text (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE);
CREATE TABLE sighting (
    sweep INTEGER NOT NULL REFERENCES sweep,
    page INTEGER NOT NULL REFERENCES page,
    text INTEGER REFERENCES text,
    PRIMARY KEY (sweep, page)
) WITHOUT ROWID;
CREATE INDEX sighting_page ON sighting (page, sweep, text);
CREATE INDEX sighting_text ON sighting (text, sweep, page);
CREATE TABLE step (
    sweep INTEGER NOT NULL REFERENCES sweep,
    kind TEXT NOT NULL,
    old_page INTEGER REFERENCES page,
    new_page INTEGER REFERENCES page,
    shared INTEGER,
    left_size INTEGER,
    right_size INTEGER
);
CREATE INDEX step_sweep ON step (sweep);
CREATE INDEX step_old ON step (old_page, sweep);
CREATE INDEX step_new ON step (new_page, sweep);
"""
TABLES = {
    "setting": ("name", "value"),
    "sweep": ("number", "time", "date"),
    "page": ("number", "url", "server"),
    "text": ("number", "id"),
    "sighting": ("sweep", "page", "text"),
    "step": ("sweep", "kind", "old_page", "new_page", "shared", "left_size", "right_size"),
}
"""Columns of the tables of format 1."""


def copy_as_format_1(path: Path) -> None:
    """Replace a database by one of format 1 with the same rows."""
    older = path.with_suffix(".older")
    with sqlite3.connect(path) as source:
        # all changes are in the file itself
        source.execute("PRAGMA journal_mode = DELETE")
        rows = {
            name: source.execute(f"SELECT {', '.join(columns)} FROM {name}").fetchall()
            for name, columns in TABLES.items()
        }
    source.close()
    with sqlite3.connect(older) as target:
        target.executescript(SCHEMA_1)
        for name, columns in TABLES.items():
            target.executemany(f"INSERT INTO {name} VALUES ({', '.join('?' * len(columns))})", rows[name])
        target.execute("PRAGMA user_version = 1")
    target.close()
    older.replace(path)


def read_schema(path: Path) -> dict[str, list[tuple[object, ...]]]:
    """Return the columns and indexes of every table."""
    with sqlite3.connect(path) as connection:
        names = [name for (name,) in connection.execute("SELECT name FROM sqlite_master ORDER BY name")]
        schema = {name: connection.execute(f"PRAGMA table_xinfo({name})").fetchall() for name in names}
    connection.close()
    return schema


def test_a_store_of_format_1_is_upgraded(tmp_path: Path) -> None:
    path = tmp_path / "store" / "sweeps.sqlite"
    with SweepStore.create(tmp_path / "store") as store:
        store.add(crawl({"/1": FERRY, "/2": OVEN}), "2020")
        store.add(crawl({"/1": LATER, "/3": OVEN}), "2021")
        answers = store.stats(), store.history("/1"), store.locate("/2"), list(store.sightings())
    copy_as_format_1(path)
    for _ in range(2):
        with SweepStore(tmp_path / "store") as store:
            assert (store.stats(), store.history("/1"), store.locate("/2"), list(store.sightings())) == answers
    with SweepStore(tmp_path / "store") as store:
        assert store.add(crawl({"/1": LATER}), "2022").kinds == dict(
            zip(
                ("same", "changed", "moved", "moved+changed", "new", "gone", "replaced"),
                (1, 0, 0, 0, 0, 1, 0),
                strict=True,
            )
        )


@pytest.mark.parametrize("seed", range(3))
def test_sightings_become_versions(tmp_path: Path, seed: int) -> None:
    random = Random(seed)
    dates = random.sample(["2020", "2021", "2022", "2023", "2024"], 5)
    with SweepStore.create(tmp_path / "store") as store:
        for date in dates:
            urls = random.sample(["/1", "/2", "/3", "/4"], 3)
            store.add(crawl({url: random.choice([FERRY, OVEN, LATER, ""]) for url in urls}), date)
        seen, sizes = list(store.sightings()), store.list()
        store.remove(dates[0])
        left = list(store.sightings()), store.stats()
    with SweepStore.create(tmp_path / "older") as store:
        texts = {name_text(text): text for text in (FERRY, OVEN, LATER)}
        for date in dates:
            store.add(crawl({one.url: texts.get(one.text, "") for one in seen if one.date == date}), date)
        versions = store._sightings.count("version")
    copy_as_format_1(tmp_path / "older" / "sweeps.sqlite")
    with SweepStore(tmp_path / "older") as store:
        assert (list(store.sightings()), store.list()) == (seen, sizes)
        # a run of equal rows is one version, wherever its sweeps were added
        assert store._sightings.count("version") <= versions
        store.remove(dates[0])
        assert (list(store.sightings()), store.stats()) == left


def test_an_upgraded_database_has_the_schema_of_a_new_one(tmp_path: Path) -> None:
    for name in ("new", "old"):
        create_database(tmp_path / name, {})
    copy_as_format_1(tmp_path / "old")
    open_database(tmp_path / "old").close()
    assert read_schema(tmp_path / "old") == read_schema(tmp_path / "new")


def test_a_database_of_a_newer_format_is_refused(tmp_path: Path) -> None:
    create_database(tmp_path / "database", {})
    with sqlite3.connect(tmp_path / "database") as connection:
        connection.execute(f"PRAGMA user_version = {FORMAT + 1}")
    connection.close()
    with pytest.raises(DataError, match=f"its format is {FORMAT + 1}, this neardup reads {FORMAT}"):
        open_database(tmp_path / "database")
