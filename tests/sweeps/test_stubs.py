"""Pages that leave stubs behind, followed over several sweeps."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from crawls import FERRY, LATER, LONG, OVEN, crawl
from neardup.sweeps import SweepStore

PLACES = [f"http://a.example/page/{number}" for number in range(4)]
WELCOME = "Welcome to the pages of the harbour, the mill and the bakery. Every page has a link to this one."
LOGIN = "Please sign in with your name and password. No account yet? Ask the office for one."


def note(url: str) -> str:
    return f"This page is at a new address, {url}, from now on."


def fill(folder: Path, sweeps: Iterable[dict[str, str]]) -> SweepStore:
    store = SweepStore.create(folder)
    for year, pages in enumerate(sweeps, 2000):
        store.add(crawl({**pages, "http://a.example/": WELCOME}), str(year))
    return store


def check(store: SweepStore, url: str, way: str, date: str, kinds: list[str | None]) -> None:
    """Every URL that the page had leads to `url`, and none is offered that has a stub."""
    for asked in {visit.url for visit in store.history(url)}:
        found = store.locate(asked)
        assert (found[0].url, found[0].date) == (url, date)
        assert found[0].way == ("stays" if asked == url else way)
        # the others are listed by the sweep that last had the page there
        assert [place.date for place in found[1:]] == sorted((place.date for place in found[1:]), reverse=True)
        assert not {place.date for place in found[1:]} & {date}
        assert [visit.kind for visit in store.history(asked)] == kinds
        current = [contact.url for contact in store.contacts(asked).found if contact.current]
        assert current == [url]


def test_a_chain_of_moves_leaves_stubs(tmp_path: Path) -> None:
    one, two, three, _ = PLACES
    sweeps = [
        {one: FERRY},
        {one: note(two), two: FERRY},
        {one: note(two), two: note(three), three: LATER},
        {one: note(three), two: note(three), three: LATER},
    ]
    with fill(tmp_path / "store", sweeps) as store:
        check(store, three, "moved+changed", "2003", [None, "moved", "moved+changed", "same"])
        assert [interval.stubs for interval in store.stats().intervals] == [1, 1, 1]
        assert (store.stats().lives, store.stats().ended) == (2, 0)
        # nobody holds the text of a stub
        assert store.contacts(text=note(two)).found == []


def test_a_page_returns_to_its_first_address(tmp_path: Path) -> None:
    one, two, *_ = PLACES
    sweeps = [{one: FERRY}, {one: note(two), two: FERRY}, {one: FERRY, two: note(one)}, {one: FERRY}]
    with fill(tmp_path / "store", sweeps) as store:
        check(store, one, "moved", "2003", [None, "moved", "moved", "same"])
        kinds = [interval.kinds for interval in store.stats().intervals]
        assert [(one["changed"], one["new"], one["gone"]) for one in kinds] == [(0, 0, 0), (0, 0, 0), (0, 0, 1)]


@pytest.mark.parametrize("left", ["nothing", "stub"])
def test_a_gap_between_two_moves(tmp_path: Path, left: str) -> None:
    one, two, three, _ = PLACES
    behind = {one: note(two)} if left == "stub" else {}
    sweeps = [{one: FERRY}, {**behind, two: FERRY}, dict(behind), {**behind, three: FERRY}]
    with fill(tmp_path / "store", sweeps) as store:
        for url in (one, two, three):
            assert [(visit.kind, visit.url) for visit in store.history(url)] == [
                (None, one),
                ("moved", two),
                ("gone", two),
                ("moved", three),
            ]
            assert store.locate(url)[0][:2] == (three, "2003")


def test_a_page_behind_a_login_comes_back(tmp_path: Path) -> None:
    pages = dict(zip(PLACES, (FERRY, OVEN, f"{OVEN} {OVEN[:40]}", LONG[:90]), strict=True))
    with fill(tmp_path / "store", [pages, dict.fromkeys(PLACES, LOGIN), pages]) as store:
        stats = store.stats()
        assert [interval.stubs for interval in stats.intervals] == [4, 0]
        assert [(one.kinds["gone"], one.kinds["replaced"], one.kinds["new"]) for one in stats.intervals] == [
            (4, 4, 0),
            (0, 0, 4),
        ]
        assert [visit.kind for visit in store.history(PLACES[0])] == [None, "gone", "new"]
        assert [(place.url, place.date, place.way) for place in store.locate(PLACES[0])] == [
            (PLACES[0], "2002", "stays")
        ]
        store.remove("2002")
        assert store.locate(PLACES[0])[0][1:3] == ("2000", "gone")


def test_another_page_replaces_one_that_moved(tmp_path: Path) -> None:
    one, two, *_ = PLACES
    long = f"{OVEN} " + " ".join(f"Loaf {number} is for day {number}." for number in range(40))
    with fill(tmp_path / "store", [{one: FERRY}, {one: long, two: FERRY}, {one: long, two: FERRY}]) as store:
        assert [(place.url, place.date, place.way) for place in store.locate(one)] == [
            (two, "2002", "moved"),
            (one, "2002", "replaced"),
        ]
        assert store.stats().intervals[0].stubs == 0
        assert store.stats().lives == 3


def test_pages_that_exchange_their_addresses(tmp_path: Path) -> None:
    one, two, *_ = PLACES
    with fill(tmp_path / "store", [{one: FERRY, two: OVEN}, {one: OVEN, two: FERRY}]) as store:
        assert store.locate(one)[0][:3] == (two, "2001", "moved")
        assert store.locate(two)[0][:3] == (one, "2001", "moved")
