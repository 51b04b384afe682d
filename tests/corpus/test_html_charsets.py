"""HTML files in the charsets that they declare, or that are detected."""

from pathlib import Path

import pytest

import neardup
from command import Cli
from records import read_rows

WORDS = {
    "utf-8": "größe żółw 한국어 паром",
    "utf-16": "größe żółw 한국어 паром",
    "windows-1252": "größe naïve – „Mole“",
    "iso-8859-2": "žluťoučký kůň żółw",
    "windows-1251": "паром выходит в семь",
    "koi8-r": "паром выходит в семь",
    "windows-1253": "η θάλασσα είναι",
    "shift_jis": "港の船は七時に出て正午に戻る",
    "euc-jp": "港の船は七時に出て正午に戻る",
    "euc-kr": "배가 일곱 시에 항구를 떠난다",
    "gb18030": "渡船七点离开码头",
    "big5": "渡船七點離開碼頭",
}
TAIL = " and the ferry comes back at noon on market days while the keeper counts the boats"


def page(charset: str, declares: str = "<meta charset='{}'>", more: str = "") -> bytes:
    head = f"<!doctype html><html><head>{declares.format(charset)}<title>x</title></head>"
    return f"{head}<body><p>{WORDS[charset]}{TAIL}{more}</p></body></html>".encode(charset)


@pytest.mark.parametrize("charset", WORDS)
def test_a_page_equals_its_form_in_utf_8(cli: Cli, charset: str, tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    plain = f"<p>{WORDS[charset]}{TAIL}</p>"
    (folder / "a.html").write_text(f"<meta charset=utf-8>{plain}", encoding="utf-8")
    (folder / "b.htm").write_bytes(page(charset))
    cli("dedup", folder, "-o", tmp_path / "out")
    [first, second] = read_rows(tmp_path / "out" / "decisions.parquet")
    assert (first["verdict"], second["verdict"], second["rule"]) == ("keep", "drop", "identical")


def test_pages_are_kept_byte_for_byte_and_their_flaws_counted(cli: Cli, tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    files = {
        "declared.html": page("windows-1251"),
        "declared-in-xml.html": page("euc-kr", "").replace(
            b"<!doctype html>", b'<?xml version="1.0" encoding="euc-kr"?><!doctype html>'
        ),
        "detected.html": page("koi8-r", "", " twice"),
        "marked.html": page("utf-16", "", " daily"),
        "replaced.html": page("shift_jis", "<meta charset=utf-8>"),
        "undeclared.html": page("utf-8", ""),
    }
    for name, content in files.items():
        (folder / name).write_bytes(content)
    done = cli("dedup", folder, "-o", tmp_path / "out", "--threshold", "1")
    assert {path.name: path.read_bytes() for path in (tmp_path / "out" / "kept").iterdir()} == files
    assert "1 bytes replaced by U+FFFD, 1 charset detected: KOI8-U" in done.stdout + done.stderr
    run = neardup.dedup(folder, threshold=1)
    assert run.summary["records"]["flaws"] == {"bytes replaced by U+FFFD": 1, "charset detected: KOI8-U": 1}
    assert run.summary["records"]["rejected"] == 0


def test_two_pages_are_explained_in_their_charsets(cli: Cli, tmp_path: Path) -> None:
    for name, charset in (("a.html", "windows-1251"), ("b.html", "koi8-r")):
        (tmp_path / name).write_bytes(page(charset))
    assert "1.000" in cli("explain", tmp_path / "a.html", tmp_path / "b.html").stdout
