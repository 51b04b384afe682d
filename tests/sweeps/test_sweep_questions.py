"""Queries of a store of sweeps: where a page is, its history, the pages that contain a text, and lifetimes."""

import json

import pytest

import neardup
from crawls import FERRY, LATER, LONG, OVEN, crawl
from neardup import DataError, UsageError
from neardup.sweeps import SweepStore
from neardup.sweeps.kinds import KINDS


def test_lives(sweep_store: SweepStore) -> None:
    sweep_store.add(crawl({"http://a/1": FERRY, "http://a/2": OVEN}), "2020-01-01")
    sweep_store.add(crawl({"http://b/1": FERRY, "http://a/3": "Three short words."}), "2020-01-11")
    sweep_store.add(crawl({"http://b/1": LATER, "http://a/3": "Three short words."}), "2020-01-31")
    sweep_store.add(crawl({"http://b/1": LATER, "http://a/2": OVEN}), "2020-02-10")
    stats = sweep_store.stats()
    assert [tuple(one.kinds.values()) for one in stats.intervals] == [
        (0, 0, 1, 0, 1, 1, 0),
        (1, 1, 0, 0, 0, 0, 0),
        (1, 0, 0, 0, 1, 1, 0),
    ]
    assert [(one.within, one.between, one.days) for one in stats.intervals] == [(0, 1, 10), (0, 0, 20), (0, 0, 10)]
    assert [cohort.alive for cohort in stats.cohorts] == [[2, 1, 1, 1], [1, 1, 0], [0, 0], [1]]
    assert (stats.lives, stats.ended, stats.lifetime) == (4, 2, 20)
    assert stats.changes == {0: 1, 1: 1}
    resemblance = neardup.explain(FERRY, LATER).resemblance
    assert resemblance
    assert stats.intervals[1].resemblance == pytest.approx(resemblance, abs=1e-6)
    assert stats.intervals[1].amount[int(resemblance * 10)] == 1
    assert json.loads(stats.json)["intervals"][0]["kinds"] == dict(zip(KINDS, (0, 0, 1, 0, 1, 1, 0), strict=True))


def test_a_median_is_between_two_values(sweep_store: SweepStore) -> None:
    for day, urls in (("01", "/"), ("02", "/ab"), ("03", "/ab"), ("07", "/b"), ("08", "/")):
        sweep_store.add(crawl({url: f"{url} has this text" for url in urls}), f"2020-01-{day}")
    assert sweep_store.stats().lifetime == 3


def test_moved_pages_are_located(sweep_store: SweepStore) -> None:
    sweep_store.add(crawl({"http://a/ferry.html": FERRY, "http://a/oven.html": OVEN}), "2020")
    sweep_store.add(crawl({"http://a/ferry.html": LATER, "http://b/oven.html": OVEN}), "2021")
    sweep_store.add(crawl({"http://b/ships/ferry.html": LATER, "http://c/bread": OVEN, "http://c/copy": FERRY}), "2022")
    sweep_store.add(crawl({"http://c/bread": OVEN, "http://c/copy": FERRY}), "2023")
    found = sweep_store.locate("http://a/ferry.html")
    assert [(one.url, one.date, one.way) for one in found] == [
        ("http://c/copy", "2023", "near"),
        ("http://b/ships/ferry.html", "2022", "moved"),
        ("http://a/ferry.html", "2021", "identical"),
    ]
    # five of 16 shingles contain the month
    assert [tuple(one.overlap or ()) for one in found] == [(11, 16, 16), (16, 16, 16), (16, 16, 16)]
    assert [(one.url, one.date, one.way) for one in sweep_store.locate("http://a/oven.html")] == [
        ("http://c/bread", "2023", "moved"),
        ("http://b/oven.html", "2021", "identical"),
        ("http://a/oven.html", "2020", "identical"),
    ]
    assert sweep_store.locate("http://c/copy")[0].way == "stays"
    assert [(one.date, one.kind, one.url) for one in sweep_store.history("http://b/ships/ferry.html")] == [
        ("2020", None, "http://a/ferry.html"),
        ("2021", "changed", "http://a/ferry.html"),
        ("2022", "moved", "http://b/ships/ferry.html"),
        ("2023", "gone", "http://b/ships/ferry.html"),
    ]
    assert sweep_store.history("http://a/ferry.html") == sweep_store.history("http://b/ships/ferry.html")
    with pytest.raises(DataError, match="no sweep of this store saw http://nowhere/"):
        sweep_store.locate("http://nowhere/")
    with pytest.raises(DataError, match="no sweep of this store saw"):
        sweep_store.history("")


def test_a_page_that_reappears(sweep_store: SweepStore) -> None:
    sweeps = [
        {"/x": FERRY, "/z": OVEN},
        {"/z": OVEN},
        {"/z": OVEN},
        {"/x": FERRY, "/z": ""},
        {"/x": FERRY, "/z": " \n"},
    ]
    for year, pages in enumerate(sweeps):
        sweep_store.add(crawl(pages), str(2000 + year))
    assert [(one.date, one.kind) for one in sweep_store.history("/x")] == [
        ("2000", None),
        ("2001", "gone"),
        ("2003", "new"),
        ("2004", "same"),
    ]
    assert [(one.date, one.kind) for one in sweep_store.history("/z")][2:] == [
        ("2002", "same"),
        ("2003", "changed"),
        ("2004", "same"),
    ]
    # a blank page is identified by its URL only
    assert [(one.url, one.way, one.overlap) for one in sweep_store.locate("/z")] == [("/z", "stays", None)]
    assert sweep_store.contacts("/z").found == []
    assert sweep_store.contacts(text=" \u3000") == ([], False)


