"""The options that say how pages are read, for each verb over pages."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from neardup import _core
from neardup.options.option import Option
from neardup.options.reading import READING
from neardup.options.table import options_of
from neardup.sweeps import SweepStore
from neardup.urls import canonical_url, find_mirrors, group_urls

Verb = Callable[..., set[str]]
"""Runs a verb over pages with options, and returns the hosts of the pages that it read."""


def by_urls(pages: Path, **options: Any) -> set[str]:
    group_urls(pages, output=pages.parent / "out", **options)
    rows = (pages.parent / "out/urls.jsonl").read_text(encoding="utf-8").splitlines()
    return {host_of(json.loads(row)["url"]) for row in rows}


def by_mirrors(pages: Path, **options: Any) -> set[str]:
    return {host.host for host in find_mirrors(pages, least_paths=99, **options).too_small}


def by_sweep(pages: Path, **options: Any) -> set[str]:
    with SweepStore.create(pages.parent / "store") as store:
        store.add(pages, "2020", **options)
        return {host_of(one.url) for one in store.sightings()}


def host_of(url: str) -> str:
    return urlsplit(canonical_url(url)).netloc


EVERY = {"urls": by_urls, "mirrors": by_mirrors, "sweep add": by_sweep}


def page(url: str, text: str = "the pilot went out in the fog") -> str:
    return json.dumps({"url": url, "text": text}, ensure_ascii=False) + "\n"


TWICE = page("http://b.example/") + page("http://B.example:80/")
CASES: dict[str, tuple[Any, dict[str, bytes], set[str], dict[str, bytes]]] = {
    "csv": (
        "delimiter=~",
        {"a.csv": b"url~text\nhttp://a.example/~fog, and more\nHTTP://a.example/~fog\nhttp://b.example/~sun\n"},
        {"a.example", "b.example"},
        {"a.csv": b"url~text\nhttp://a.example/~fog, and more\nhttp://b.example/~sun\n"},
    ),
    "encoding": (
        "windows-1251",
        {"a.jsonl": (page("http://маяк.example/", "туман") + page("http://МАЯК.example/", "туман")).encode("cp1251")},
        {"xn--80aue1f.example"},
        {"a.jsonl": page("http://маяк.example/", "туман").encode("cp1251")},
    ),
    "include": (
        ["b*"],
        {"a.jsonl": page("http://a.example/").encode(), "b.jsonl": TWICE.encode()},
        {"b.example"},
        {"b.jsonl": page("http://b.example/").encode()},
    ),
    "exclude": (
        ["a*", "c*"],
        {"a.jsonl": b"broken\n", "b.jsonl": TWICE.encode(), "c.txt": b"no record\n"},
        {"b.example"},
        {"b.jsonl": page("http://b.example/").encode()},
    ),
}
"""A value of each option, the files of a folder, the hosts that are read with it, and the files that `urls` keeps."""


@pytest.mark.shows
@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("verb", EVERY)
def test_pages_are_read_as_the_option_says(verb: str, name: str, tmp_path: Path) -> None:
    value, files, hosts, kept = CASES[name]
    pages = tmp_path / "pages"
    pages.mkdir()
    for file, content in files.items():
        (pages / file).write_bytes(content)
    assert EVERY[verb](pages, **{name: value}) == hosts
    if verb == "urls":
        folder = tmp_path / "out/kept"
        assert {path.name: path.read_bytes() for path in folder.iterdir()} == kept


def read_options() -> list[tuple[str, Option]]:
    return [(verb, option) for verb in EVERY for option in options_of(verb) if option in READING and option.in_python]


@pytest.mark.parametrize(("verb", "option"), read_options(), ids=lambda one: getattr(one, "name", one))
def test_each_option_of_reading_reaches_the_core(
    verb: str, option: Option, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class ReadError(Exception):
        pass

    def read(inputs: Any, options: dict[str, Any], url_is_default: bool) -> None:
        given.update(options)
        raise ReadError

    given: dict[str, Any] = {}
    value: Any = True if option.is_flag else ["x"] if option.is_list else (option.choices or ("x",))[-1]
    monkeypatch.setattr(_core, "read", read)
    (tmp_path / "a.jsonl").write_text(page("http://a.example/"), encoding="utf-8")
    with pytest.raises(ReadError):
        EVERY[verb](tmp_path / "a.jsonl", **{option.name: value})
    assert given[option.name] == value
