"""Labels of several people combined: the verdict on a pair, the agreement of reviewers, and the rows of an export."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from math import sqrt
from typing import Any, NamedTuple

from neardup.evaluation.intervals import DIGITS, Estimate, Z
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

    `share` is agreed / pairs, and None if there are no such pairs. `kappa` is the agreement beyond chance.
    """

    first: str
    second: str
    pairs: int
    agreed: int
    share: float | None
    kappa: Estimate


def compare_reviewers(labels: Iterable[Mapping[str, str]]) -> list[Agreement]:
    """Compare every two reviewers. `labels` are those of each pair, by reviewer."""
    sure = [{reviewer: label for reviewer, label in one.items() if label != "unsure"} for one in labels]
    reviewers = sorted({reviewer for one in sure for reviewer in one})
    return [
        _compare(first, second, [(one[first], one[second]) for one in sure if first in one and second in one])
        for first, second in combinations(reviewers, 2)
    ]


def _compare(first: str, second: str, labels: list[tuple[str, str]]) -> Agreement:
    if not labels:
        return Agreement(first, second, 0, 0, None, Estimate(None, None, None, NO_COMMON))
    counts = Counter(labels)
    agreed = sum(count for (one, other), count in counts.items() if one == other)
    table = [[counts[one, other] for other in _SURE] for one in _SURE]
    return Agreement(first, second, len(labels), agreed, round(agreed / len(labels), DIGITS), estimate_kappa(table))


NO_COMMON = "there is no pair of which both are sure"
ONE_LABEL = "both gave all pairs one and the same label"
_SURE = ("duplicate", "not")
_PRIOR = Fraction(1, 2)
"""Added to each count for the interval, so that perfect agreement on a few pairs is not certain."""


def estimate_kappa(table: Sequence[Sequence[int]]) -> Estimate:
    """Estimate kappa = (o - c) / (1 - c) of the observed agreement o and that of chance c (Cohen 1960).

    `table` counts the pairs by the label of the first reviewer and that of the second. The 95 % interval is that of
    Fleiss, Cohen and Everitt (1969) for large samples, of the counts with 1/2 added to each, and contains kappa. If
    both gave all pairs one and the same label, kappa is 0 / 0.
    """
    kappa, _ = _measure_kappa([[Fraction(count) for count in row] for row in table])
    if kappa is None:
        return Estimate(None, None, None, ONE_LABEL)
    middle, variance = _measure_kappa([[count + _PRIOR for count in row] for row in table])
    value, centre, spread = float(kappa), float(middle or 0), Z * sqrt(variance)
    low, high = max(min(centre - spread, value), -1.0), min(max(centre + spread, value), 1.0)
    return Estimate(round(value, DIGITS), round(low, DIGITS), round(high, DIGITS), None)


def _measure_kappa(table: Sequence[Sequence[Fraction]]) -> tuple[Fraction | None, float]:
    """Return kappa, None for 0 / 0, and its variance.

    With p_ij the shares, r_i and c_i those of row and column i, and k = kappa, the variance is (sum_i p_ii (1 - (r_i +
    c_i) (1 - k))^2 + (1 - k)^2 sum_i!=j p_ij (c_i + r_j)^2 - (k - c (1 - k))^2) / (n (1 - c)^2).
    """
    total = sum(map(sum, table))
    shares = [[count / total for count in row] for row in table]
    rows, columns = [sum(row) for row in shares], [sum(column) for column in zip(*shares, strict=True)]
    chance = sum((row * column for row, column in zip(rows, columns, strict=True)), Fraction(0))
    if chance == 1:
        return None, 0.0
    kappa = (shares[0][0] + shares[1][1] - chance) / (1 - chance)
    rest = 1 - kappa
    spread = sum(shares[i][i] * (1 - (rows[i] + columns[i]) * rest) ** 2 for i in (0, 1))
    spread += rest**2 * sum(shares[i][1 - i] * (columns[i] + rows[1 - i]) ** 2 for i in (0, 1))
    spread -= (kappa - chance * rest) ** 2
    return kappa, float(spread / (total * (1 - chance) ** 2))


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