def test_another_page_at_the_url(sweep_store: SweepStore) -> None:
    # the URL of a page that moved is reused for a new page; that page disappears, and a third page moves to the URL
    for year, pages in enumerate(
        [
            {"/a": FERRY, "/c": LONG},
            {"/b": FERRY, "/c": LONG},
            {"/b": FERRY, "/a": OVEN, "/c": LONG},
            {"/b": FERRY, "/c": LONG},
            {"/b": FERRY, "/a": LONG},
        ],
        2000,
    ):
        sweep_store.add(crawl(pages), str(year))
    assert [(one.kind, one.url) for one in sweep_store.history("/a")] == [
        (None, "/c"),
        *[("same", "/c")] * 3,
        ("moved", "/a"),
    ]
    assert [(one.kind, one.url) for one in sweep_store.history("/b")] == [
        (None, "/a"),
        ("moved", "/b"),
        *[("same", "/b")] * 3,
    ]
    # a page that ended at a URL which another page uses now is gone
    sweep_store.add(crawl({"/old": OVEN, "/b": FERRY}), "1990")
    sweep_store.add(crawl({"/a": OVEN, "/b": FERRY}), "1991")
    sweep_store.add(crawl({"/b": FERRY}), "1992")
    sweep_store.add(crawl({"/b": FERRY, "/c": LONG}), "1993")
    sweep_store.add(crawl({"/b": FERRY, "/a": LONG}), "1994")
    assert [(one.date, one.kind, one.url) for one in sweep_store.history("/old")] == [
        ("1990", None, "/old"),
        ("1991", "moved", "/a"),
        ("1992", "gone", "/a"),
    ]
    # a URL is listed once, on its newest date
    assert [(one.url, one.date, one.way) for one in sweep_store.locate("/old")] == [
        ("/a", "2002", "identical"),
        ("/old", "1990", "identical"),
    ]


def test_contacts(sweep_store: SweepStore) -> None:
    part = " ".join(FERRY.split()[:10])
    sweep_store.add(crawl({"/walk": LONG, "/ferry": FERRY, "/part": part, "/oven": OVEN}), "2020")
    sweep_store.add(crawl({"/walk": LONG, "/ferry": LATER, "/copy": FERRY, "/shout": FERRY.upper()}), "2021")
    rows = [(one.url, one.holds, one.first, one.last, one.current) for one in sweep_store.contacts(text=FERRY).found]
    assert rows == [
        ("/copy", "identical", "2021", "2021", True),
        ("/shout", "changed", "2021", "2021", True),
        ("/ferry", "changed", "2021", "2021", True),
        ("/walk", "whole", "2020", "2021", True),
        ("/ferry", "identical", "2020", "2020", False),
        ("/part", "part", "2020", "2020", False),
    ]
    assert sweep_store.contacts("/copy") == sweep_store.contacts(text=FERRY)
    [walk] = [one for one in sweep_store.contacts(text=FERRY).found if one.url == "/walk"]
    assert (walk.overlap.left_in_right, walk.overlap.shared, sweep_store.text(walk.text)) == (1.0, 16, LONG)
    assert [one.url for one in sweep_store.contacts(text=FERRY, threshold=1).found if one.holds == "part"] == ["/part"]
    assert [
        one.holds for one in sweep_store.contacts(text="A text that nobody has ever put on any page at all.").found
    ] == []
    for given in ({}, {"url": "/copy", "text": FERRY}):
        with pytest.raises(UsageError, match="one of them"):
            sweep_store.contacts(**given)
    for wrong in ("2", 0, "half", "1/0"):
        with pytest.raises(UsageError, match="threshold is"):
            sweep_store.contacts("/copy", threshold=wrong)


def test_a_url_is_found_in_another_spelling(sweep_store: SweepStore) -> None:
    pages = {"https://a.example/x": FERRY, "https://a.example/x/": OVEN, "https://b.example/Y?q=1": LONG}
    sweep_store.add(crawl(pages), "2020")
    for asked, found in (
        ("https://A.example/x#top", "https://a.example/x"),
        ("http://a.example/x/", "https://a.example/x/"),
        ("b.example/Y/?q=1", "https://b.example/Y?q=1"),
    ):
        assert sweep_store.locate(asked)[0].url == found
        assert sweep_store.history(asked) == sweep_store.history(found)
        assert sweep_store.contacts(asked) == sweep_store.contacts(found)
    # the path and the query are as they are written
    for asked in ("https://b.example/y?q=1", "https://b.example/Y?q=2", "https://c.example/x"):
        with pytest.raises(DataError, match="no sweep of this store saw"):
            sweep_store.locate(asked)
