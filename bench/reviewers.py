#!/usr/bin/env python3
"""Let simulated people label the pairs of labelled sets, and compare what a review concludes with the truth.

usage: reviewers.py DATA [SET ...] [--runs 20] [--noise 0 0.01 0.02 0.06] [--labels 400] [--processes 2]

DATA contains one folder for each set, with docs.jsonl.zst and its truth. The pairs at or above resemblance 0.5 are
listed as a review lists them, and each is a duplicate or not by the truth of the set: its clusters, its pairs, or its
exact similarities at or above a cut. Noise turns that share of the duplicates into pairs that are none, so that the
precision that can be reached falls; from 0.06 on there is hardly a threshold of precision 0.95.

Each review draws pairs in a random order of its own, and labels them as `advise` asks until it ends; it draws more
when `advise` says so. A threshold is there to be found if its true precision is at least 0.98 and at least 100 pairs
are at or above it: 400 labels do not distinguish a precision just above 0.95 from one just below. The columns:

    exist, found     reviews in which such a threshold is there; those of them that propose one.
    none, proposed   reviews in which no threshold has precision 0.95; those of them that propose one.
    false            proposals, of all reviews, whose true precision is below 0.95.
    precision, recall, F1   share of the 95 % intervals, at eight thresholds, that contain the truth.
    labels           median and largest number of labels.
    drew             reviews that drew more pairs, once or several times.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from fractions import Fraction
from functools import partial
from pathlib import Path
from random import Random
from statistics import median
from typing import Any, NamedTuple

import pyarrow
import table

from neardup import find_pairs
from neardup.evaluation.intervals import Estimate
from neardup.evaluation.listed_pair import read_rows
from neardup.review.advice import Tally, advise
from neardup.review.curve import choose_thresholds
from neardup.review.estimate import Judged, PairCounts, divide, estimate
from neardup.review.goal import Goal
from neardup.review.options import EACH, more_of, plan_draw
from neardup.review.strata import Strata

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "quality"))
from sets import read_records

WORDS = "words | shingles:5 | minhash:96 | bands:16x6 | resemblance>=0.8"
CHARS = "chars | shingles:5 | minhash:96 | bands:16x6 | resemblance>=0.8"
CLUSTERS = ("peps_sweeps", "win32_sweeps", "react_ko_sweeps", "kafka_html")
CUT = {
    "spdx_licenses": WORDS,
    "law_codes_19c_dev": WORDS,
    "cve_2020_2021": WORDS,
    "nsmc_reviews": CHARS,
    "react_ko_sweeps": CHARS,
}
CUTS = (0.6, 0.8)
COMPLETE = "mccormick_articles"
"""A set that lists all its duplicates."""
AT = [Fraction(at, 100) for at in (50, 57, 65, 72, 80, 88, 90, 97)]
FIGURES = ("precision", "recall", "f1")
REACHABLE, ENOUGH = Fraction(98, 100), 100
HEAD = [
    "pairs of",
    "noise",
    "exist",
    "found",
    "none",
    "proposed",
    "false",
    "precision",
    "recall",
    "F1",
    "labels",
    "drew",
]

Truth = Callable[[str, str], bool]


class Pair(NamedTuple):
    """A listed pair: its resemblance as a ratio of whole numbers, and whether it is a duplicate."""

    shared: int
    union: int
    duplicate: bool


class Population(NamedTuple):
    """The listed pairs of a set."""

    name: str
    pairs: list[Pair]


class Outcome(NamedTuple):
    """A simulated review: what there is to be found, what it proposes, and its intervals."""

    exists: bool
    none: bool
    proposes: bool
    false: bool
    labels: int
    draws: int
    covered: tuple[int, int, int]
    known: tuple[int, int, int]


def by_clusters(folder: Path) -> Truth:
    clusters = {row["id"]: row["cluster"] for row in read_records(folder / "truth.jsonl.zst")}
    return lambda left, right: left in clusters and clusters[left] == clusters.get(right)


def by_pairs(rows: Iterable[dict[str, Any]]) -> Truth:
    known = {frozenset((row["a"], row["b"])) for row in rows}
    return lambda left, right: frozenset((left, right)) in known


def list_populations(data: Path, names: list[str]) -> Iterator[Population]:
    """Yield the populations of the sets, of all if no names are given."""
    if not names or COMPLETE in names:
        rows = read_records(data / COMPLETE / "truth.jsonl.zst")
        yield _list(data / COMPLETE, COMPLETE, WORDS, by_pairs(row for row in rows if row["label"]))
    for name in CLUSTERS:
        if not names or name in names:
            yield _list(data / name, f"{name}, clusters", WORDS, by_clusters(data / name))
    for name, scheme in CUT.items():
        for cut in CUTS if not names or name in names else ():
            rows = read_records(data / name / "exact_pairs.jsonl.zst")
            truth = by_pairs(row for row in rows if row["jaccard"] >= cut)
            yield _list(data / name, f"{name}, {cut}", scheme, truth)


def _list(folder: Path, name: str, scheme: str, truth: Truth) -> Population:
    fields = ("id", "text", "html")
    rows = [{field: row[field] for field in fields if field in row} for row in read_records(folder / "docs.jsonl.zst")]
    html = "html_field" if "html" in rows[0] else "text_field"
    options: Any = {"id_field": "id", html: html.removesuffix("_field")}
    listing = plan_draw(scheme, {}).comparison.scheme
    found = find_pairs(pyarrow.Table.from_pylist(rows), scheme=listing, **options)
    exact = ((pair.exact, truth(pair.left, pair.right)) for pair in read_rows(found.pairs))
    return Population(name, [Pair(*ratio.as_integer_ratio(), duplicate) for ratio, duplicate in exact])


def add_noise(population: Population, noise: float, random: Random) -> Population:
    """Return the population with a share of its duplicates turned into pairs that are none."""
    pairs = [pair._replace(duplicate=pair.duplicate and random.random() >= noise) for pair in population.pairs]
    return population._replace(pairs=pairs)


class Figure(NamedTuple):
    """The true counts at a threshold: pairs, duplicates among them, and all duplicates."""

    pairs: int
    right: int
    duplicates: int

    @property
    def precision(self) -> float | None:
        return self.right / self.pairs if self.pairs else None

    @property
    def recall(self) -> float | None:
        return self.right / self.duplicates if self.duplicates else None

    @property
    def f1(self) -> float | None:
        return 2 * self.right / (self.pairs + self.duplicates) if self.duplicates else None


class Setting:
    """What all reviews of a population share: strata, counts, and the true figures."""

    def __init__(self, population: Population) -> None:
        self.strata: Strata = plan_draw(WORDS, {}).strata
        self.counts = PairCounts((pair.shared, pair.union) for pair in population.pairs)
        every = [
            Judged(self.strata.place(pair.shared, pair.union), Fraction(pair.shared, pair.union), pair.duplicate)
            for pair in population.pairs
        ]
        self.members: list[list[Judged]] = [[] for _ in self.strata.edges]
        for one in every:
            self.members[one.stratum].append(one)
        self.thresholds = choose_thresholds(self.strata.edges)
        right = PairCounts((pair.shared, pair.union) for pair in population.pairs if pair.duplicate)
        self.true = {
            at: Figure(self.counts.at_least(at), right.at_least(at), right.at_least(self.strata.edges[0]))
            for at in self.thresholds
        }


def review(setting: Setting, goal: Goal, random: Random) -> Outcome:
    """Label pairs as a review asks until it ends, draw more when advised, and compare what it says with the truth."""
    # no stratum gets more labels than the goal has
    order = [random.sample(members, min(len(members), goal.labels)) for members in setting.members]
    judged: list[Judged] = []
    decided, duplicates = Counter[int](), Counter[int]()
    each, draws = EACH, 0
    while True:
        tallies = [
            Tally(len(members), decided[stratum], duplicates[stratum])
            for stratum, members in enumerate(setting.members)
        ]
        available = [at for at, one in enumerate(tallies) if one.decided < min(each, one.pairs)]
        undrawn = [at for at, one in enumerate(tallies) if one.pairs > each]
        advice = advise(tallies, goal, available, undrawn)
        if advice.draw is not None:
            each, draws = more_of(each), draws + 1
            continue
        if advice.stratum is None:
            break
        one = order[advice.stratum][decided[advice.stratum]]
        judged.append(one)
        decided[advice.stratum] += 1
        duplicates[advice.stratum] += one.duplicate
    return conclude(setting, goal, judged, draws)


def conclude(setting: Setting, goal: Goal, judged: list[Judged], draws: int) -> Outcome:
    """Return the outcome of a review with these labels."""
    figures = {at: estimate(divide(setting.strata, setting.counts, judged, at), setting.strata) for at in AT}
    wanted = Fraction(goal.precision)
    proposed = propose(setting, judged, wanted)
    values = {at: true.precision for at, true in setting.true.items()}
    several = [[(getattr(figures[at], name), getattr(setting.true[at], name)) for at in AT] for name in FIGURES]
    sure = [[(one, true) for one, true in rows if one.value is not None and true is not None] for rows in several]
    return Outcome(
        exists=any(
            value is not None and value >= REACHABLE and setting.true[at].pairs >= ENOUGH
            for at, value in values.items()
        ),
        none=all(value is None or value < wanted for value in values.values()),
        proposes=proposed is not None,
        false=proposed is not None and (values[proposed] or 0) < wanted,
        labels=len(judged),
        draws=draws,
        covered=tuple(sum(covers(one, true) for one, true in rows) for rows in sure),  # type: ignore[arg-type]
        known=tuple(map(len, sure)),  # type: ignore[arg-type]
    )


def propose(setting: Setting, judged: list[Judged], wanted: Fraction) -> Fraction | None:
    """Return the lowest threshold whose precision is supported, as `Review.suggest` does."""
    for at in setting.thresholds:
        cells = divide(setting.strata, setting.counts, judged, at)
        above = sum(cell.above for cell in cells)
        right = sum(cell.above * (cell.share or 0) for cell in cells)
        # the low end is not above the value
        if above and right >= wanted * above and (estimate(cells, setting.strata).precision.low or 0) >= wanted:
            return at
    return None


def covers(found: Estimate, true: float) -> bool:
    # both are rounded to six places
    return (found.low or 0) - 1e-6 <= true <= (found.high or 0) + 1e-6


def simulate(population: Population, noise: float, runs: int, goal: Goal) -> list[Outcome]:
    """Simulate a number of reviews of a population."""
    random = Random(f"{population.name} {noise}")
    setting = Setting(add_noise(population, noise, random))
    return [review(setting, goal, random) for _ in range(runs)]


def show(name: str, noise: str, outcomes: list[Outcome]) -> list[str]:
    """Return the row of a table."""
    exist, none = ([one for one in outcomes if getattr(one, kind)] for kind in ("exists", "none"))
    labels = [one.labels for one in outcomes]
    shares = [
        sum(one.covered[at] for one in outcomes) / max(sum(one.known[at] for one in outcomes), 1) for at in (0, 1, 2)
    ]
    return [
        name,
        noise,
        f"{len(exist)}",
        f"{sum(one.proposes for one in exist)}",
        f"{len(none)}",
        f"{sum(one.proposes for one in none)}",
        f"{sum(one.false for one in outcomes)}",
        *(f"{share:.3f}" for share in shares),
        f"{median(labels):.0f}, {max(labels)}",
        f"{sum(one.draws > 0 for one in outcomes)}",
    ]


def main() -> None:
    """Print a table with a row for each population and noise, and one for all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("sets", nargs="*")
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--noise", type=float, nargs="+", default=[0.0, 0.01, 0.02, 0.06])
    parser.add_argument("--labels", type=int, default=Goal().labels)
    parser.add_argument("--processes", type=int, default=2)
    given = parser.parse_args()
    cases = [(population, noise) for population in list_populations(given.data, given.sets) for noise in given.noise]
    goal = Goal(labels=given.labels)
    with ProcessPoolExecutor(given.processes) as pool:
        found = list(pool.map(partial(simulate, runs=given.runs, goal=goal), *zip(*cases, strict=True)))
    rows = [
        show(population.name, f"{noise:g}", outcomes)
        for (population, noise), outcomes in zip(cases, found, strict=True)
    ]
    every = [one for outcomes in found for one in outcomes]
    print(table.lay_out([HEAD, *rows, show(f"all {len(every):,} reviews", "", every)]))


if __name__ == "__main__":
    main()
