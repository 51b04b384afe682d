#!/usr/bin/env python3
"""Trace the pages of labelled sweeps, and compare the moves with the labels.

usage: sweeps.py DATA [SET ...]

DATA contains one folder for each set, with docs.jsonl.zst (id, url, sweep, text) and transitions.jsonl.zst (kind, a,
b). Only texts, URLs and dates are used. A step is right if its kind, the page before and the page after are all those
of the label. F1 is the harmonic mean of precision and recall of the steps of a kind.

The rows `renamed` are a trial: all URLs of the later sweep are replaced by numbers, so that every page moved and no
name shows where. A label `same` then counts as moved, `changed` as moved+changed.
"""

import sys
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import table

from neardup import plan_scheme
from neardup.sweeps.evidence import TextEvidence
from neardup.sweeps.kinds import KINDS, STUB
from neardup.sweeps.tracing import trace_pages

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "quality"))
from sets import read_records

SETS = ("peps_sweeps", "win32_sweeps")
ENOUGH = 30
"""Least number of cases of a kind that counts in the mean."""
APART = "moved+changed"
"""Kind left out of the mean: a page that moved and was rewritten cannot always be distinguished from a new one."""
HEAD = ["set", "kind", "labelled", "found", "right", "precision", "recall", "F1"]

Known = set[tuple[str, str | None, str | None]]


class Score(NamedTuple):
    """One kind compared with the labels."""

    labelled: int
    found: int
    right: int

    @property
    def precision(self) -> float:
        return self.right / self.found if self.found else 1.0

    @property
    def recall(self) -> float:
        return self.right / self.labelled if self.labelled else 1.0

    @property
    def f1(self) -> float:
        return 2 * self.right / (self.found + self.labelled) if self.found + self.labelled else 1.0


def trace(folder: Path, *, renamed: bool = False) -> Known:
    """Return the steps of a set as (kind, document before, document after); `renamed` replaces the later URLs."""
    return {step[:3] for step in trace_remarks(folder, renamed=renamed)}


def trace_remarks(folder: Path, *, renamed: bool = False) -> set[tuple[str, str | None, str | None, str | None]]:
    """Return the steps of a set as `trace` does, with their remarks."""
    numbers: dict[str, str] = {}
    sweeps: dict[str, dict[str, str | None]] = {}
    ids: dict[tuple[str, str | None], str] = {}
    for record in read_records(folder / "docs.jsonl.zst"):
        sweep, url, text = record["sweep"], record["url"], record["text"]
        sweeps.setdefault(sweep, {})[url] = numbers.setdefault(text, str(len(numbers))) if text.strip() else None
        ids[sweep, url] = record["id"]
    texts = {number: text for text, number in numbers.items()}
    evidence = TextEvidence(texts.__getitem__, str(plan_scheme()))
    found: set[tuple[str, str | None, str | None, str | None]] = set()
    stubs: set[str] = set()
    for old, new in pairwise(sorted(sweeps)):
        names = {url: f"renamed:{number}" if renamed else url for number, url in enumerate(sorted(sweeps[new]))}
        urls: dict[str | None, str] = {name: url for url, name in names.items()}
        later = {names[url]: text for url, text in sweeps[new].items()}
        steps = trace_pages(sweeps[old], later, evidence, stubs=stubs)
        found |= {
            (step.kind, ids.get((old, step.old)), ids.get((new, urls.get(step.new))), step.remark) for step in steps
        }
        stubs = {urls[url] for url in stubs if url in later and sweeps[old][url] == later[url]}
        stubs |= {urls[step.new] for step in steps if step.new is not None and step.remark == STUB}
    return found


def score(folder: Path, *, renamed: bool = False) -> dict[str, Score]:
    """Compare the steps of a set with its labels, kind by kind."""
    found = trace(folder, renamed=renamed)
    kinds = {"same": "moved", "changed": "moved+changed"} if renamed else {}
    records = read_records(folder / "transitions.jsonl.zst")
    labels = {(kinds.get(one["kind"], one["kind"]), one["a"], one["b"]) for one in records}

    def of(kind: str, steps: Known) -> Known:
        return {step for step in steps if step[0] == kind}

    return {kind: Score(*map(len, (of(kind, labels), of(kind, found), of(kind, found & labels)))) for kind in KINDS}


def mean(scores: dict[str, Score]) -> float:
    """Return the mean F1 of the kinds that count."""
    counted = [one.f1 for kind, one in scores.items() if one.labelled >= ENOUGH and kind != APART]
    return sum(counted) / len(counted)


def main() -> None:
    """Print a row for every kind of every set, and the mean of each set."""
    if len(sys.argv) < 2:
        raise SystemExit(__doc__)
    data, *names = sys.argv[1:]
    rows = []
    for renamed in (False, True):
        for name in names or SETS:
            scores = score(Path(data) / name, renamed=renamed)
            title = f"{name}, renamed" if renamed else name
            for kind, one in scores.items():
                ratios = (one.precision, one.recall, one.f1)
                rows.append([title, kind, *map(table.count, one), *map(table.portion, ratios)])
            rows.append([title, f"mean of kinds with {ENOUGH} cases", *[""] * 5, table.portion(mean(scores))])
    print(table.lay_out([HEAD, *rows]))


if __name__ == "__main__":
    main()
