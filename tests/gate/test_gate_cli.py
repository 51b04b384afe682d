"""`neardup gate`: every command, its exit codes, and what is refused."""

import json
from pathlib import Path
from typing import Any

import pytest

from command import Cli, run_process
from neardup.gate.gate import Gate
from neardup.stores.postgres import PostgresStore
from neardup.stores.sqlite import SqliteStore
from records import write_records
from service_story import running
from systems import need_posix
from terminal import on_a_terminal

TEXT = (
    "the keeper of the light winds the clock at noon and writes the weather of the day into a book with a green cover"
)
OTHER = "heat the stone oven until its floor turns white then sweep out the ash and bake the flat loaves on bare stone"
POSTS = [
    {"id": "light", "text": TEXT, "url": "https://light.example/a", "date": "2024-05-02"},
    {"id": "again", "text": f"{TEXT} again", "url": "https://light.example/b", "date": "2024-05-01"},
    {"id": "oven", "text": OTHER, "url": "https://bread.example/", "date": "2024-05-03"},
]
FIELDS = ("--id-field", "id", "--url-field", "url", "--time-field", "date")
ORIGINALS, SKIPPED, DUPLICATES = 0, 3, 4


@pytest.fixture
def posts(tmp_path: Path) -> Path:
    return write_records(tmp_path / "posts.jsonl", POSTS)


def ask(cli: Cli, *arguments: str | Path, **options: Any) -> Any:
    return json.loads(cli("gate", *arguments, "--json", **options).stdout)


def test_a_gate_from_its_making_to_its_end(cli: Cli, tmp_path: Path, posts: Path) -> None:
    gate = tmp_path / "gate"
    assert ask(cli, "create", gate)["total"] == 0
    counts = ask(cli, "admit", gate, posts, *FIELDS, code=DUPLICATES)
    assert (counts["documents"], counts["kept"], counts["near"], counts["total_kept"]) == (3, 2, 1, 2)
    status = ask(cli, "status", gate)
    assert (status["documents"], status["kept"], status["policy"]) == (3, 2, "first")
    assert status["store"] == {"place": str(gate / "documents.sqlite"), "documents": 3, "behind": 0}
    removal = ask(cli, "remove", gate, "light")
    assert removal["removed"] == ["light"]
    assert [(verdict["id"], verdict["verdict"]) for verdict in removal["changed"]] == [("again", "keep")]
    with Gate.open(gate) as opened:
        assert isinstance(opened.store, SqliteStore)
        assert [found.id for found in opened.store.search("keeper")] == ["again"]
    assert ask(cli, "expire", gate) == {"removed": [], "changed": []}
    assert ask(cli, "rebuild", gate)["outdated"] == ["a rebuild was asked for"]
    assert ask(cli, "status", gate)["documents"] == 2
    assert json.loads(cli("index", "verify", gate, "--json").stdout) == {"documents": 2, "whole": True}


def test_the_exit_code_says_whether_there_are_duplicates(cli: Cli, tmp_path: Path, posts: Path) -> None:
    gate, new = tmp_path / "gate", write_records(tmp_path / "new.jsonl", [{"text": "herons stand in the water"}])
    cli("gate", "create", gate, posts, *FIELDS, code=DUPLICATES)
    for command in ("check", "admit"):
        cli("gate", command, gate, new, code=ORIGINALS)
        cli("gate", command, gate, write_records(tmp_path / "copy.jsonl", [{"text": OTHER}]), code=DUPLICATES)
    # the same command again: the documents are there already, and those that were duplicates still are
    cli("gate", "admit", gate, posts, *FIELDS, code=DUPLICATES)
    taken = write_records(tmp_path / "taken.jsonl", [{"id": "oven", "text": "another text of this id"}])
    for command in ("check", "admit"):
        refused = cli("gate", command, gate, taken, "--id-field", "id", code=1)
        assert "taken.jsonl:1: id `oven` is in the index already" in refused.stderr
        cli("gate", command, gate, taken, posts, "--id-field", "id", "--on-error", "skip", code=SKIPPED)


