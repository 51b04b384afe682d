"""Kinds of pages from sweep to sweep, found from URLs, dates and texts, compared with the labels."""

from pathlib import Path

import moves
import pytest
import sweeps
from floors import Scores
from sets import read_records

from neardup import Document
from neardup.sweeps import SweepStore
from neardup.sweeps.kinds import STUB


@pytest.mark.parametrize("renamed", [False, True], ids=["urls", "renamed"])
@pytest.mark.parametrize("name", sweeps.SETS)
def test_kinds(name: str, renamed: bool, data: Path, scores: Scores) -> None:
    """Score F1 of every kind with enough cases, and their mean; a step counts with both of its pages."""
    found = sweeps.score(data / name, renamed=renamed)
    name = f"{name}, renamed" if renamed else name
    scores.add("kinds", name, f"of kinds with {sweeps.ENOUGH} cases", mean=sweeps.mean(found))
    for kind, score in found.items():
        if score.labelled >= sweeps.ENOUGH:
            note = f"{score.right:,} right of {score.found:,} found and {score.labelled:,} labelled"
            scores.add(f"kind {kind}", name, note, f1=score.f1)


def test_lost_pages_are_found(data: Path, tmp_path: Path, scores: Scores) -> None:
    """Between two sweeps all pages moved; each is located at its new URL, as the first result."""
    folder = data / "peps_sweeps"
    crawls: dict[str, list[Document]] = {}
    urls = {}
    for record in read_records(folder / "docs.jsonl.zst"):
        crawls.setdefault(record["sweep"], []).append(Document(record["text"], url=record["url"]))
        urls[record["id"]] = record["url"]
    labels = [one for one in read_records(folder / "transitions.jsonl.zst") if one["from"] == "2023-09"]
    with SweepStore.create(tmp_path / "store") as store:
        for date, pages in sorted(crawls.items()):
            store.add(pages, date)
        for kind in ("moved", "moved+changed"):
            moves = [(urls[one["a"]], urls[one["b"]]) for one in labels if one["kind"] == kind]
            found = sum(store.locate(old)[0].url == new for old, new in moves)
            scores.add(f"located, {kind}", "peps_sweeps", f"{found} of {len(moves)} moves", recall=found / len(moves))


SHOWN = ("stubs", "splits")
"""Ways of moving that are measured by default: one that leaves a notice, and one with remarks."""
ALIKE = pytest.mark.deep("the steps of another way of moving")


@pytest.mark.parametrize("way", [pytest.param(way, marks=[] if way in SHOWN else ALIKE) for way in moves.WAYS])
def test_pages_that_leave_something_behind(way: str, data: Path, tmp_path: Path, scores: Scores) -> None:
    """Score the least F1 of the kinds with enough cases on sites whose pages move in one way, and the remarks."""
    name = f"win32_sweeps, {way}"
    site = moves.make(data / "win32_sweeps", way, "1")
    site.write(tmp_path / way)
    found = {kind: score for kind, score in sweeps.score(tmp_path / way).items() if score.labelled >= sweeps.ENOUGH}
    least = min(found, key=lambda kind: found[kind].f1)
    scores.add("kinds", name, f"of kind {least}", least=found[least].f1)
    labelled = {(one["kind"], one["a"], one["b"], one["remark"]) for one in site.steps if "remark" in one}
    if labelled:
        remarked = {step for step in sweeps.trace_remarks(tmp_path / way) if step[-1] not in (None, STUB)}
        right = len(remarked & labelled)
        note = f"{right:,} right of {len(remarked):,} found and {len(labelled):,} labelled"
        scores.add("remarks", name, note, precision=right / len(remarked), recall=right / len(labelled))
