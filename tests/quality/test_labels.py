"""Labels by people or publishers: planted copies, texts of one licence, pages followed over time."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from floors import Scores
from sets import read_records, unpack

Rows = Callable[[Path], list[dict[str, Any]]]
Run = Callable[..., Path]


def find_pairs(name: str, data: Path, work: Path, run: Run, rows: Rows) -> set[tuple[str, str]]:
    """Return the pairs of a set by the default scheme, ids in order."""
    docs = unpack(data, [name], work / f"{name}.jsonl")
    return {(row["left"], row["right"]) for row in rows(run("pairs", docs) / "pairs.parquet")}


def read_pairs(path: Path) -> dict[tuple[str, str], dict[str, Any]]:
    """Return the labelled pairs of a truth, ids in order."""
    return {(min(row["a"], row["b"]), max(row["a"], row["b"])): row for row in read_records(path)}


def test_planted_articles(data: Path, work: Path, run: Run, rows: Rows, scores: Scores) -> None:
    """The 20 plagiarised articles are found and nothing else."""
    given = find_pairs("mccormick_articles", data, work, run, rows)
    planted = set(read_pairs(data / "mccormick_articles" / "truth.jsonl.zst"))
    scores.add(
        "planted pairs",
        "mccormick_articles",
        f"{len(planted)} planted, {len(given)} given",
        recall=len(given & planted) / len(planted),
        precision=len(given & planted) / len(given),
    )


BANDS = [(0.9, 1.01, "from 0.9"), (0.8, 0.9, "0.8 to 0.9"), (0.0, 0.8, "under 0.8")]


def test_texts_of_one_licence(data: Path, work: Path, run: Run, rows: Rows, scores: Scores) -> None:
    """Recall of pairs of one licence, by the resemblance that the set states; none is expected under the threshold."""
    given = find_pairs("spdx_licenses", data, work, run, rows)
    labels = read_pairs(data / "spdx_licenses" / "truth.jsonl.zst")
    for least, most, name in BANDS:
        band = {pair for pair, row in labels.items() if least <= row["jaccard_w5"] < most}
        found = len(band & given)
        scores.add(
            "one licence",
            f"spdx_licenses {name}",
            f"{found} of {len(band)} labelled pairs",
            recall=found / len(band),
        )


@pytest.mark.parametrize("name", ["peps_sweeps", "win32_sweeps", "react_ko_sweeps"])
def test_pages_over_time(name: str, data: Path, work: Path, run: Run, rows: Rows, scores: Scores) -> None:
    """Compare pairs with the label "the same page".

    Precision is the share of the pairs that are one page; recall is the share of the pairs of states that are found.
    Pages change, and sister pages are alike, so neither can be 1; the floors prevent that they fall.
    """
    given = find_pairs(name, data, work, run, rows)
    page = {row["id"]: row["cluster"] for row in read_records(data / name / "truth.jsonl.zst")}
    of: dict[str, list[str]] = {}
    for document, cluster in page.items():
        of.setdefault(cluster, []).append(document)
    states = sum(len(documents) * (len(documents) - 1) // 2 for documents in of.values())
    same = sum(page[left] == page[right] for left, right in given)
    scores.add(
        "one page",
        name,
        f"{len(given):,} pairs, {same:,} of one page; {states:,} pairs of states",
        precision=same / len(given),
        recall=same / states,
    )


@pytest.mark.parametrize("name", ["peps_sweeps", "win32_sweeps"])
def test_moves(name: str, data: Path, work: Path, run: Run, rows: Rows, scores: Scores) -> None:
    """Two consecutive states of a page: all must be pairs if the text is unchanged, and most otherwise."""
    given = find_pairs(name, data, work, run, rows)
    size = {row["id"]: bool(row["text"].strip()) for row in read_records(data / name / "docs.jsonl.zst")}
    kinds: dict[str, list[bool]] = {"unchanged": [], "changed": []}
    for step in read_records(data / name / "transitions.jsonl.zst"):
        one, other = step["a"], step["b"]
        if one is None or other is None or not (size[one] and size[other]):
            continue
        kind = "unchanged" if step["kind"] in ("same", "moved") else "changed"
        kinds[kind].append((min(one, other), max(one, other)) in given)
    for kind, found in kinds.items():
        scores.add(
            f"{kind} states",
            name,
            f"{sum(found):,} of {len(found):,} steps",
            recall=sum(found) / len(found),
        )
