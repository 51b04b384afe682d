"""`dedup` on all texts together against the leader rule applied to the exact pairs."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import exact
import figures
import pytest
from floors import Scores
from sets import TEXTS, unpack


@pytest.mark.parametrize("recall", ["0.99", "exact"])
def test_removals_follow_the_leader_rule(
    recall: str,
    data: Path,
    work: Path,
    run: Callable[..., Path],
    rows: Callable[[Path], list[dict[str, Any]]],
    scores: Scores,
) -> None:
    """Removals agree with the rule; each stands beside a kept original that it truly meets, with the exact counts."""
    docs = unpack(data, TEXTS, work / "all.jsonl")
    truth = exact.find(docs, work, "contract", "words", 5, "4/5")
    place = {name: document for document, name in enumerate(truth.ids)}
    decisions = rows(run("dedup", docs, "--no-kept", "--recall", recall) / "decisions.parquet")
    assert [row["id"] for row in decisions] == list(truth.ids), "decisions stand in input order"
    dropped = {place[row["id"]]: row for row in decisions if row["verdict"] == "drop"}
    for document, row in dropped.items():
        original = place[row["original"]]
        assert original not in dropped, f"{row['id']} goes for {row['original']}, which goes itself"
        three = (row["shared"], row["id_size"], row["original_size"])
        assert three == (truth.shared(document, original), truth.size[document], truth.size[original]), row
    counts = figures.judge_removals(truth, set(dropped))
    assert counts["lost"] == 0
    scores.add(
        f"leader rule, recall {recall}",
        "all texts",
        f"{counts['true_removed']:,} by the rule, {counts['removed']:,} removed",
        recall=float(counts["removal_recall"] or 0),
        precision=float(counts["removal_precision"] or 0),
    )


def test_pairs_of_all_texts(
    data: Path,
    work: Path,
    run: Callable[..., Path],
    rows: Callable[[Path], list[dict[str, Any]]],
    scores: Scores,
) -> None:
    """The default scheme on all texts: the promised recall, no wrong pair."""
    docs = unpack(data, TEXTS, work / "all.jsonl")
    truth = exact.find(docs, work, "contract", "words", 5, "4/5")
    place = {name: document for document, name in enumerate(truth.ids)}
    found = rows(run("pairs", docs) / "pairs.parquet")
    given = []
    for row in found:
        left, right = place[row["left"]], place[row["right"]]
        given.append((left, right))
        three = (row["shared"], row["left_size"], row["right_size"])
        assert three == (truth.shared(left, right), truth.size[left], truth.size[right]), row
    counts = figures.judge_pairs(truth, given)
    scores.add(
        "default pairs",
        "all texts",
        f"{counts['true_pairs']:,} true, {counts['pairs']:,} given",
        recall=float(counts["pair_recall"] or 0),
        precision=float(counts["pair_precision"] or 0),
    )
