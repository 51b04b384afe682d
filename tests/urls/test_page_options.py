"""The options that say how pages are read, for each verb over pages."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from neardup import DataError, UsageError, _core
from neardup.corpus.extractors import label_of
from neardup.options.option import Option
from neardup.options.reading import READING
from neardup.options.table import options_of
from neardup.sweeps import SweepStore
from neardup.urls import canonical_url, find_mirrors, group_urls

Verb = Callable[..., set[str]]
"""Runs a verb over pages with options; its results are in a folder. Returns the hosts of the pages that it read."""


def by_urls(pages: Path, folder: Path, **options: Any) -> set[str]:
    group_urls(pages, output=folder, **options)
    rows = (folder / "urls.jsonl").read_text(encoding="utf-8").splitlines()
    return {host_of(json.loads(row)["url"]) for row in rows}


def by_mirrors(pages: Path, folder: Path, **options: Any) -> set[str]:
    return {host.host for host in find_mirrors(pages, output=folder, least_paths=99, **options).too_small}


def by_sweep(pages: Path, folder: Path, **options: Any) -> set[str]:
    with SweepStore.create(folder, extractor=options.get("extractor")) as store:
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
    assert EVERY[verb](pages, tmp_path / "out", **{name: value}) == hosts
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
    more = {"main_content": True} if option.name == "extractor" else {}
    value: Any = True if option.is_flag else ["x"] if option.is_list else (option.choices or ("x",))[-1]
    monkeypatch.setattr(_core, "read", read)
    (tmp_path / "a.jsonl").write_text(page("http://a.example/"), encoding="utf-8")
    with pytest.raises(ReadError):
        EVERY[verb](tmp_path / "a.jsonl", tmp_path / "out", **more, **{option.name: value})
    assert given[option.name] == (label_of(value) if option.name == "extractor" else value)


@pytest.mark.parametrize("verb", ["urls", "mirrors"])
def test_patterns_choose_among_lists(verb: str, tmp_path: Path) -> None:
    for name in ("a.txt", "b.txt.gz", "old.txt", "c/d.txt", ".hidden.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        _core.pack(str(tmp_path / name), f"http://{Path(name).name.strip('.')[0]}.example/\n".encode())
    for pattern, options, hosts in (
        ("*.txt", {}, "ao"),
        ("*.txt", {"exclude": ["old*"]}, "a"),
        ("**/*.txt", {"exclude": ["old*", "c/**"]}, "a"),
        ("**/*.txt", {"include": ["{a,d}*"]}, "ad"),
        ("**/*.txt", {"include": ["c/*"]}, "d"),
        ("{a,old}.txt", {"include": ["a*"]}, "a"),
    ):
        assert EVERY[verb](tmp_path / pattern, tmp_path / "out", overwrite=True, **options) == {
            f"{host}.example" for host in hosts
        }
    with pytest.raises(DataError, match=r"\*\.txt: .*1 hidden file, 2 not included"):
        EVERY[verb](tmp_path / "*.txt", tmp_path / "other", include=["x"])


def test_lists_that_patterns_leave_out_are_counted_and_not_kept(tmp_path: Path) -> None:
    for name in ("a.txt", "b.txt", "c.txt"):
        (tmp_path / name).write_text(f"http://{name}/\nhttp://{name}/#x\n", encoding="utf-8")
    found = group_urls(tmp_path / "*.txt", include=["[ab]*"], exclude=["b*"], output=tmp_path / "out")
    files = found.summary["files"]
    assert (files["found"], files["read"], files["not_read"]) == (3, 1, 2)
    assert files["reasons"] == {"excluded": 1, "not included": 1}
    assert {Path(name).name for name in files["names"]} == {"b.txt", "c.txt"}
    assert [path.name for path in (tmp_path / "out/kept").iterdir()] == ["a.txt"]
    assert (tmp_path / "out/kept/a.txt").read_bytes() == b"http://a.txt/\n"


def test_a_list_beside_a_folder_is_read_whatever_is_chosen_in_the_folder(tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text("http://list.example/\n", encoding="utf-8")
    (tmp_path / "pages").mkdir()
    for name in "ab":
        (tmp_path / f"pages/{name}.jsonl").write_text(page(f"http://{name}.example/"), encoding="utf-8")
    found = group_urls([tmp_path / "list.txt", tmp_path / "pages"], include=["b*"], output=tmp_path / "out")
    assert found.summary["files"]["reasons"] == {"not included": 1}
    assert {path.name for path in (tmp_path / "out/kept").iterdir()} == {"list.txt", "b.jsonl"}


@pytest.mark.parametrize("verb", ["urls", "mirrors"])
def test_options_that_lists_cannot_heed_are_refused(verb: str, tmp_path: Path) -> None:
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text("http://a.example/\n", encoding="utf-8")
    inputs: Any = [tmp_path / "a.txt", tmp_path / "b.txt"]
    run: Any = {"urls": group_urls, "mirrors": find_mirrors}[verb]
    for option in options_of(verb):
        if option in READING and option.in_python and option.name not in ("encoding", "on_error"):
            value: Any = True if option.is_flag else ["*.txt"] if option.is_list else (option.choices or ("x",))[0]
            reason = "all files are named" if option.is_list else "nothing else"
            with pytest.raises(UsageError, match=f"^{option.name}.* {reason}.*leave {option.name} out"):
                run(inputs, **{option.name: value})
    run(inputs, encoding="latin1", on_error="skip")
    run([*inputs[1:], tmp_path / "*.txt"], exclude=["b.txt"])
