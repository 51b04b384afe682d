"""Labels of several people combined: the verdict on a pair, the agreement of reviewers, and the rows of an export."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import combinations
from typing import Any, NamedTuple

from neardup.evaluation.intervals import DIGITS
from neardup.evaluation.listed_pair import Key
from neardup.review.label_log import LABELS, Labels
from neardup.review.sample import SampledPair
from neardup.review.strata import Strata


def judge(labels: Iterable[str]) -> bool | None:
    """Return whether most reviewers who are sure label a pair a duplicate; None for a tie."""
    votes = sum({"duplicate": 1, "not": -1}.get(label, 0) for label in labels)
    return votes > 0 if votes else None


class Agreement(NamedTuple):
    """Agreement of two reviewers: the number of pairs of which both were sure, and of those on which they agree.

    `share` is agreed / pairs, and `kappa` the agreement beyond chance; None if they are not known.
    """

    first: str
    second: str
    pairs: int
    agreed: int
    share: float | None
    kappa: float | None


def compare_reviewers(labels: Iterable[Mapping[str, str]]) -> list[Agreement]:
    """Compare every two reviewers. `labels` are those of each pair, by reviewer."""
    sure = [{reviewer: label for reviewer, label in one.items() if label != "unsure"} for one in labels]
    reviewers = sorted({reviewer for one in sure for reviewer in one})
    return [
        _compare(first, second, [(one[first], one[second]) for one in sure if first in one and second in one])
        for first, second in combinations(reviewers, 2)
    ]


def _compare(first: str, second: str, labels: list[tuple[str, str]]) -> Agreement:
    """Compare two reviewers: kappa = (o - c) / (1 - c), of the observed agreement and that of chance (Cohen 1960).

    If both gave all pairs one and the same label, chance alone would make them agree, and kappa is 0 / 0.
    """
    if not labels:
        return Agreement(first, second, 0, 0, None, None)
    pairs, agreed = len(labels), sum(one == other for one, other in labels)
    by_first, by_second = (Fraction([row[side] for row in labels].count("duplicate"), pairs) for side in (0, 1))
    chance = by_first * by_second + (1 - by_first) * (1 - by_second)
    observed = Fraction(agreed, pairs)
    kappa = None if chance == 1 else round(float((observed - chance) / (1 - chance)), DIGITS)
    return Agreement(first, second, pairs, agreed, round(float(observed), DIGITS), kappa)


def export_rows(sample: Iterable[SampledPair], labels: Labels) -> Iterator[dict[str, Any]]:
    """Yield the decided pairs as a, b and label (0 or 1), with their resemblance and the number of each label."""
    for pair in sample:
        counts = Counter[str](labels.get(pair.key, {}).values())
        verdict = judge(counts.elements())
        if verdict is not None:
            a, b = pair.key
            row = {"a": a, "b": b, "label": int(verdict), "resemblance": round(float(pair.resemblance), DIGITS)}
            yield row | {label: counts[label] for label in LABELS}


class Progress(NamedTuple):
    """Number of pairs of the sample that a person has labelled: of all, and of each stratum from the lowest on."""

    labelled: int
    total: int
    strata: list["StratumProgress"]


class StratumProgress(NamedTuple):
    """Progress of a person in one stratum."""

    low: str
    high: str
    labelled: int
    total: int


def measure_progress(strata: Strata, sample: Iterable[SampledPair], labelled: Collection[Key]) -> Progress:
    """Return the progress of a person who has labelled the pairs `labelled`."""
    total, done = Counter[int](), Counter[int]()
    for pair in sample:
        total[pair.stratum] += 1
        done[pair.stratum] += pair.key in labelled
    rows = [
        StratumProgress(strata.low(stratum), strata.high(stratum), done[stratum], total[stratum])
        for stratum in range(len(strata))
    ]
    return Progress(done.total(), total.total(), rows)


class Reviewer(NamedTuple):
    """A person, and the number of pairs that this person has labelled."""

    name: str
    labelled: int


def list_reviewers(labels: Mapping[Key, Collection[str]]) -> list[Reviewer]:
    """Return the reviewers by name, each with the number of labelled pairs. `labels` has the reviewers of each pair."""
    counts = Counter(name for reviewers in labels.values() for name in reviewers)
    return [Reviewer(name, counts[name]) for name in sorted(counts)]
