"""Runs on many sets together, compared with the exact pairs and with the leader rule applied to them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import exact
import figures
import pytest
from floors import Scores
from sets import LARGE, TEXTS, unpack


@pytest.fixture(scope="module")
def texts(data: Path, work: Path, deep: bool) -> Path:
    """A file with all texts in the deep tier, and with the texts of the smaller sets by default."""
    names = TEXTS if deep else [name for name in TEXTS if name not in LARGE]
    return unpack(data, names, work / f"{'all texts' if deep else 'smaller sets'}.jsonl")


@pytest.mark.parametrize("recall", ["0.99", "exact"])
def test_removals_follow_the_leader_rule(
    recall: str,
    texts: Path,
    work: Path,
    run: Callable[..., Path],
    rows: Callable[[Path], list[dict[str, Any]]],
    scores: Scores,
) -> None:
    """Removals agree with the leader rule; each has a kept original that it truly meets, and exact counts."""
    truth = exact.find(texts, work, "contract", "words", 5, "4/5")
    place = {name: document for document, name in enumerate(truth.ids)}
    decisions = rows(run("dedup", texts, "--no-kept", "--recall", recall) / "decisions.parquet")
    assert [row["id"] for row in decisions] == list(truth.ids), "decisions must be in input order"
    dropped = {place[row["id"]]: row for row in decisions if row["verdict"] == "drop"}
    for document, row in dropped.items():
        original = place[row["original"]]
        assert original not in dropped, f"{row['id']} is dropped for {row['original']}, which is dropped itself"
        three = (row["shared"], row["id_size"], row["original_size"])
        assert three == (truth.shared(document, original), truth.size[document], truth.size[original]), row
    counts = figures.judge_removals(truth, set(dropped))
    assert counts["lost"] == 0
    scores.add(
        f"leader rule, recall {recall}",
        texts.stem,
        f"{counts['true_removed']:,} by the rule, {counts['removed']:,} removed",
        recall=float(counts["removal_recall"] or 0),
        precision=float(counts["removal_precision"] or 0),
    )


def test_pairs_of_many_sets(
    texts: Path,
    work: Path,
    run: Callable[..., Path],
    rows: Callable[[Path], list[dict[str, Any]]],
    scores: Scores,
) -> None:
    """The default scheme has the promised recall and no wrong pair."""
    truth = exact.find(texts, work, "contract", "words", 5, "4/5")
    place = {name: document for document, name in enumerate(truth.ids)}
    found = rows(run("pairs", texts) / "pairs.parquet")
    given = []
    for row in found:
        left, right = place[row["left"]], place[row["right"]]
        given.append((left, right))
        three = (row["shared"], row["left_size"], row["right_size"])
        assert three == (truth.shared(left, right), truth.size[left], truth.size[right]), row
    counts = figures.judge_pairs(truth, given)
    scores.add(
        "default pairs",
        texts.stem,
        f"{counts['true_pairs']:,} true, {counts['pairs']:,} given",
        recall=float(counts["pair_recall"] or 0),
        precision=float(counts["pair_precision"] or 0),
    )
