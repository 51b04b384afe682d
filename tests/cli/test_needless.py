"""Options that have no effect are refused, or noted if an input might have needed them."""

import json
from pathlib import Path
from typing import Any

import pytest

import neardup
from command import Cli
from records import write_records

ROWS = [{"id": "a", "text": "one two three"}, {"id": "b", "text": "four five six"}]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Make a folder with documents, two texts and an index."""
    write_records(tmp_path / "docs.jsonl", ROWS)
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text("one two three\n", encoding="utf-8")
    neardup.Index.create(tmp_path / "index")
    return tmp_path


@pytest.mark.parametrize(
    ("command", "option"),
    [
        ("explain a.txt b.txt --text-field body", "--text-field"),
        ("explain a.txt b.txt --id-field id", "--id-field"),
        ("explain a.txt b.txt --main-content", "--main-content"),
        ("index query index words --main-content", "--main-content"),
        ("index query index --file a.txt --main-content", "--main-content"),
        ("index create new --id-field id", "--id-field"),
        ("index create new --each", "--each"),
        ("index create new docs.jsonl --each --json", "--json"),
        ("index add index docs.jsonl --each --json", "--json"),
        ("sweep contacts store https://a.example/ --diff --json", "--diff"),
        ("mirrors docs.jsonl --paths-only --first-pages 0.9", "--first-pages"),
    ],
)
def test_options_without_an_effect_are_named(command: str, option: str, cli: Cli, folder: Path) -> None:
    refused = cli(*command.split(), code=2, cwd=folder)
    assert f"{option}: " in refused.stderr
    assert not (folder / "new").exists()


def test_the_text_of_a_url_is_stored(cli: Cli, folder: Path) -> None:
    write_records(folder / "pages.jsonl", [{"url": "https://a.example/", "text": "one two three"}])
    cli("sweep", "add", "store", "pages.jsonl", "--url-field", "url", "--date", "2024-05-01", cwd=folder)
    ask = ("sweep", "contacts", "store")
    cli(*ask, "https://a.example/", cwd=folder)
    for text in ("https://a.example/", "a.txt"):
        assert "--main-content: " in cli(*ask, text, "--main-content", code=2, cwd=folder).stderr


def test_labels_of_clusters_are_complete(cli: Cli, folder: Path) -> None:
    write_records(folder / "labels.jsonl", [{"id": "a", "cluster": "1"}, {"id": "b", "cluster": "1"}])
    ask = ("evaluate", "labels.jsonl", "docs.jsonl", "--id-field", "id", "-o")
    cli(*ask, "one", cwd=folder)
    assert "complete" in cli(*ask, "two", "--complete", code=2, cwd=folder).stderr


@pytest.mark.parametrize("name", ["text_field", "html_field", "id_field", "url_field", "time_field"])
def test_fields_of_an_index(name: str, folder: Path) -> None:
    def read(field: str) -> list[neardup.Document]:
        chosen: dict[str, Any] = {name: field}
        return list(neardup.read(folder / "index", **chosen))

    with pytest.raises(neardup.UsageError, match=name):
        read("body")
    own = name.removesuffix("_field")
    if own != "html":
        assert read(own) == []


@pytest.mark.on_spark(0)
@pytest.mark.parametrize("name", ["main_content", "quoted_tsv"])
def test_an_option_that_no_input_needs_is_noted(name: str, engine: Any, folder: Path) -> None:
    chosen: dict[str, Any] = {name: True, "engine": engine}

    def notes(*inputs: str) -> str:
        return json.dumps(neardup.dedup([folder / one for one in inputs], **chosen).summary["notes"])

    (folder / "page.html").write_text("<p>one two three", encoding="utf-8")
    (folder / "rows.tsv").write_text("text\nseven eight nine\n", encoding="utf-8")
    assert f"({name})" in notes("docs.jsonl", "a.txt")
    assert f"({name})" not in notes("docs.jsonl", "page.html" if name == "main_content" else "rows.tsv")


def test_a_policy_by_time_without_times_is_noted(cli: Cli, folder: Path) -> None:
    write_records(folder / "dated.jsonl", [{"text": "one two three", "date": "2024-05-01"}])
    made = cli("index", "create", "new", "docs.jsonl", "--policy", "earliest", cwd=folder)
    assert "has a time (--time-field)" in made.stderr
    added = cli("index", "add", "new", "dated.jsonl", "--time-field", "date", cwd=folder)
    assert "has a time" not in added.stderr
    assert "has a time" not in cli("index", "add", "index", "docs.jsonl", cwd=folder).stderr


@pytest.mark.parametrize("command", ["urls", "mirrors --paths-only"])
def test_quotes_around_urls_are_read(command: str, cli: Cli, folder: Path) -> None:
    (folder / "pages.tsv").write_text('url\n"https://a.example/"\n"https://a.example"\n', encoding="utf-8")
    found = cli(*command.split(), "pages.tsv", "--quoted-tsv", "--json", cwd=folder)
    assert json.loads(found.stdout)["records"]["read"] == 2
    cli(*command.split(), "pages.tsv", "--json", code=1, cwd=folder)


def test_the_urls_of_an_index(cli: Cli, folder: Path) -> None:
    pages = [{"url": url, "text": "one two three"} for url in ("https://a.example/", "https://a.example")]
    write_records(folder / "pages.jsonl", pages)
    cli("index", "add", "index", "pages.jsonl", "--url-field", "url", cwd=folder)
    assert json.loads(cli("urls", "index", "--json", cwd=folder).stdout)["groups"] == 1
