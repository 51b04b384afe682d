"""`pairs` on sets that list every pair above a resemblance, by the words of neardup and by those of the set."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import exact
import pytest
from floors import Scores
from sets import LARGE, LISTED, Listed, read_records, unpack

MARGIN = 0.05
"""Distance from the threshold within which pairs depend on the definition of a word; agreement leaves them out."""


@pytest.mark.shows
@pytest.mark.parametrize("recall", ["0.99", "exact"])
@pytest.mark.parametrize(
    "listed",
    [
        pytest.param(
            one,
            id=one.name,
            marks=[pytest.mark.deep("more documents of a kind that smaller sets have")] if one.name in LARGE else [],
        )
        for one in LISTED
    ],
)
def test_pairs_equal_the_exact_ones(
    listed: Listed,
    recall: str,
    data: Path,
    work: Path,
    run: Callable[..., Path],
    rows: Callable[[Path], list[dict[str, Any]]],
    scores: Scores,
) -> None:
    """Every found pair is true and has the exact counts, and the promised share of the true pairs is found."""
    docs = unpack(data, [listed.name], work / f"{listed.name}.jsonl")
    truth = exact.find(docs, work, "contract", listed.unit, listed.width, listed.fraction)
    wanted = {
        (*sorted((truth.ids[left], truth.ids[right])), shared, *sorted((truth.size[left], truth.size[right])))
        for left, right, shared in truth.pairs()
    }
    found = rows(run("pairs", docs, "--scheme", listed.scheme(recall)) / "pairs.parquet")
    given = {
        (row["left"], row["right"], row["shared"], *sorted((row["left_size"], row["right_size"]))) for row in found
    }
    assert len(given) == len(found), "a pair is listed twice"
    right = len(given & wanted)
    scores.add(
        f"exact pairs, recall {recall}",
        listed.name,
        f"{len(wanted):,} true, {len(given):,} given: {listed.unit}, shingles of {listed.width}, >= {listed.decimal}",
        recall=right / len(wanted),
        precision=right / len(given),
    )
    stated = {
        tuple(sorted((pair["a"], pair["b"]))): pair["jaccard"]
        for pair in read_records(data / listed.name / "exact_pairs.jsonl.zst")
    }
    ours = {(row["left"], row["right"]): row["resemblance"] for row in found}
    least = float(listed.threshold) + MARGIN
    clear = {pair for pair, resemblance in stated.items() if resemblance >= least}
    sure = {pair for pair, resemblance in ours.items() if resemblance >= least}
    scores.add(
        f"stated pairs, recall {recall}",
        listed.name,
        f"{len(stated):,} stated; from {least:.2f} up {len(clear):,}",
        recall=sum(pair in ours for pair in clear) / len(clear),
        precision=sum(pair in stated for pair in sure) / len(sure),
    )
