"""The story of a month of one site: a crawl, moves, soft 404s, revisits, copies, a search and a review."""

import json
from pathlib import Path
from typing import Any

import pytest

from command import Cli
from month import BLOG, DATES, place, write_month, write_text
from neardup.review.review import Review
from service_story import asking


@pytest.fixture(scope="module")
def crawls(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The WARC files of four weeks."""
    return write_month(tmp_path_factory.mktemp("crawls"))


def test_pages_are_followed_week_by_week(crawls: list[Path], tmp_path: Path, cli: Cli) -> None:
    store = tmp_path / "sweeps"
    added = [
        json.loads(cli("sweep", "add", store, path, "--date", date, "--main-content", "--json").stdout)
        for date, path in zip(DATES, crawls, strict=True)
    ]
    kinds = [{kind: count for kind, count in (one["kinds"] or {}).items() if count} for one in added]
    assert kinds == [
        {},
        {"same": 13, "changed": 1, "moved": 2, "replaced": 1},
        {"same": 12, "moved": 1, "gone": 3, "replaced": 5},
        # the stubs of two moves are not crawled any more
        {"same": 16, "new": 3, "gone": 2},
    ]
    listed = json.loads(cli("sweep", "changes", store, "--json").stdout)
    moves = {(one["end"], one["old"], one["new"]) for one in listed if one["kind"].startswith("moved")}
    assert moves == {
        (DATES[1], place("boats/1"), place("fleet/1")),
        (DATES[1], place("boats/2"), place("fleet/2")),
        (DATES[2], place("fleet/2"), place("ships/2")),
    }
    # through two moves, past two stubs
    assert _first(cli, "locate", store, place("boats/2")) == (place("ships/2"), DATES[3])
    assert _first(cli, "locate", store, place("boats/1")) == (place("fleet/1"), DATES[3])
    # its soft 404 is no place of the page
    assert _first(cli, "locate", store, place("boats/3")) == (place("ships/3"), DATES[3])
    assert {one["url"] for one in _ask(cli, "contacts", store, place("boats/2"))["found"]} == {
        place("boats/2"),
        place("fleet/2"),
        place("ships/2"),
    }
    visits = _ask(cli, "history", store, place("boats/8"))
    assert [one["kind"] for one in visits] == [None, "same", "same", "same"]


def _ask(cli: Cli, verb: str, *given: str | Path) -> Any:
    return json.loads(cli("sweep", verb, *given, "--json").stdout)


def _first(cli: Cli, verb: str, *given: str | Path) -> tuple[str, str]:
    first = _ask(cli, verb, *given)[0]
    return first["url"], first["date"]


@pytest.fixture(scope="module")
def gate(crawls: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A gate that admitted the pages of all weeks."""
    from command import run_neardup

    folder = tmp_path_factory.mktemp("gate") / "gate"
    run_neardup("gate", "create", folder, crawls[0], "--main-content")
    for path in crawls[1:]:
        assert run_neardup("gate", "check", folder, path, "--main-content", code=4).stdout
        run_neardup("gate", "admit", folder, path, "--main-content", code=4)
    return folder


def test_copies_are_found_as_they_arrive(gate: Path, cli: Cli) -> None:
    lines = cli("index", "documents", gate, "--json", "--host", "blog.example").stdout.splitlines()
    [copy] = map(json.loads, lines)
    assert (copy["url"], copy["verdict"], copy["rule"]) == (BLOG, "drop", "near")
    clusters = [json.loads(line) for line in cli("index", "clusters", gate, "--json").stdout.splitlines()]
    sizes = {one["url"]: one["size"] for one in clusters if one["leader"] == one["id"]}
    assert sizes[place("tides/2")] == 2


def test_pages_are_searched(gate: Path) -> None:
    with asking(gate) as client:

        def search(query: str) -> list[Any]:
            results: list[Any] = client.get("/api/search", params={"q": query}).json()["results"]
            return results

        [copy] = search(BLOG)
        [original] = search("notes tides/2")
        assert (copy["original"], copy["documents"]) == (original["id"], original["documents"]) == (original["id"], 2)
        assert original["url"] == place("tides/2")
        assert copy["difference"] == "10 of 96 words differ"
        # the text of a page as a reader copies it finds that page
        assert [one["url"] for one in search(write_text("boats/8"))] == [place("boats/8")]
        # the notice of the soft 404s is one result
        assert [one["documents"] for one in search("page not found menu")] == [3]


def test_pairs_are_reviewed(gate: Path, tmp_path: Path, cli: Cli) -> None:
    folder = tmp_path / "review"
    cli("review", "new", folder, gate / "index")
    review = Review.open(folder)
    while (pair := review.next_pair("kim")) is not None:
        # soft 404s of different pages are no duplicates
        is_notice = "not found" in pair.left.text
        cli("review", "label", folder, "--who", "kim", sent="n\nq\n" if is_notice else "y\nq\n")
    labels = [json.loads(line) for line in cli("review", "export", folder).stdout.splitlines()]
    assert sum(one["label"] for one in labels) == 3
    assert len(labels) == len(review.sample) == 6
    figures = json.loads(cli("review", "estimate", folder, "--json").stdout)
    assert figures["outlook"]["left"] == 0
    assert figures["estimate"]["precision"]["value"] == 0.5
