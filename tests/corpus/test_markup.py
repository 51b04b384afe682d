"""HTML as input, in fields and in files."""

import json
from pathlib import Path

from command import Cli
from neardup.corpus.markup import extract_texts
from records import read_rows

MENU = "<nav><ul>" + "".join(f"<li><a href='/{n}'>item number {n}</a></li>" for n in range(30)) + "</ul></nav>"
TRUSTED = ("auto", "resiliparse")
"""Extractors that find the main content of pages of a few words."""
PAGES = {
    "bread.html": "mix a kilo of flour with warm water and wait an hour before adding the salt then fold the dough",
    "boats.html": "the last boat of the season leaves the island when the fog comes in and nobody is there to see",
    "copy.htm": "Mix a kilo of flour with <b>warm</b> water and wait an hour, before adding the salt: fold the dough",
}


def page(words: str) -> str:
    head = "<head><title>recipes</title><style>p {color: red}</style></head>"
    main = f"<main><p>{words}</p></main><!-- no --><script>no()</script>"
    return f"<!doctype html><html>{head}<body>{MENU}{main}</body></html>"


def test_extract() -> None:
    [(whole, none, _), *mains] = [extract_texts([page("a &lt;b&gt; c")], name)[0] for name in (None, *TRUSTED)]
    assert none is None
    assert (whole or "").endswith("a <b> c")
    assert "item number 7" in (whole or "")
    assert [(main.text or "").strip() for main in mains] == ["a <b> c"] * len(TRUSTED)
    assert extract_texts(["", "plain", "<p>\x00</p>", "<div>" * 10_000 + "deep"])[1] == ("plain", None, None)


def test_html_files_and_fields(cli: Cli, tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    for name, words in PAGES.items():
        (folder / name).write_text(page(words), encoding="utf-8")
    (tmp_path / "docs.jsonl").write_text(
        "".join(json.dumps({"id": name, "html": page(words)}) + "\n" for name, words in PAGES.items()), encoding="utf-8"
    )
    field = ("--html-field", "html", "--id-field", "id")
    for given, key, options in ((folder, "source", ()), (tmp_path / "docs.jsonl", "id", field)):
        verdicts = {}
        for main in (False, True):
            out = tmp_path / f"out {key} {main}"
            cli("dedup", given, "-o", out, "--threshold", "0.5", *options, *(["--main-content"] if main else []))
            verdicts[main] = {row[key]: row["verdict"] for row in read_rows(out / "decisions.parquet")}
        # with the menu all pages resemble each other; by content only one page is a copy
        assert sorted(verdicts[False].values()) == ["drop", "drop", "keep"]
        assert sorted(verdicts[True].values()) == ["drop", "keep", "keep"]
        assert verdicts[True]["boats.html"] == "keep"
    for name in PAGES:
        copy = tmp_path / "out source True" / "kept" / name
        assert not copy.exists() or copy.read_bytes() == (folder / name).read_bytes()


def test_html_field_that_is_missing(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "docs.jsonl"
    path.write_text('{"html": "<p>a"}\n{"text": "b"}\n', encoding="utf-8")
    assert "line 2" in cli("dedup", path, "-o", tmp_path / "out", "--html-field", "html", code=1).stderr
