"""Precision and recall from a sample: compared with their definitions, a full sample, and draws from a known truth."""

from collections.abc import Sequence
from fractions import Fraction
from math import log
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from neardup.evaluation.intervals import Estimate
from neardup.review.curve import ReviewPoint, choose_thresholds, suggest_balanced, suggest_precise
from neardup.review.estimate import (
    NO_DUPLICATES,
    NO_PAIRS,
    Cell,
    Figures,
    Judged,
    PairCounts,
    divide,
    estimate,
    estimate_share,
)
from neardup.review.strata import Strata

FLOOR, THRESHOLD = Fraction(1, 2), Fraction(4, 5)
STRATA = Strata(FLOOR, "0.1", THRESHOLD)
UNION = 40
KNOWN = st.lists(st.tuples(st.integers(UNION // 2, UNION), st.sampled_from([True, False, None])), max_size=60)
Pair = tuple[int, bool | None]
"""Number of the 40 features that both documents have, and whether they are duplicates; `None` if undecided."""


def figures(pairs: Sequence[Pair], threshold: Fraction) -> Figures:
    judged = [
        Judged(STRATA.place(shared, UNION), Fraction(shared, UNION), verdict)
        for shared, verdict in pairs
        if verdict is not None
    ]
    return estimate(divide(STRATA, PairCounts((shared, UNION) for shared, _ in pairs), judged, threshold), STRATA)


def estimate_slowly(pairs: Sequence[Pair], threshold: Fraction) -> tuple[Fraction | None, Fraction | None]:
    """Estimate precision and recall by definition, pair by pair.

    Each pair counts as the share of duplicates among the decided pairs of its stratum on its side of the threshold, or
    on both sides if one of them has no decided pair.
    """

    def share(shared: int) -> Fraction | None:
        stratum = [pair for pair in pairs if STRATA.place(pair[0], UNION) == STRATA.place(shared, UNION)]
        sides = [
            [
                verdict
                for other, verdict in stratum
                if verdict is not None and (Fraction(other, UNION) >= threshold) == side
            ]
            for side in (True, False)
        ]
        own = sides[Fraction(shared, UNION) < threshold] if all(sides) else sides[0] + sides[1]
        return Fraction(sum(own), len(own)) if own else None

    below, above = (
        [share(pair[0]) for pair in pairs if (Fraction(pair[0], UNION) >= threshold) == side] for side in (False, True)
    )
    found = None if None in above else sum(filter(None, above), Fraction(0))
    every = None if None in below or found is None else sum(filter(None, below), found)
    return found / len(
        above
    ) if above and found is not None else None, found / every if every and found is not None else None


def covers(found: Estimate, truth: float) -> bool:
    assert found.low is not None
    assert found.high is not None
    return 0 <= found.low <= truth <= found.high <= 1


def to_float(number: Fraction | None) -> float | None:
    return None if number is None else round(float(number), 6)


@given(KNOWN, st.integers(50, 100))
def test_figures_are_those_of_the_definition(pairs: list[Pair], hundredths: int) -> None:
    threshold = Fraction(hundredths, 100)
    found = figures(pairs, threshold)
    precision, recall = estimate_slowly(pairs, threshold)
    assert (found.precision.value, found.recall.value) == (to_float(precision), to_float(recall))
    assert found.pairs == sum(Fraction(shared, UNION) >= threshold for shared, _ in pairs)
    if precision and recall:
        assert found.f1.value == pytest.approx(float(2 * precision * recall / (precision + recall)), abs=1e-6)
    for one in found[1:]:
        assert (one.value is None) == (one.reason is not None)
        assert one.value is None or covers(one, one.value)


@given(st.lists(st.tuples(st.integers(UNION // 2, UNION), st.booleans()), min_size=1), st.integers(50, 100))
def test_a_full_sample_is_the_truth(pairs: list[tuple[int, bool]], hundredths: int) -> None:
    threshold = Fraction(hundredths, 100)
    found = figures(pairs, threshold)
    above = [verdict for shared, verdict in pairs if Fraction(shared, UNION) >= threshold]
    duplicates = sum(verdict for _, verdict in pairs)
    if above:
        precision = round(sum(above) / len(above), 6)
        assert found.precision == Estimate(precision, precision, precision, None)
    if duplicates:
        recall, f1 = round(sum(above) / duplicates, 6), round(2 * sum(above) / (len(above) + duplicates), 6)
        assert found[2:] == (Estimate(recall, recall, recall, None), Estimate(f1, f1, f1, None))


def test_unknown_figures_have_a_reason() -> None:
    undecided: list[Pair] = [(39, None), (33, True), (21, None)]
    found = figures(undecided, THRESHOLD)
    assert found.precision == Estimate(None, None, None, "no sampled pair is decided yet in 0.9 to below 1")
    assert found.recall.reason == "no sampled pair is decided yet in 0.5 to below 0.6, 0.9 to below 1"
    assert figures([(33, True)], Fraction(1)).precision.reason == NO_PAIRS
    assert figures([(33, True)], Fraction(1)).recall == Estimate(0.0, 0.0, 0.0, None)
    assert figures([(33, False)], FLOOR).recall.reason == NO_DUPLICATES


def test_without_an_error_the_bound_is_exact() -> None:
    share = estimate_share(Cell(0, 101, 101, 20, 20, Fraction(1)), STRATA)
    # (1 - p)^n = 0.025, for n scaled to a draw without replacement
    assert share == Estimate(1.0, round(0.025 ** (log(1 - 1 / 101) / log(1 - 20 / 101)), 6), 1.0, None)
    # 78 of 80 pairs miss one that differs with a probability of exactly 2 / 80
    assert estimate_share(Cell(0, 80, 80, 78, 78, Fraction(1)), STRATA) == Estimate(1.0, 79 / 80, 1.0, None)


@pytest.mark.parametrize("hundredths", [80, 85, 100])
def test_intervals_cover_the_truth_in_most_draws(hundredths: int) -> None:
    threshold, random = Fraction(hundredths, 100), Random(hundredths)
    known = {
        20: (900, 0.05),
        25: (300, 0.2),
        30: (200, 0.5),
        33: (90, 0.7),
        35: (110, 0.9),
        37: (300, 0.95),
        40: (500, 1),
    }
    truth = [(shared, at < share * size) for shared, (size, share) in known.items() for at in range(size)]
    strata = [[pair for pair in truth if STRATA.place(pair[0], UNION) == stratum] for stratum in range(len(STRATA))]
    counts, whole = PairCounts((shared, UNION) for shared, _ in truth), figures(truth, threshold)
    covered = [0, 0, 0]
    for _ in range(400):
        judged = [
            Judged(stratum, Fraction(shared, UNION), verdict)
            for stratum, pairs in enumerate(strata)
            for shared, verdict in random.sample(pairs, 20)
        ]
        drawn = estimate(divide(STRATA, counts, judged, threshold), STRATA)
        for at, (one, true) in enumerate(zip(drawn[1:], whole[1:], strict=True)):
            covered[at] += covers(one, true.value or 0)
    assert min(covered) >= 0.95 * 400, covered


def test_thresholds_are_suggested() -> None:
    assert [str(one) for one in choose_thresholds([Fraction(97, 100), Fraction(89, 90), Fraction(1)])] == [
        "97/100",
        "49/50",
        "89/90",
        "99/100",
        "1",
    ]

    def point(threshold: str, low: float | None, f1: float | None) -> ReviewPoint:
        return ReviewPoint(threshold, 9, 1, 2, 2, Estimate(low, low, low, None), *[Estimate(f1, f1, f1, None)] * 2)

    points = [point("0.5", None, None), point("0.6", 0.8, 0.7), point("0.7", 0.9, 0.7), point("0.8", 0.8, 0.6)]
    assert suggest_precise(points, Fraction("0.9")) == points[2]
    assert suggest_precise(points, Fraction("0.91")) is None
    assert suggest_balanced(points) == points[2]
    assert suggest_balanced(points[:1]) is None
