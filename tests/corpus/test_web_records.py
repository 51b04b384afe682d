"""What kinds of records of web archives are documents, and in what charset they are read."""

import json
from pathlib import Path

import pytest

import neardup
from command import Cli
from framed import Made, answer, gzipped, warc_record
from neardup.corpus.archives import read_archive
from records import read_rows

TEXT = "the ferry leaves the quay at noon and comes back at night with the mail and two goats"
PAGE = f"<html><head><title>x</title></head><body><p>{TEXT}</p></body></html>"


def record(kind: str, block: bytes, media: str, number: int = 1) -> bytes:
    """Make a record whose block is not HTTP."""
    stated = b"application/http; msgtype=" + kind.encode()
    media_line = f"Content-Type: {media}\r\n".encode() if media else b""
    return warc_record(kind, block, number).replace(b"Content-Type: " + stated + b"\r\n", media_line)


def read(tmp_path: Path, *records: bytes, name: str = "a.warc") -> list[tuple[str | None, str | None, list[str]]]:
    """Return the text, the kind as which it is passed over, and the flaws of each record."""
    path = Made(name, list(records)).write(tmp_path)
    return [(one.text and one.text.strip(), one.passed_over, list(one.flaws)) for one in read_archive(str(path))]


@pytest.mark.parametrize("kind", ["conversion", "resource"])
def test_conversions_and_resources_are_documents(kind: str, tmp_path: Path) -> None:
    plain = record(kind, TEXT.encode(), "text/plain")
    page = record(kind, PAGE.encode(), "text/html; charset=utf-8", 2)
    untyped = record(kind, PAGE.encode(), "", 3)
    image = record(kind, b"\x89PNG\r\n\x1a\n", "image/png", 4)
    assert read(tmp_path, plain, page, untyped, image) == [
        (TEXT, None, []),
        (f"{TEXT}", None, []),
        (f"{TEXT}", None, []),
        (None, "type image/png", []),
    ]


@pytest.mark.parametrize(
    "name", ["a.wet", "a.wet.gz", "a.warc.wet", "CC-MAIN-1.warc.wet.gz", "A.WARC.WET.GZ", "a.warc.gz"]
)
def test_files_of_conversions_by_their_names(cli: Cli, name: str, tmp_path: Path) -> None:
    records = [
        record("conversion", body.encode(), "text/plain", number) for number, body in enumerate((TEXT, TEXT + "."))
    ]
    parts = map(gzipped, records) if name.lower().endswith(".gz") else records
    (tmp_path / name).write_bytes(b"".join(parts))
    cli("dedup", tmp_path / name, "-o", tmp_path / "out")
    rows = read_rows(tmp_path / "out" / "decisions.parquet")
    assert [row["verdict"] for row in rows] == ["keep", "drop"]
    [kept] = read_archive(str(tmp_path / "out" / "kept" / name))
    assert kept.text == TEXT


@pytest.mark.parametrize(
    "kind", ["", "Content-Type: */*\r\n", "Content-Type: unknown\r\n", "Content-Type: unknown/unknown\r\n"]
)
def test_a_page_of_unknown_type_is_read_by_its_content(kind: str, tmp_path: Path) -> None:
    head = f"HTTP/1.1 200 OK\r\n{kind}\r\n".encode()
    begins = (
        "<!DOCTYPE html>",
        "<!-- x -->",
        "\n\t <HTML>",
        "<?xml version='1.0'?>\n<html>",
        "<p class=x>",
        "\ufeff<head>",
    )
    for number, begin in enumerate(begins):
        [(text, passed_over, flaws)] = read(tmp_path, warc_record("response", head + f"{begin}{TEXT}".encode(), number))
        assert ((text or "").endswith(TEXT), passed_over, flaws) == (True, None, [])
    coded = head[:-2] + b"Content-Encoding: gzip\r\n\r\n" + gzipped(PAGE.encode())
    assert read(tmp_path, warc_record("response", coded, 1)) == [(TEXT, None, [])]
    named = kind.removeprefix("Content-Type: ").strip()
    for other in (b'{"a": "<p>"}', TEXT.encode(), b"\xff\xd8\xff\xe0", b"", b"<rss>", b"<parent>"):
        passed: list[tuple[str | None, str, list[str]]] = [(None, f"type {named}" if named else "no Content-Type", [])]
        assert read(tmp_path, warc_record("response", head + other, 1)) == passed


