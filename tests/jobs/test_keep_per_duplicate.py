"""The number of documents of each group of duplicates that stay, against its definition."""

import json
import random
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

import neardup
from command import Cli

WORDS = ("quay", "ferry", "lamp", "tar", "salt", "rope", "gull", "mast", "hull", "keel", "tide", "dock", "buoy", "oar")


def write(path: Path, seed: int) -> list[dict[str, Any]]:
    """Write documents of which many are copies, or copies with more words."""
    draw = random.Random(seed)
    bases = [" ".join(draw.choices(WORDS, k=30)) for _ in range(8)]
    records = []
    for number in range(60):
        text = draw.choice(bases) if draw.random() < 0.8 else " ".join(draw.choices(WORDS, k=30))
        text += " " + " ".join(draw.choices(WORDS, k=draw.randrange(3)))
        records.append({"id": f"d{number:02}", "text": text, "t": draw.randrange(1000), "split": draw.choice("xyz")})
    path.write_text("".join(json.dumps(one) + "\n" for one in records), encoding="utf-8")
    return records


def rank(record: dict[str, Any], options: dict[str, Any]) -> tuple[Any, ...]:
    """Return the place of a document in policy order."""
    tokens = len(record["text"].split())
    key = {"first": 0, "latest": -record["t"], "longest": -tokens, "shortest": tokens}[options["keep"]]
    preferred = ["z", "x"].index(record["split"]) if "prefer" in options and record["split"] in "zx" else 2
    return preferred, key, record["id"]


POLICIES: list[dict[str, Any]] = [
    {"keep": "first"},
    {"keep": "first", "prefer": "split=z,x"},
    {"keep": "latest", "time_field": "t"},
    {"keep": "longest"},
    {"keep": "shortest", "prefer": "split=z,x"},
]


@pytest.mark.parametrize("options", POLICIES, ids=str)
@pytest.mark.parametrize("number", [0, 2, 3, 100])
def test_the_first_of_each_group_stay(tmp_path: Path, options: dict[str, Any], number: int) -> None:
    path = tmp_path / "a.jsonl"
    records = {one["id"]: one for one in write(path, number)}
    one = neardup.dedup(path, id_field="id", **options)
    groups = defaultdict(list)
    for document, group in zip(one.decisions.column("id"), one.decisions.column("duplicate_id"), strict=True):
        groups[group].append(document)
    expected = set()
    for documents in groups.values():
        documents.sort(key=lambda document: rank(records[document], options))
        expected |= set(documents[: number if len(documents) > 1 else 1])
    assert any(len(documents) > 3 for documents in groups.values())
    output = tmp_path / "out"
    result = neardup.dedup(path, id_field="id", keep_per_duplicate=number, output=output, write_dropped=True, **options)
    table = result.decisions
    verdicts = dict(zip(table.column("id"), table.column("verdict"), strict=True))
    assert {document for document, verdict in verdicts.items() if verdict == "keep"} == expected
    counts = result.summary["counts"]
    assert (counts["kept"], counts["dropped"]) == (len(expected), len(records) - len(expected))
    rules = ("identical", "lexical", "shingles", "near")
    assert sum(counts[rule] for rule in rules) + counts.get("originals", 0) == counts["dropped"]
    assert result.summary["inputs"][0]["kept"] == len(expected)
    assert result.summary["keep_per_duplicate"] == number
    for folder, verdict in (("kept", "keep"), ("dropped", "drop")):
        lines = (output / folder / "a.jsonl").read_text(encoding="utf-8").splitlines()
        ids = [json.loads(line)["id"] for line in lines]
        assert ids == [document for document in records if verdicts[document] == verdict]
    # groups and evidence are those of the same run with one kept document
    for column in ("id", "original", "rule", "shared", "duplicate_id", "group_size"):
        assert table.column(column) == one.decisions.column(column)


def test_one_is_the_default(tmp_path: Path) -> None:
    write(tmp_path / "a.jsonl", 1)
    digests = [
        neardup.dedup(tmp_path / "a.jsonl").digest,
        neardup.dedup(tmp_path / "a.jsonl", keep_per_duplicate=1).digest,
    ]
    others = [neardup.dedup(tmp_path / "a.jsonl", keep_per_duplicate=number).digest for number in (0, 2)]
    assert digests[0] == digests[1]
    assert len({*digests, *others}) == 3


@pytest.mark.parametrize("number", [0, 1, 2, 3])
def test_a_reference_counts_and_stays(tmp_path: Path, number: int) -> None:
    (tmp_path / "old.jsonl").write_text('{"text": "a lamp by the quay"}\n', encoding="utf-8")
    (tmp_path / "new.jsonl").write_text('{"text": "a lamp by the quay"}\n' * 4, encoding="utf-8")
    result = neardup.dedup(tmp_path / "new.jsonl", against=tmp_path / "old.jsonl", keep_per_duplicate=number)
    verdicts = ["keep"] * max(number - 1, 0)
    assert result.decisions.column("verdict") == (verdicts + ["drop"] * 4)[:4]


def test_a_list_keeps_its_items() -> None:
    texts = ["a lamp by the quay", "A lamp by the quay", "a lamp by the quay", "a boat at sea"]
    assert neardup.dedup(texts, keep_per_duplicate=2).kept == [texts[0], texts[1], texts[3]]
    assert neardup.dedup(texts, keep_per_duplicate=0).kept == [texts[3]]


def test_the_page_and_the_summary_agree(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"text": "a lamp by the quay"}\n' * 5, encoding="utf-8")
    done = cli("dedup", tmp_path / "a.jsonl", "-o", tmp_path / "out", "--keep-per-duplicate", 0)
    assert "4 identical, 1 original" in done.stdout
    assert "<li><i class=\"originals\"></i>originals of groups <b>1</b></li>" in (
        tmp_path / "out/report.html"
    ).read_text(encoding="utf-8")  # fmt: skip


def test_an_index_keeps_one(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"text": "a lamp by the quay"}\n' * 5, encoding="utf-8")
    done = cli("dedup", tmp_path / "a.jsonl", "-o", tmp_path / "out", "--keep-per-duplicate", 2, "--index", code=2)
    assert "keep_per_duplicate" in done.stderr
