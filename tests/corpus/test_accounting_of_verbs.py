"""Every verb that reads inputs counts and reports the files and records that it does not read."""

import json
from pathlib import Path
from typing import Any

import pytest

import neardup
from command import Cli
from framed import warc_record, warc_records
from neardup import Document, UsageError
from neardup.urls import find_mirrors, group_urls

FERRY = "the ferry leaves the quay at noon and the gulls follow it over the bay to the islands"
FILES = {"found": 4, "read": 2, "not_read": 2, "reasons": {"no suffix": 1, "unknown suffix .xyz": 1}}
KINDS = {"request record": 3, "status 404": 1, "warcinfo record": 1}
READ = 5
"""Number of documents: three whole ones of the archive, one with a truncated body, and one line."""


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """Make a folder with an archive, a file of lines, and two files that are not read."""
    folder = tmp_path / "corpus"
    folder.mkdir()
    away = b"HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\n\r\n<p>gone"
    cut = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 500\r\n\r\n<p>" + FERRY.encode()
    more = [warc_record("response", body, 50 + number) for number, body in enumerate((away, cut))]
    (folder / "a.warc").write_bytes(b"".join([*(record for record, _ in warc_records()), *more]))
    line = {"text": f"{FERRY} again", "url": "http://h/ferry"}
    (folder / "b.jsonl").write_text(json.dumps(line) + "\n")
    (folder / "c.xyz").write_text("none of ours")
    (folder / "README").write_text("none of ours")
    return folder


def check(described: dict[str, Any]) -> None:
    files, records = described["files"], described["records"]
    assert {name: files[name] for name in FILES} == FILES
    assert (records["read"], records["passed_over"], records["kinds"]) == (READ, sum(KINDS.values()), KINDS)
    assert records["found"] == records["read"] + records["rejected"] + records["passed_over"]
    assert sum(records["flaws"].values()) == 1


def named(name: str) -> dict[str, Any]:
    return {name: "zz"}


COMMANDS: dict[str, list[str]] = {
    "dedup": ["dedup", "CORPUS", "-o", "OUT"],
    "cluster": ["cluster", "CORPUS", "-o", "OUT"],
    "pairs": ["pairs", "CORPUS", "-o", "OUT"],
    "passages": ["passages", "CORPUS", "-o", "OUT", "--no-kept"],
    "sketch": ["sketch", "CORPUS", "-o", "OUT", "--scheme", "tianwang"],
    "lexicon": ["lexicon", "CORPUS", "-o", "OUT.parquet"],
    "urls": ["urls", "CORPUS"],
    "mirrors": ["mirrors", "CORPUS"],
    "index create": ["index", "create", "OUT", "CORPUS"],
    "index add": ["index", "add", "INDEX", "CORPUS"],
    "sweep add": ["sweep", "add", "OUT", "CORPUS", "--date", "2026-01-02"],
}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_reports_what_it_did_not_read(name: str, corpus: Path, tmp_path: Path, cli: Cli) -> None:
    places = {"CORPUS": corpus, "OUT": tmp_path / "out", "OUT.parquet": tmp_path / "out.parquet"}
    places["INDEX"] = tmp_path / "index"
    if name == "index add":
        neardup.Index.create(places["INDEX"])
    command = [str(places.get(word, word)) for word in COMMANDS[name]]
    done = cli(*command)
    for words in ("files not read", "2 of 4: 1 no suffix, 1 unknown suffix .xyz", "passed over", "flawed"):
        assert words in done.stdout + done.stderr
    for path in ("out", "out.parquet"):
        (tmp_path / path).rename(tmp_path / f"first-{path}") if (tmp_path / path).exists() else None
    if name == "index add":
        (tmp_path / "index").rename(tmp_path / "first")
        neardup.Index.create(places["INDEX"])
    check(json.loads(cli(*command, "--json").stdout))


def test_reading(corpus: Path) -> None:
    reading = neardup.read(corpus)
    assert len(list(reading)) == READ
    check(reading.account._asdict())
    first = neardup.read(corpus / "b.jsonl")
    assert [one.text for one in first] == [f"{FERRY} again"]
    assert (first.account.files["read"], first.account.records["read"]) == (1, 1)


def test_a_list_of_results_and_texts_by_id(corpus: Path, cli: Cli) -> None:
    assert "note: files not read: 2 of 4" in cli("fold", corpus, "--json").stderr
    done = cli("explain", "nobody", "b.jsonl:1", "--in", corpus, code=1)
    assert "note: files not read: 2 of 4" in done.stderr


def test_labels(corpus: Path, tmp_path: Path, cli: Cli) -> None:
    truth = tmp_path / "truth.jsonl"
    names = [str(document.id) for document in neardup.read(corpus)]
    truth.write_text(json.dumps({"a": names[0], "b": names[1], "label": 1}) + "\n")
    command = ("evaluate", truth, corpus, "--id-field", "")
    check(json.loads(cli(*command, "--json").stdout))
    assert "note: files not read: 2 of 4" in cli(*command).stderr


@pytest.mark.parametrize("name", ["url_field", "time_field"])
def test_a_field_that_no_record_has(name: str, tmp_path: Path) -> None:
    lines = tmp_path / "a.jsonl"
    lines.write_text('{"text": "one"}\n{"text": "two", "url": "http://h/"}\n')
    with pytest.raises(neardup.DataError, match=rf'no record has the field "zz" \({name}\); the fields are "text"'):
        list(neardup.read(lines, **named(name)))
    assert len(list(neardup.read(lines, url_field="url"))) == 2
    table = tmp_path / "a.csv"
    table.write_text("text\none\n")
    with pytest.raises(neardup.DataError, match="zz"):
        list(neardup.read(table, **named(name)))


@pytest.mark.parametrize("name", ["id_field", "url_field", "text_field", "html_field"])
def test_documents_have_no_fields(name: str) -> None:
    pages = [Document("", "a", "http://h/")]
    verb = find_mirrors if name in ("text_field", "html_field") else group_urls
    with pytest.raises(UsageError, match=f"{name}: a Document has no fields"):
        verb(pages, **named(name))


def test_first_pages_that_are_not_compared(tmp_path: Path, cli: Cli) -> None:
    (tmp_path / "a.txt").write_text("http://h/\n")
    with pytest.raises(UsageError, match="text_field: texts are not read"):
        find_mirrors(tmp_path / "a.txt", first_pages=None, text_field="body")
    for more in (["--first-pages", "0.9"], ["--text-field", "body"], ["--main-content"]):
        assert "not compared" in cli("mirrors", tmp_path / "a.txt", "--paths-only", *more, code=2).stderr


@pytest.mark.parametrize("keep", ["earliest", "latest"])
def test_times_that_no_document_has(keep: Any) -> None:
    found = neardup.dedup([Document(FERRY, "b"), Document(FERRY, "a")], keep=keep)
    assert any(note.startswith("no document has a time") for note in found.summary["notes"])
    timed = neardup.dedup([Document(FERRY, "b", time=1), Document(FERRY, "a")], keep=keep)
    assert not any(note.startswith("no document has a time") for note in timed.summary["notes"])


def test_a_boolean_is_not_a_time() -> None:
    with pytest.raises(neardup.DataError, match="the time True is not"):
        neardup.dedup([Document(FERRY, "a", time=True)])
