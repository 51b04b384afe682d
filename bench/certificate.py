"""`certificate.py [--seeds N] [DOCS.jsonl ...]`: how often the interval of a run's recall holds the truth.

Twenty corpora with families near the threshold (`families.py`), and any files of documents with a `text`, are run at four
promises and with several seeds; the truth is what `recall="exact"` finds. Every run is checked with a second seed, too: of
the pairs that the next seed finds, each counted for 1 / P as many, the share that this one found as well.
"""

import argparse
import json
import math
import multiprocessing
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import families
import neardup
from neardup import Document

THRESHOLD = 0.8
PROMISES = (0.5, 0.8, 0.9, 0.99)
STATED = 0.95


@dataclass
class Tally:
    """Runs of one corpus, or of all."""

    runs: int = 0
    covered: int = 0
    again: int = 0
    """How often the interval holds what the second seed says."""
    below: int = 0
    """How often the truth lies below the interval."""
    none: int = 0
    """Runs without an estimate: nothing was found."""
    recall: float = 0.0
    width: float = 0.0
    true: int = field(default=0, compare=False)

    def add(self, other: "Tally") -> None:
        for name in ("runs", "covered", "again", "below", "none", "recall", "width"):
            setattr(self, name, getattr(self, name) + getattr(other, name))


Pair = tuple[int, int]
Found = dict[Pair, float]
"""Pairs of different texts, by the number of each text's first document, with their resemblance."""


def run(texts: list[str], **options: Any) -> tuple[Found, Any]:
    """List the pairs of a corpus."""
    first: dict[str, int] = {}
    stands = [first.setdefault(text, number) for number, text in enumerate(texts)]
    documents = [Document(text, id=str(number)) for number, text in enumerate(texts)]
    outcome = neardup.find_pairs(documents, threads=1, **options)
    columns = [outcome.pairs.column(name) for name in ("left", "right", "resemblance")]
    pairs = ((*sorted((stands[int(left)], stands[int(right)])), score) for left, right, score in zip(*columns, strict=True))
    return {(left, right): score for left, right, score in pairs if left != right}, outcome


def seeded(line: str, seed: int) -> str:
    """Write a scheme line with another seed."""
    stages = line.split(" | ")
    stages[2] += f" seed={seed}"
    return " | ".join(stages)


def recapture(found: Found, second: Found, bands: int, rows: int) -> float:
    """Give the share of all pairs that the first seed found, by what the second one found."""
    stands = {pair: 1 / (1 - (1 - score**rows) ** bands) for pair, score in second.items()}
    return sum(weight for pair, weight in stands.items() if pair in found) / sum(stands.values())


def judge(texts: list[str], promise: float, seeds: int) -> Tally:
    """Count how often the intervals of one corpus hold."""
    truth, _ = run(texts, threshold=THRESHOLD, recall="exact")
    scheme = neardup.plan_scheme(threshold=THRESHOLD, recall=promise)
    bands, rows = scheme.bands or (0, 0)
    tally = Tally(true=len(truth))
    runs = [run(texts, scheme=seeded(str(scheme), seed)) for seed in range(1, seeds + 2)]
    for (found, outcome), (second, _) in zip(runs, runs[1:], strict=False):
        certificate = outcome.summary["certificate"]
        tally.runs += 1
        if certificate["recall"] is None:
            tally.none += 1
            continue
        recall = len(found) / len(truth)
        # what is rounded outward in the sixth place holds what is not rounded
        tally.covered += certificate["low"] <= recall <= certificate["high"]
        tally.below += recall < certificate["low"]
        if second:
            tally.again += certificate["low"] <= recapture(found, second, bands, rows) <= certificate["high"]
        tally.recall += recall
        tally.width += certificate["high"] - certificate["low"]
    return tally


def least_covered(runs: int) -> int:
    """Give the least number of runs whose intervals must hold, so that fewer come by chance once in a thousand times."""
    tail = 0.0
    for covered in range(runs + 1):
        tail += math.comb(runs, covered) * STATED**covered * (1 - STATED) ** (runs - covered)
        if tail > 0.001:
            return covered
    return runs


def _corpora(files: list[str]) -> Iterator[tuple[str, list[str]]]:
    yield from families.corpora()
    for file in files:
        with open(file, encoding="utf-8") as lines:
            yield file, [json.loads(line)["text"] for line in lines]


def _judge(task: tuple[str, list[str], float, int]) -> tuple[str, float, Tally]:
    name, texts, promise, seeds = task
    return name, promise, judge(texts, promise, seeds)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--seeds", type=int, default=10)
    arguments.add_argument("files", nargs="*")
    asked = arguments.parse_args()
    tasks = [(name, texts, promise, asked.seeds) for name, texts in _corpora(asked.files) for promise in PROMISES]
    rows: dict[str, dict[float, Tally]] = {}
    with multiprocessing.Pool() as pool:
        for name, promise, tally in pool.imap(_judge, tasks, chunksize=1):
            rows.setdefault(name, {})[promise] = tally
    print("| corpus | true pairs |" + "".join(f" {promise}: recall, width, held |" for promise in PROMISES) + " all held | second seed |")
    print("|---|---|" + "---|" * (len(PROMISES) + 2))
    total, by_promise = Tally(), {promise: Tally() for promise in PROMISES}
    for name, tallies in rows.items():
        of_all = Tally()
        cells = []
        for promise, tally in tallies.items():
            of_all.add(tally)
            by_promise[promise].add(tally)
            cells.append(_cell(tally))
        total.add(of_all)
        known = of_all.runs - of_all.none
        print(f"| {name} | {tallies[PROMISES[0]].true:,} | {' | '.join(cells)} | {of_all.covered} of {known} | {of_all.again} of {known} |")
    known = total.runs - total.none
    cells = [_cell(tally) for tally in by_promise.values()]
    print(f"| all | | {' | '.join(cells)} | {total.covered} of {known}: {total.covered / known:.1%} | {total.again} of {known} |")
    print(f"\n{total.none} runs without an estimate; {total.below} truths below their interval, {known - total.covered - total.below} above;")
    print(f"at {STATED:.0%} fewer than {least_covered(known)} of {known} come once in a thousand times")


def _cell(tally: Tally) -> str:
    known = tally.runs - tally.none
    return f"{tally.recall / known:.4f}, {tally.width / known:.4f}, {tally.covered} of {known}" if known else "-"


if __name__ == "__main__":
    main()
