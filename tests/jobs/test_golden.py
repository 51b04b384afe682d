"""The golden run of the contract, by the command line and by the library."""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import neardup
from command import Cli
from neardup import _core
from neardup.inputs.sources import Engine
from oracle import Corpus, Doc
from records import read_jsonl, read_rows

GOLDEN = Path(__file__).parents[1] / "golden"
DOCS = GOLDEN / "docs.jsonl"
EXPECTED: dict[str, Any] = json.loads((GOLDEN / "expected.json").read_text(encoding="utf-8"))
RECORDS = read_jsonl(DOCS)
SCHEME = str(neardup.plan_scheme())
FIELDS = ("--id-field", "id", "--time-field", "created")
PAIR = ("left", "right", "rule", "shared", "left_size", "right_size")
RECALLS = ["0.99", "exact"]


def components(rows: list[dict[str, Any]]) -> list[list[str]]:
    groups: dict[str, list[str]] = {}
    for row in rows:
        groups.setdefault(row["cluster"], []).append(row["id"])
    return sorted(sorted(group) for group in groups.values())


def test_the_default_scheme_is_that_of_the_contract() -> None:
    assert SCHEME == "words | shingles:5 | minhash:96 | bands:16x6 | resemblance>=0.8"


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record["id"])
def test_tokens_and_shingles(record: dict[str, str]) -> None:
    expected = (EXPECTED["tokens"][record["id"]], EXPECTED["shingles"][record["id"]])
    assert _core.count(record["text"], SCHEME) == expected
    assert len(_core.tokens(record["text"], SCHEME)) == expected[0]


def test_the_oracle_agrees() -> None:
    docs = [Doc(record["id"], record["text"], int(record["created"][:10].replace("-", ""))) for record in RECORDS]
    corpus = Corpus(docs)
    assert {key: len(found) for key, found in corpus.tokens.items()} == EXPECTED["tokens"]
    assert {key: len(found) for key, found in corpus.sets.items()} == EXPECTED["shingles"]
    assert [pair._asdict() for pair in corpus.pairs()] == EXPECTED["pairs"]
    originals = corpus.originals("earliest")
    assert {row["id"]: row["original"] for row in EXPECTED["decisions"]} == {
        key: original for key, (original, _, _) in originals.items()
    }


@pytest.mark.parametrize("recall", RECALLS)
def test_pairs_by_command(cli: Cli, tmp_path: Path, recall: str) -> None:
    cli("pairs", DOCS, "-o", tmp_path / "out", *FIELDS, "--recall", recall)
    rows = read_rows(tmp_path / "out" / "pairs.parquet")
    assert [{key: row[key] for key in PAIR} for row in rows] == EXPECTED["pairs"]
    assert all(row["verified"] for row in rows)
    nothing = next(row for row in rows if row["left"] == "p1")
    assert (nothing["resemblance"], nothing["left_in_right"], nothing["right_in_left"]) == (1, 1, 1)


@pytest.mark.parametrize("recall", RECALLS)
def test_cluster_by_command(cli: Cli, tmp_path: Path, recall: str) -> None:
    cli("cluster", DOCS, "-o", tmp_path / "out", *FIELDS, "--recall", recall)
    assert components(read_rows(tmp_path / "out" / "clusters.parquet")) == EXPECTED["components"]


@pytest.mark.parametrize("recall", RECALLS)
def test_dedup_by_command(cli: Cli, tmp_path: Path, recall: str) -> None:
    cli("dedup", DOCS, "-o", tmp_path / "out", *FIELDS, "--recall", recall)
    rows = read_rows(tmp_path / "out" / "decisions.parquet")
    found = [{key: row[key] for key in ("id", "verdict", "original")} for row in rows]
    assert sorted(found, key=lambda row: row["id"]) == EXPECTED["decisions"]
    kept = {row["id"] for row in EXPECTED["decisions"] if row["verdict"] == "keep"}
    lines = DOCS.read_bytes().split(b"\n")[:-1]
    expected = b"".join(line + b"\n" for line in lines if json.loads(line)["id"] in kept)
    assert (tmp_path / "out" / "kept" / "docs.jsonl").read_bytes() == expected


def test_dedup_by_library() -> None:
    documents = [neardup.Document(record["text"], record["id"], time=record["created"]) for record in RECORDS]
    result = neardup.dedup(documents)
    kept = [row["id"] for row in EXPECTED["decisions"] if row["verdict"] == "keep"]
    assert sorted(str(document.id) for document in result.kept) == kept
    decisions = result.decisions
    found = zip(decisions.column("id"), decisions.column("original"), strict=True)
    assert dict(found) == {row["id"]: row["original"] for row in EXPECTED["decisions"]}


@pytest.mark.on_spark(0)
def test_every_engine_gives_the_digests(engine: Engine | None) -> None:
    verbs: dict[str, Any] = {"dedup": neardup.dedup, "cluster": neardup.cluster, "pairs": neardup.find_pairs}
    fields: dict[str, Any] = {"id_field": "id", "time_field": "created", "engine": engine}
    assert {name: verb(str(DOCS), **fields).digest for name, verb in verbs.items()} == EXPECTED["digests"]


def test_the_command_and_the_library_give_one_digest(cli: Cli, tmp_path: Path) -> None:
    table = pa.Table.from_pylist(RECORDS)
    for name, verb in (("dedup", neardup.dedup), ("cluster", neardup.cluster), ("pairs", neardup.find_pairs)):
        cli(name, DOCS, "-o", tmp_path / name, *FIELDS)
        by_command = json.loads((tmp_path / name / "run.json").read_text(encoding="utf-8"))["digest"]
        by_library = verb(table, id_field="id", time_field="created").digest
        assert by_command == by_library == EXPECTED["digests"][name]


def test_containment_by_explain() -> None:
    texts = {record["id"]: record["text"] for record in RECORDS}
    evidence = neardup.explain(texts["a1"], texts["a8"])
    assert [evidence.shared, evidence.left_size] == EXPECTED["containment_of_a1_in_a8"]
    assert evidence.left_in_right == 1
    assert evidence.rule is None
