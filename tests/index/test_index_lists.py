"""What an index holds, as the tables of a batch run: all of it, and by size, time and host."""

import json
from pathlib import Path
from typing import Any, Literal

import pytest

import neardup
from command import Cli
from neardup import Document, Index
from neardup.gate.gate import Gate
from neardup.output.written import write_time
from records import read_rows
from terminal import on_a_terminal
from texts import corpus

TEXT = (
    "the keeper of the light winds the clock at noon and writes the weather of the day into a book with a green cover"
)
PAGES = [
    Document(TEXT, "light", "https://light.example/a", "2024-05-01"),
    Document(f"{TEXT} again", "again", "https://light.example:8080/b", "2024-05-31T23:59:59Z"),
    Document(TEXT.upper(), "third", "https://other.example/", "2023-01-01T10:00:00.5Z"),
    Document("herons stand in the water and wait for the ferry", "heron", "https://birds.example/", None),
]


@pytest.fixture
def pages(tmp_path: Path) -> Index:
    with Gate.open(tmp_path / "gate") as gate:
        gate.admit_all(PAGES)
        return gate.index


def columns_of(table: Any, names: list[str]) -> dict[str, list[Any]]:
    return {name: table.column(name) for name in names}


@pytest.mark.parametrize("folders", [None, 3])
@pytest.mark.parametrize("policy", ["first", "earliest"])
def test_the_tables_are_those_of_a_batch_run(
    policy: Literal["first", "earliest"], folders: int | None, tmp_path: Path
) -> None:
    docs = corpus("mixed", 5)
    index = Index.create(tmp_path / "index", policy=policy, folders=folders)
    index.add(Document(doc.text, doc.id, f"http://h{at % 3}.example/{at}", doc.time) for at, doc in enumerate(docs))
    index.add([Document("", "empty"), Document(" ", "blank"), Document("", "empty too")])
    index.remove([doc.id for doc in docs[::7]])
    for own, batch in (
        (index.decisions(), neardup.dedup(index).decisions),
        (index.clusters(), neardup.cluster(index).clusters),
    ):
        assert own.column_names == [*batch.column_names, "date"]
        assert columns_of(own, batch.column_names) == columns_of(batch, batch.column_names)
    assert index.decisions().column("date") == [None if one.time is None else date(one.time) for one in index]


def date(time: int | str) -> str:
    return write_time(time) or ""


@pytest.mark.parametrize(
    ("selection", "documents", "clusters"),
    [
        ({}, "light again third heron", "light again third heron"),
        ({"min_size": 2}, "light again third", "light again third"),
        ({"max_size": 2}, "heron", "heron"),
        ({"min_size": 4}, "", ""),
        ({"host": "light.example"}, "light", "light again third"),
        ({"host": "LIGHT.example:8080"}, "again", "light again third"),
        ({"host": "birds.example"}, "heron", "heron"),
        ({"host": "nowhere.example"}, "", ""),
        ({"since": "2024"}, "light again", "light again third"),
        ({"until": "2023"}, "third", "light again third"),
        ({"since": "2024-05", "until": "2024-05"}, "light again", "light again third"),
        ({"until": "2024-05-30"}, "light third", "light again third"),
        ({"since": "2024-05-31T23:59:59Z", "until": "2024-05-31T23:59:59Z"}, "again", "light again third"),
        ({"until": "9999"}, "light again third", "light again third"),
        ({"since": "2024-06"}, "", ""),
        ({"host": "birds.example", "since": "2000"}, "", ""),
    ],
)
def test_documents_are_selected_and_clusters_stay_whole(
    selection: dict[str, Any], documents: str, clusters: str, pages: Index
) -> None:
    assert pages.decisions(**selection).column("id") == documents.split()
    assert pages.clusters(**selection).column("id") == clusters.split()


def test_a_selection_that_is_wrong(pages: Index) -> None:
    for selection, message in (
        ({"since": "spring"}, "spring"),
        ({"since": "2024", "until": "2023"}, "the time from 2024 to 2023 is empty; name the earlier one first"),
        ({"min_size": 0}, "min_size"),
    ):
        options: Any = selection
        with pytest.raises(neardup.UsageError, match=message):
            pages.clusters(**options)


def test_the_commands(cli: Cli, tmp_path: Path, pages: Index) -> None:
    gate = tmp_path / "gate"
    for command, table, rows in (
        ("documents", "decisions", list(pages.decisions())),
        ("clusters", "clusters", list(pages.clusters())),
    ):
        printed = cli("index", command, gate, "--json").stdout.splitlines()
        assert [json.loads(line) for line in printed] == rows
        assert cli("index", command, gate).stdout.splitlines()[0].split("\t") == list(rows[0])
        cli("index", command, gate, "-o", tmp_path / command)
        assert read_rows(tmp_path / command / f"{table}.parquet") == rows
        assert "--overwrite" in cli("index", command, gate, "-o", tmp_path / command, code=2).stderr
        cli("index", command, gate, "-o", tmp_path / command, "--overwrite", "--host", "birds.example", "--max-size", 1)
        assert [row["id"] for row in read_rows(tmp_path / command / f"{table}.parquet")] == ["heron"]
        assert "leave out one of the two" in cli("index", command, gate, "-o", "x", "--json", code=2).stderr
    selected = cli("index", "documents", gate, "--from", "2024", "--to", "2024-05-01", "--json").stdout
    assert json.loads(selected)["id"] == "light"
    nothing = cli("index", "clusters", gate, "--min-size", 9, "-o", tmp_path / "none")
    assert (nothing.stdout, read_rows(tmp_path / "none" / "clusters.parquet")) == ("", [])


def test_a_terminal_shows_the_words_of_each_document(tmp_path: Path, pages: Index) -> None:
    assert len(pages) == 4
    shown = on_a_terminal("index", "clusters", tmp_path / "gate", columns=80)
    assert "the keeper of the light winds the clock" in shown
    assert shown.index("again") < shown.index("herons stand in the water")
    shown = on_a_terminal("index", "documents", tmp_path / "gate", "--host", "other.example", columns=80)
    assert "lexical" in shown
    assert "2023-01-01T10:00:00" in shown
