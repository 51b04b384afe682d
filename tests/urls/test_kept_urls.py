"""The kept pages of a collection: which page of a group is kept, and the files that are written."""

import gzip
import json
import random
import sqlite3
from pathlib import Path
from typing import Any

import pytest

import neardup
from command import Cli
from framed import Made, answer, warc_record
from neardup import _core
from neardup.urls import canonical_url, group_urls

HOSTS = ["http://a.example", "https://a.example", "http://b.example", "HTTP://A.example:80"]
PATHS = ["/", "/index.html", "/x", "/x?utm_id=1", "/x#top", "/y/../x", "/y"]


def draw_urls(seed: int, count: int = 60) -> list[str]:
    draw = random.Random(seed)
    return [draw.choice(HOSTS) + draw.choice(PATHS) for _ in range(count)]


def choose(urls: list[str], keep: str, beginnings: list[str]) -> set[int]:
    """Return the places of the kept URLs, by the definition of the policy."""
    groups: dict[str, list[int]] = {}
    for place, url in enumerate(urls):
        groups.setdefault(canonical_url(url), []).append(place)

    def rank(place: int) -> tuple[int, int, int]:
        url = urls[place]
        preference = min((n for n, one in enumerate(beginnings) if url.startswith(one)), default=len(beginnings))
        return preference, {"first": 0, "shortest": len(url), "longest": -len(url)}[keep], place

    return {min(places, key=rank) for places in groups.values()}


@pytest.mark.parametrize("keep", ["first", "shortest", "longest"])
@pytest.mark.parametrize("prefer", [None, "url^=HTTP,https://", "url^=https://a.example/x"])
@pytest.mark.parametrize(
    "kind", ["list.txt", "list.txt.gz", "list.TXT.xz", "list.txt.lz4", "pages.jsonl", "pages.csv", "pages.jsonl.gz"]
)
def test_one_of_each_group_is_kept(tmp_path: Path, keep: Any, prefer: str | None, kind: str) -> None:
    urls = draw_urls(len(kind))
    if "list" in kind:
        lines = [f"{url}\r\n" for url in urls]
    elif "csv" in kind:
        lines = [f'"{url}",{place}\n' for place, url in enumerate(urls)]
    else:
        lines = [json.dumps({"url": url, "n": place}) + "\n" for place, url in enumerate(urls)]
    head = "url,n\n" if "csv" in kind else "\n"
    data = (head + "".join(lines)).encode()
    path = tmp_path / kind
    _core.pack(str(path), data)
    found = group_urls(path, keep=keep, prefer=prefer, output=tmp_path / "out")
    beginnings = prefer.removeprefix("url^=").split(",") if prefer else []
    expected = choose(urls, keep, beginnings)
    kept = _core.unpack(str(tmp_path / "out/kept" / kind))
    assert kept.decode() == head + "".join(line for place, line in enumerate(lines) if place in expected)
    rows = [json.loads(line) for line in (tmp_path / "out/urls.jsonl").read_text(encoding="utf-8").splitlines()]
    assert {place for place, row in enumerate(rows) if row["kept"] == row["id"]} == expected
    assert found.summary["canonical"] == len(expected)
    assert found.summary["keep"] == keep
    assert {group.kept for group in found.groups} <= {rows[place]["id"] for place in expected}


def test_files_of_folders_keep_their_places(cli: Cli, tmp_path: Path) -> None:
    for place, urls in (
        ("a/part.jsonl", ["http://a.example/x"]),
        ("b/part.jsonl", ["http://a.example/x#1", "http://b.example"]),
    ):
        (tmp_path / place).parent.mkdir(exist_ok=True)
        (tmp_path / place).write_text("".join(f'{{"url": "{url}"}}\n' for url in urls), encoding="utf-8")
    out = tmp_path / "out"
    done = cli("urls", tmp_path / "a/part.jsonl", tmp_path / "b/part.jsonl", "-o", out, "--keep", "longest")
    assert "kept" in done.stdout
    assert (out / "kept/a/part.jsonl").read_bytes() == b""
    assert len((out / "kept/b/part.jsonl").read_text(encoding="utf-8").splitlines()) == 2