def test_check_prints_what_admit_would_and_stores_nothing(cli: Cli, tmp_path: Path, posts: Path) -> None:
    gate = tmp_path / "gate"
    cli("gate", "create", gate, posts, *FIELDS, "--policy", "earliest", code=ORIGINALS)
    asked = write_records(tmp_path / "asked.jsonl", [{"id": "early", "text": TEXT, "date": "2020"}, *POSTS])
    before = ask(cli, "status", gate)
    done = cli("gate", "check", gate, asked, *FIELDS, "--json", code=DUPLICATES)
    checked = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(one["id"], one["kind"], one["original"]) for one in checked] == [
        ("early", "new", "early"),
        ("light", "update", "again"),
        ("again", "update", "again"),
        ("oven", "update", "oven"),
    ]
    assert ask(cli, "status", gate) == before
    rows = cli("gate", "check", gate, asked, *FIELDS, code=DUPLICATES).stdout.splitlines()
    assert rows[0].split("\t") == ["id", "kind", "verdict", "original", "rule", "resemblance", "replaced"]
    assert rows[2].split("\t")[:5] == ["light", "update", "drop", "again", "near"]
    assert cli("gate", "check", gate, asked, *FIELDS, "--quiet", code=DUPLICATES).stdout == ""
    admitted = cli("gate", "admit", gate, asked, *FIELDS, "--each", code=DUPLICATES).stdout.splitlines()
    assert json.loads(admitted[0]).items() >= checked[0].items()


def test_lines_from_stdin(tmp_path: Path) -> None:
    gate = tmp_path / "gate"
    run_process("gate", "create", gate)
    lines = "".join(json.dumps({"text": text}) + "\n" for text in (TEXT, OTHER, TEXT.upper()))
    done = run_process("gate", "admit", gate, "-", "--each", code=DUPLICATES, input=lines)
    admitted = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(one["id"], one["kind"]) for one in admitted] == [("#1", "new"), ("#2", "new"), ("#3", "duplicate")]
    checked = run_process("gate", "check", gate, "-", "--json", code=DUPLICATES, input=lines).stdout.splitlines()
    assert [json.loads(line)["original"] for line in checked] == ["#1", "#2", "#1"]


def test_the_documents_in_postgresql(cli: Cli, tmp_path: Path, posts: Path, postgres: str) -> None:
    gate, store = tmp_path / "gate", ("--store", postgres, "--schema", "from the command line")
    cli("gate", "create", gate, posts, *FIELDS, *store, code=DUPLICATES)
    cli("gate", "remove", gate, "oven", *store)
    assert not (gate / "documents.sqlite").exists()
    assert ask(cli, "status", gate, *store)["store"]["documents"] == 2
    assert ask(cli, "status", gate)["store"] is None
    opened = PostgresStore(postgres, "from the command line")
    assert [role.id for role in opened.roles()] == ["again", "light"]
    opened.close()
    refused = cli("gate", "create", tmp_path / "other", *store, code=1).stderr
    assert "there is no index here, and the store is that of one" in refused


def test_what_is_refused(cli: Cli, tmp_path: Path, posts: Path) -> None:
    for command in ("admit", "check"):
        assert (
            "there is no gate here: `neardup gate create" in cli("gate", command, tmp_path / "no", posts, code=1).stderr
        )
    for command in ("status", "rebuild", "expire"):
        assert "there is no gate here" in cli("gate", command, tmp_path / "no", code=1).stderr
    assert not (tmp_path / "no").exists()
    cli("gate", "create", tmp_path / "gate")
    assert "there is a gate already" in cli("gate", "create", tmp_path / "gate", code=2).stderr
    assert "name ids, or a file with --from" in cli("gate", "remove", tmp_path / "gate", code=2).stderr
    assert "id `nobody` is not in the index" in cli("gate", "remove", tmp_path / "gate", "nobody", code=1).stderr
    (tmp_path / "gate" / "documents.sqlite").unlink()
    # the store is made again from the index
    cli("gate", "admit", tmp_path / "gate", posts, *FIELDS, code=DUPLICATES)
    assert ask(cli, "status", tmp_path / "gate")["store"]["documents"] == 3


def test_a_gate_is_served_with_its_store(cli: Cli, tmp_path: Path, posts: Path, postgres: str) -> None:
    need_posix("the service")
    gate, store = tmp_path / "gate", ("--store", postgres, "--schema", "served")
    cli("gate", "create", gate, posts, *FIELDS, *store, code=DUPLICATES)
    with running(gate, *store, command=("gate", "serve")) as server:
        status, found = server.ask("/api/search?q=keeper")
        assert (status, [one["id"] for one in found["results"]]) == (200, ["light"])
        assert server.ask("/api/admit", {"text": "herons stand in the water", "id": "heron"})[1]["kind"] == "new"
    assert ask(cli, "status", gate, *store)["store"]["documents"] == 4
    assert "there is no gate here" in cli("gate", "serve", tmp_path / "no", code=1).stderr


def test_a_terminal_shows_tables(cli: Cli, tmp_path: Path, posts: Path) -> None:
    cli("gate", "create", tmp_path / "gate", posts, *FIELDS, code=DUPLICATES)
    shown = on_a_terminal("gate", "status", tmp_path / "gate", columns=80)
    assert "3 documents" in shown
    assert "\x1b[" in shown
