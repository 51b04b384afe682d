"""Versions of pages, compared with a dictionary of all sweeps."""

from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from crawls import crawl
from following import follow
from neardup import DataError
from neardup.sweeps import SweepStore
from neardup.sweeps.addition import name_text
from neardup.sweeps.evidence import TextEvidence

WORDS = ["mole", "dune", "ferry", "kiln", "oven", "ash", "coin", "bread", "light", "wind"]
YEARS = range(2000, 2008)


def make_pages(random: Random) -> dict[str, str]:
    """Make pages of few URLs and few texts, some of them blank."""
    urls = random.sample([f"/{number}" for number in range(8)], random.randrange(1, 7))
    return {url: random.choice(["", *(f"{word} " * 12 + random.choice("ab") for word in WORDS[:3])]) for url in urls}


def check(store: SweepStore, sweeps: dict[str, dict[str, str]]) -> None:
    """Compare a store with the pages by date."""
    dates = sorted(sweeps)
    assert store.dates == dates
    named = {date: {url: name_text(text) for url, text in sweeps[date].items()} for date in dates}
    found = [(one.date, one.url, one.text) for one in store.sightings()]
    assert found == [(date, url, named[date][url]) for date in dates for url in sorted(named[date])]
    texts = {name_text(text): text for pages in sweeps.values() for text in pages.values()}
    evidence = TextEvidence(texts.__getitem__, store.scheme)
    followed = follow([named[date] for date in dates], evidence)
    for (steps, _), sweep in zip(followed, store._sightings.sweeps()[1:], strict=True):
        expected = [step for step in steps if step.kind != "same"]
        assert sorted(map(repr, store._sightings.steps(sweep))) == sorted(map(repr, expected))
    rows = store._connection.execute("SELECT page, since, until FROM version ORDER BY page, since").fetchall()
    times = {sweep.time for sweep in store._sightings.sweeps()}
    assert {since for _, since, _ in rows} <= times
    assert {until for *_, until in rows} <= {*times, 2**63 - 1}
    assert all(since < until for _, since, until in rows)
    assert all(one[0] != other[0] or one[2] <= other[1] for one, other in pairwise(rows))
    assert store._sightings.texts() == {name for pages in named.values() for name in pages.values()} - {None}


@pytest.mark.shows(4)
@pytest.mark.parametrize("seed", range(40))
def test_sweeps_are_added_replaced_and_removed_in_any_order(tmp_path: Path, seed: int) -> None:
    random = Random(seed)
    sweeps: dict[str, dict[str, str]] = {}
    with SweepStore.create(tmp_path / "store") as store:
        for _ in range(14):
            date = str(random.choice(YEARS))
            if date in sweeps and random.random() < 0.5:
                store.remove(date)
                del sweeps[date]
            else:
                # often the pages of another sweep, with few changes
                known = random.choice(list(sweeps.values())) if sweeps and random.random() < 0.7 else {}
                sweeps[date] = {**known, **dict(list(make_pages(random).items())[:2])} if known else make_pages(random)
                store.add(crawl(sweeps[date]), date, overwrite=True)
            check(store, sweeps)


def test_a_page_that_stays_the_same_has_one_version(tmp_path: Path) -> None:
    with SweepStore.create(tmp_path / "store") as store:
        for date in ("2003", "2001", "2005", "2004", "2002"):
            store.add(crawl({f"/{number}": f"page {number}" for number in range(50)}), date)
        store.add(crawl({f"/{number}": f"page {number}" for number in range(1, 50)}), "2004", overwrite=True)
        assert store._sightings.count("version") == 51
        store.remove("2004")
        store.add(crawl({f"/{number}": f"page {number}" for number in range(50)}), "2006")
        assert store._sightings.count("version") == 50


def test_a_sweep_is_removed_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sweeps = {"2001": {"/1": "a ferry"}, "2002": {"/2": "an oven"}, "2003": {"/1": "a ferry", "/3": "a kiln"}}
    with SweepStore.create(tmp_path / "store") as store:
        for date, pages in sweeps.items():
            store.add(crawl(pages), date)

        def fail(*_: object, **__: object) -> None:
            raise DataError("no evidence")

        with monkeypatch.context() as patch:
            patch.setattr("neardup.sweeps.addition.trace_pages", fail)
            with pytest.raises(DataError, match="no evidence"):
                store.remove("2002")
        check(store, sweeps)
        removed = store.remove("2002-01-01T00:00:00Z")
        assert (removed.date, removed.pages, removed.texts) == ("2002", 1, 1)
        assert removed.kinds is not None
        assert {kind: pages for kind, pages in removed.kinds.items() if pages} == {"same": 1, "new": 1}
        check(store, {date: sweeps[date] for date in ("2001", "2003")})
        assert {one.text for one in store._texts._index} == {"a ferry", "a kiln"}


def test_a_store_whose_sweeps_are_all_removed_keeps_its_scheme(tmp_path: Path) -> None:
    with SweepStore.create(tmp_path / "store", threshold="0.7") as store:
        scheme = store.scheme
        store.add(crawl({"/1": "a ferry"}), "2001")
        assert store.remove("2001").kinds is None
        assert store.list() == []
        assert [*map(store._sightings.count, ("sweep", "page", "text", "version", "step"))] == [0] * 5
        assert len(store._texts) == 0
        store.add(crawl({"/1": "a kiln"}), "2002")
        assert store.scheme == scheme
        check(store, {"2002": {"/1": "a kiln"}})