def test_a_type_that_is_no_text_is_not_looked_into(tmp_path: Path) -> None:
    assert read(tmp_path, warc_record("response", answer(PAGE.encode(), kind="image/png"), 1)) == [
        (None, "type image/png", [])
    ]


GERMAN = "Der Fährmann verlässt die Mole um sieben Uhr und kommt mittags zurück, während der Wärter die Boote zählt"
RUSSIAN = "паром выходит в семь часов и возвращается в полдень по рыночным дням"


def test_charsets_by_header_page_and_guess(tmp_path: Path) -> None:
    def answered(text: str, charset: str, kind: str) -> list[tuple[str | None, str | None, list[str]]]:
        return read(tmp_path, warc_record("response", answer(text.encode(charset), kind=kind), 1))

    html = "<meta charset={}>" + GERMAN
    # the header comes before the page, the mark before both
    assert answered(html.format("koi8-r"), "latin-1", "text/html; charset=ISO-8859-1") == [(GERMAN, None, [])]
    assert answered(html.format("koi8-r"), "utf-8-sig", "text/html; charset=ISO-8859-1") == [(GERMAN, None, [])]
    assert answered(html.format("latin1"), "latin-1", "text/html; charset=utf8mb4") == [(GERMAN, None, [])]
    assert answered(GERMAN, "utf-16", "text/html; charset=utf-16") == [(GERMAN, None, [])]
    assert answered(GERMAN, "utf-8", "text/plain") == [(GERMAN, None, [])]
    assert answered(GERMAN, "cp1252", "text/plain") == [(GERMAN, None, ["charset detected: windows-1252"])]
    assert answered(RUSSIAN, "cp1251", "text/html") == [(RUSSIAN, None, ["charset detected: windows-1251"])]
    [(text, _, flaws)] = answered(GERMAN, "cp1252", "text/html; charset=utf-8")
    assert (text, flaws) == (GERMAN.translate(dict.fromkeys(map(ord, "äöü"), "\ufffd")), ["bytes replaced by U+FFFD"])


def test_a_cut_body_may_have_several_flaws(tmp_path: Path) -> None:
    body = answer(GERMAN.encode("cp1252"), "Content-Length: 1000", kind="text/html; charset=utf-8")
    [(_, _, flaws)] = read(tmp_path, warc_record("response", body, 1))
    assert flaws == ["truncated body", "bytes replaced by U+FFFD"]
    records = neardup.dedup(tmp_path / "a.warc").summary["records"]
    assert records["flaws"] == {"truncated body": 1, "bytes replaced by U+FFFD": 1}


def test_every_input_is_listed_and_every_record_counted(cli: Cli, tmp_path: Path) -> None:
    other = [
        warc_record("response", answer(b'{"a": 1}', kind="application/json"), 1),
        warc_record("response", b"HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\n\r\n" + PAGE.encode(), 2),
        warc_record("response", b"HTTP/1.1 200 OK\r\n\r\n\x00\x01", 3),
        record("metadata", b"fetchTimeMs: 4", "application/warc-fields", 4),
    ]
    Made("none.warc.gz", other).write(tmp_path)
    Made("page.warc.gz", [warc_record("response", answer(PAGE.encode(), kind="text/html"), 1)]).write(tmp_path)
    cli("dedup", tmp_path / "none.warc.gz", tmp_path / "page.warc.gz", "-o", tmp_path / "out")
    run = json.loads((tmp_path / "out" / "run.json").read_text())
    assert [(Path(one["name"]).name, one["documents"], one["passed_over"]) for one in run["inputs"]] == [
        ("none.warc.gz", 0, 4),
        ("page.warc.gz", 1, 0),
    ]
    assert run["records"]["kinds"] == {
        "metadata record": 1,
        "no Content-Type": 1,
        "status 404": 1,
        "type application/json": 1,
    }