def test_pages_that_cannot_be_used_are_not_kept(tmp_path: Path) -> None:
    lines = ['{"url": "http://a.example/x"}', "broken", '{"url": "no url"}', '{"n": 1}', '{"url": "http://b.example/"}']
    (tmp_path / "a.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (tmp_path / "b.txt").write_bytes(b"http://c.example\n\xff\nmailto:x\n")
    paths = [tmp_path / "a.jsonl", tmp_path / "b.txt"]
    found = group_urls(paths, on_error="skip", output=tmp_path / "out")
    kept = (tmp_path / "out/kept/a.jsonl").read_text(encoding="utf-8").splitlines()
    assert kept == [lines[0], lines[4]]
    assert (tmp_path / "out/kept/b.txt").read_bytes() == b"http://c.example\n"
    assert found.summary["rejected"] == 5


def test_no_kept_files_without_files(tmp_path: Path) -> None:
    pages = [neardup.Document("", url=url) for url in ("http://a.example/x", "https://a.example/x")]
    found = group_urls(
        pages, rules=neardup.urls.UrlRules(merge_scheme=True), prefer="url^=https", output=tmp_path / "out"
    )
    assert (found.groups[0].first, found.groups[0].kept) == ("1", "2")
    assert not (tmp_path / "out/kept").exists()
    (tmp_path / "a.txt").write_text("http://a.example/x\n", encoding="utf-8")
    group_urls(tmp_path / "a.txt", output=tmp_path / "none", no_kept=True)
    assert not (tmp_path / "none/kept").exists()


def test_wrong_options(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("http://a.example/x\n", encoding="utf-8")
    for prefer in ("https://", "url^=", "host^=a"):
        assert "prefer" in cli("urls", tmp_path / "a.txt", "--prefer", prefer, code=2).stderr
    assert "standard input" in cli("urls", "-", "-o", tmp_path / "out", code=2).stderr
    assert "only dedup" in cli("urls", tmp_path / "a.txt", "-o", "-", code=2).stderr


@pytest.mark.parametrize("name", ["a.warc", "a.warc.gz"])
@pytest.mark.parametrize("together", [True, False])
def test_a_kept_revisit_keeps_its_response(name: str, together: bool, tmp_path: Path) -> None:
    text = b"the pilot boat went out at four and came back with the fog"
    response = warc_record("response", answer(text), 1)
    refers = f"WARC-Refers-To: <urn:uuid:{1:032}>\r\n"
    revisit = warc_record("revisit", answer(b""), 2, more=refers).replace(b"org/2\r\n", b"org/1?utm_id=7\r\n")
    other = warc_record("response", answer(b"another page"), 3)
    files = {name: [response, revisit, other]} if together else {name: [response, other], f"b{name}": [revisit]}
    for file, records in files.items():
        Made(file, records).write(tmp_path)
    paths = [tmp_path / file for file in files]
    keep: Any
    for keep, stays in (
        ("longest", files),
        ("first", {file: [r for r in files[file] if r != revisit] for file in files}),
    ):
        found = group_urls(paths, keep=keep, output=tmp_path / keep)
        for file, records in stays.items():
            kept = (tmp_path / keep / "kept" / file).read_bytes()
            kept = gzip.decompress(kept) if file.endswith("gz") else kept
            assert kept == b"".join(records)
        notes = ["1 dropped responses are in the kept files, because kept revisits refer to them"]
        assert found.summary["notes"] == (notes if keep == "longest" else [])


def test_preferred_urls_that_no_page_has_are_a_note(cli: Cli, tmp_path: Path) -> None:
    lines = tmp_path / "list.txt"
    lines.write_text("http://a.example/x\nhttps://b.example/\n", encoding="utf-8")
    prefer = ["url=https://b.example/,https", "url^=ftp://,http://a,http://a.example/x"]
    found = group_urls(lines, prefer=prefer, no_kept=True, output=tmp_path / "out")
    notes = [
        'no record has `https` in the field "url" (prefer)',
        'no record has a value that begins with `ftp://`, `http://a.example/x` in the field "url" (prefer)',
    ]
    assert found.summary["notes"] == notes
    assert json.loads((tmp_path / "out/run.json").read_text(encoding="utf-8"))["notes"] == notes
    assert group_urls(lines, prefer="url^=http").summary["notes"] == []
    for options in ([], ["-o", tmp_path / "o"]):
        shown = cli("urls", lines, "--prefer", "url^=ftp://", *options)
        assert "no record has a value that begins with `ftp://`" in " ".join((shown.stdout + shown.stderr).split())


def test_ranks_are_read_only_for_preferences(monkeypatch: pytest.MonkeyPatch) -> None:
    connect, statements = sqlite3.connect, list[str]()

    def traced(name: str) -> sqlite3.Connection:
        connection = connect(name)
        connection.set_trace_callback(statements.append)
        return connection

    monkeypatch.setattr(sqlite3, "connect", traced)
    for prefer in (None, "url^=https://"):
        statements.clear()
        group_urls([neardup.Document("", url="http://a.example/")], prefer=prefer)
        assert any("INSERT INTO page" in one for one in statements)
        assert any("DISTINCT preference" in one for one in statements) == (prefer is not None)
