"""Unchanged pages of HTML are not extracted again, and nothing else depends on it."""

from pathlib import Path
from random import Random
from typing import Any

import pytest

import neardup.corpus.markup
from crawls import FERRY, OVEN
from framed import Made, answer, warc_record
from neardup.corpus.extractors import Extracted
from neardup.corpus.markup import extract_texts
from neardup.sweeps import SweepStore
from neardup.sweeps.extractions import Extractions
from records import write_records

PAGE = "<title>{}</title><nav><a href='/'>Home</a></nav><main><p>{}</p></main>"
WORDS = ["mole", "dune", "ferry", "kiln", "oven", "ash", "coin", "bread", "light", "wind"]


@pytest.fixture
def extracted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the pages that are extracted."""
    pages: list[str] = []

    def extract(some: list[str], extractor: str | None = None) -> list[Extracted]:
        pages.extend(some)
        return extract_texts(some, extractor)

    monkeypatch.setattr(neardup.corpus.markup, "extract_texts", extract)
    return pages


def write_pages(path: Path, pages: dict[str, str]) -> Path:
    write_records(path, [{"url": url, "html": html} for url, html in pages.items()])
    return path


def state_of(store: SweepStore) -> list[Any]:
    steps = [list(map(repr, store._sightings.steps(sweep))) for sweep in store._sightings.sweeps()]
    return [list(store.sightings()), steps, store.list(), sorted(one.text for one in store._texts._index)]


def draw_page(random: Random) -> str:
    """Draw a page of few, some of them blank, in another frame, or nested too deep."""
    title, word = random.choice("ab"), random.choice(WORDS[:4])
    if random.random() < 0.2:
        return PAGE.format(title, "")
    deep = "<div>" * 501 if random.random() < 0.1 else ""
    return deep + PAGE.format(title, f"{word} " * 12 + random.choice(WORDS))


@pytest.mark.shows(1)
@pytest.mark.parametrize("seed", range(8))
def test_a_store_is_the_same_as_one_that_extracts_every_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    random = Random(seed)
    pages: dict[str, str] = {}
    with SweepStore.create(tmp_path / "store") as store, SweepStore.create(tmp_path / "other") as other:
        for _ in range(10):
            date = str(random.randrange(2000, 2006))
            if date in store.dates and random.random() < 0.4:
                assert store.remove(date) == other.remove(date)
                continue
            pages = dict(random.sample(sorted(pages.items()), len(pages) // 2))
            pages |= {f"http://site.example/{random.randrange(12)}": draw_page(random) for _ in range(8)}
            path = write_pages(tmp_path / "pages.jsonl", pages)
            options: Any = {"html_field": "html", "overwrite": True}
            if random.random() < 0.3:
                options["main_content"] = True
            added = store.add(path, date, **options)
            with monkeypatch.context() as patch:
                patch.setattr(Extractions, "recall", lambda _, extract, __: extract)
                assert other.add(path, date, **options) == added
            assert state_of(store) == state_of(other)


def test_only_pages_that_changed_are_extracted(tmp_path: Path, extracted: list[str]) -> None:
    pages = {f"/{number}": PAGE.format(number, f"{FERRY} {number}") for number in range(50)}
    with SweepStore.create(tmp_path / "store") as store:
        store.add(write_pages(tmp_path / "1.jsonl", pages), "2001", html_field="html")
        assert len(extracted) == 50
        # at another URL, a page is known, too; in another frame it is not
        later = {**pages, "/0": PAGE.format(0, OVEN), "/50": pages["/1"], "/2": PAGE.format("new", f"{FERRY} 2")}
        extracted.clear()
        added = store.add(write_pages(tmp_path / "2.jsonl", later), "2002", html_field="html")
        assert extracted == [later["/0"], later["/2"]]
        assert (added.new_texts, added.kinds and added.kinds["same"]) == (1, 49)
        # all sweeps are searched, not only the one before
        extracted.clear()
        store.add(tmp_path / "1.jsonl", "2003", html_field="html")
        assert extracted == []


def test_pages_are_extracted_again_by_another_extractor_or_version(
    tmp_path: Path, extracted: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = write_pages(tmp_path / "pages.jsonl", {"/1": PAGE.format("a", FERRY)})
    with SweepStore.create(tmp_path / "store") as store:
        store.add(pages, "2001", html_field="html")
        store.add(pages, "2002", html_field="html", main_content=True)
        assert len(extracted) == 2
        store.add(pages, "2003", html_field="html", main_content=True)
        store.add(pages, "2004", html_field="html")
        assert len(extracted) == 2
        monkeypatch.setattr("neardup.corpus.extractors.__version__", "1000")
        store.add(pages, "2005", html_field="html")
        assert len(extracted) == 3


def test_pages_whose_texts_are_removed_are_forgotten(tmp_path: Path, extracted: list[str]) -> None:
    old, new = {"/1": PAGE.format("a", FERRY), "/2": PAGE.format("a", OVEN)}, {"/2": PAGE.format("a", OVEN)}
    with SweepStore.create(tmp_path / "store") as store:
        for date, pages in (("2001", old), ("2002", new)):
            store.add(write_pages(tmp_path / f"{date}.jsonl", pages), date, html_field="html")
        store.remove("2001")
        assert store._sightings.count("extraction") == 1
        # a sweep that replaces one with the same pages knows them
        store.add(tmp_path / "2002.jsonl", "2002", html_field="html", overwrite=True)
        assert (len(extracted), store._sightings.count("extraction")) == (2, 1)
        store.add(tmp_path / "2001.jsonl", "2003", html_field="html")
        assert extracted[2:] == [old["/1"]]


def test_blank_and_rejected_pages_are_read_each_time(tmp_path: Path, extracted: list[str]) -> None:
    blank, page = "<title></title><p> </p>", PAGE.format("a", FERRY)
    path = tmp_path / "pages.jsonl"
    write_records(path, [{"url": "/1", "html": blank}, {"url": "/2", "html": 3}, {"url": "/3", "html": page}])
    with SweepStore.create(tmp_path / "store") as store:
        for date, pages in (("2001", [blank, page]), ("2002", [blank])):
            extracted.clear()
            added = store.add(path, date, html_field="html", on_error="skip")
            assert (added.pages, added.blank, len(added.rejects), extracted) == (2, 1, 1, pages)


@pytest.mark.parametrize("main_content", [False, True])
def test_folders_of_pages_and_web_archives_know_pages_of_each_other(
    tmp_path: Path, extracted: list[str], main_content: bool
) -> None:
    head = "<head><link rel=canonical href='/other'></head>"
    page = head + PAGE.format("a", FERRY)
    body = answer(page.encode(), kind="text/html")
    archive = Made("pages.warc", [warc_record("response", body, number) for number in range(3)]).write(tmp_path)
    with SweepStore.create(tmp_path / "store") as store:
        added = store.add(archive, "2001", main_content=main_content)
        assert (added.pages, added.pointers, len(extracted)) == (3, 3, 3)
        extracted.clear()
        again = store.add(archive, "2002", main_content=main_content)
        assert (again.pages, again.pointers, again.records, extracted) == (3, 3, added.records, [])
        rows = write_pages(tmp_path / "pages.jsonl", {"http://example.org/0": page})
        store.add(rows, "2003", html_field="html", main_content=main_content)
        assert extracted == []
