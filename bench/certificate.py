#!/usr/bin/env python3
"""Count how often the confidence interval of a run's recall contains the true recall.

usage: certificate.py [--seeds N] [DOCS.jsonl ...]

Twenty corpora (tests/support/families.py, and texts of the index bench), and any files of documents with a `text`, are
run at four promises, each with N seeds (10). The truth is what `recall="exact"` finds. A cell shows the mean recall,
the mean width of the interval, and the number of intervals that contain the true recall. Each run is also checked with
a second seed: each pair that the next seed finds has the weight 1 / P, where P is its chance to be found. The weighted
share of these pairs that this run found as well must be in the interval.
"""

import argparse
import itertools
import json
import math
import multiprocessing
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from index_texts import Texts

import neardup

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "support"))
import families

THRESHOLD = 0.8
PROMISES = (0.5, 0.8, 0.9, 0.99)
STATED = 0.95
RARE = 0.001

Pair = tuple[int, int]
Found = dict[Pair, float]
"""Pairs of different texts, each text named by its first document, with their resemblance."""


@dataclass
class Tally:
    """Runs of one corpus, or of several."""

    runs: int = 0
    none: int = 0
    """Runs without an estimate, because nothing was found."""
    held: int = 0
    """Intervals that contain the true recall."""
    below: int = 0
    """Intervals that are above the true recall."""
    held_again: int = 0
    """Intervals that contain the recall estimated by the second seed."""
    recall: float = 0.0
    width: float = 0.0

    def add(self, other: "Tally") -> None:
        """Add the runs of another tally."""
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)

    @property
    def known(self) -> int:
        """Number of runs with an estimate."""
        return self.runs - self.none


def corpora(files: list[str]) -> Iterator[tuple[str, list[str]]]:
    """Yield the name and the texts of each corpus."""
    for name in families.MAKERS:
        yield name, families.make(name)
    texts = Texts(words=90)
    yield "texts of the index bench", [texts.text(number) for number in range(1500)]
    for file in files:
        with open(file, encoding="utf-8") as lines:
            yield Path(file).name, [json.loads(line)["text"] for line in lines]


def run(texts: list[str], **options: Any) -> tuple[Found, dict[str, Any]]:
    """Find the pairs of a corpus; return them and the certificate."""
    first: dict[str, int] = {}
    originals = [first.setdefault(text, number) for number, text in enumerate(texts)]
    documents = [neardup.Document(text, id=str(number)) for number, text in enumerate(texts)]
    outcome = neardup.find_pairs(documents, threads=1, **options)
    columns = [outcome.pairs.column(name) for name in ("left", "right", "resemblance")]
    found = {}
    for left, right, resemblance in zip(*columns, strict=True):
        one, other = sorted((originals[int(left)], originals[int(right)]))
        if one != other:
            found[one, other] = resemblance
    return found, outcome.summary["certificate"]


def seeded(line: str, seed: int) -> str:
    """Return a scheme line with another seed."""
    tokens, features, signature, *rest = line.split(" | ")
    return " | ".join([tokens, features, f"{signature} seed={seed}", *rest])


def recapture(found: Found, second: Found, bands: int, rows: int) -> float:
    """Estimate the share of all pairs that the first seed found, from the pairs that the second seed found.

    It is the share of marked items among the recaptured ones (Lincoln and Petersen). Each is weighted by the inverse of
    its chance to be recaptured.
    """
    weights = {pair: 1 / (1 - (1 - score**rows) ** bands) for pair, score in second.items()}
    return sum(weight for pair, weight in weights.items() if pair in found) / sum(weights.values())


def judge(texts: list[str], promise: float, seeds: int) -> tuple[int, Tally]:
    """Return the number of true pairs in a corpus, and how often its intervals contain the true recall."""
    truth, _ = run(texts, threshold=THRESHOLD, recall="exact")
    scheme = neardup.plan_scheme(threshold=THRESHOLD, recall=promise)
    assert scheme.bands is not None
    tally = Tally()
    runs = (run(texts, scheme=seeded(str(scheme), seed)) for seed in range(1, seeds + 2))
    for (found, certificate), (second, _) in itertools.pairwise(runs):
        tally.runs += 1
        if certificate["recall"] is None:
            tally.none += 1
            continue
        recall = len(found) / len(truth)
        tally.held += certificate["low"] <= recall <= certificate["high"]
        tally.below += recall < certificate["low"]
        tally.held_again += (
            not second or certificate["low"] <= recapture(found, second, *scheme.bands) <= certificate["high"]
        )
        tally.recall += recall
        tally.width += certificate["high"] - certificate["low"]
    return len(truth), tally


def least_held(runs: int) -> int:
    """Return the least number of `runs` intervals that must hold: fewer occur by chance once in a thousand times."""
    tail = 0.0
    for held in range(runs + 1):
        ways = math.lgamma(runs + 1) - math.lgamma(held + 1) - math.lgamma(runs - held + 1)
        tail += math.exp(ways + held * math.log(STATED) + (runs - held) * math.log(1 - STATED))
        if tail > RARE:
            return held
    return runs


def _judge(task: tuple[str, list[str], float, int]) -> tuple[str, float, int, Tally]:
    name, texts, promise, seeds = task
    return name, promise, *judge(texts, promise, seeds)


def _cell(tally: Tally) -> str:
    if not tally.known:
        return "-"
    return f"{tally.recall / tally.known:.4f}, {tally.width / tally.known:.4f}, {tally.held}"


def _row(*cells: object) -> str:
    return f"| {' | '.join(map(str, cells))} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("files", nargs="*")
    args = parser.parse_args()
    tasks = [(name, texts, promise, args.seeds) for name, texts in corpora(args.files) for promise in PROMISES]
    print(_row("corpus", "true pairs", *(f"promised {promise}" for promise in PROMISES), "held", "second seed"))
    print(_row("---", *["--:"] * (len(PROMISES) + 3)))
    of_all = {promise: Tally() for promise in PROMISES}
    with multiprocessing.Pool() as pool:
        judged = pool.imap(_judge, tasks)
        for name, group in itertools.groupby(judged, key=lambda result: result[0]):
            total, cells, truths = Tally(), [], set()
            for _, promise, true, tally in group:
                truths.add(true)
                total.add(tally)
                of_all[promise].add(tally)
                cells.append(_cell(tally))
            print(
                _row(name, f"{truths.pop():,}", *cells, f"{total.held} of {total.known}", total.held_again), flush=True
            )
    total = Tally()
    for tally in of_all.values():
        total.add(tally)
    print(_row("all", "", *map(_cell, of_all.values()), f"{total.held} of {total.known}", total.held_again))
    above = total.known - total.held - total.below
    print(f"\n{total.held / total.known:.1%} held; the truth lay below {total.below} intervals and above {above}.")
    print(f"Of {total.known} fewer than {least_held(total.known)} would hold once in a thousand times at {STATED:.0%}.")


if __name__ == "__main__":
    main()
