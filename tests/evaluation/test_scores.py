"""Scores from labels: a case counted by hand, random cases compared with a slow direct count, and the intervals."""

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from itertools import combinations
from math import isclose
from random import Random
from typing import Any

import pytest

from neardup.evaluation.curve import POINTS, draw_curve
from neardup.evaluation.intervals import Estimate, Z, wilson
from neardup.evaluation.labels import ClusterLabels, Labels, PairLabels
from neardup.evaluation.trial import FoundPairs, Scores, score_found

Pair = tuple[str, str]
Totals = tuple[Fraction, ...]


def label_clusters(*clusters: str) -> ClusterLabels:
    """Label documents: each argument is a cluster, with its documents separated by spaces."""
    labels = ClusterLabels()
    for number, documents in enumerate(clusters):
        for document in documents.split():
            labels.add("here", document, f"cluster {number}")
    return labels


def find(documents: Iterable[str], pairs: dict[Pair, float]) -> FoundPairs:
    """Make the result of a scheme: the pairs, and their components, each named by its smallest document."""
    clusters = {document: document for document in documents}
    for _ in clusters:
        for left, right in pairs:
            clusters[left] = clusters[right] = min(clusters[left], clusters[right])
    return FoundPairs([(*pair, score) for pair, score in pairs.items()], clusters)


# ---- by hand

HAND = label_clusters("a1 a2 a3", "b1 b2", "c1", "d1 d2")
FOUND = find(
    ["a1", "a2", "a3", "b1", "b2", "c1", "d1", "d2", "u"],
    {("a1", "a2"): 1.0, ("a1", "u"): 0.95, ("b1", "b2"): 0.9, ("a2", "b1"): 0.85},
)


def values(score: Any) -> list[float | None]:
    return [score.precision.value, score.recall.value, score.f1.value]


def test_a_case_counted_by_hand() -> None:
    scores = score_found(HAND, FOUND, "resemblance")
    # duplicates: 3 of a, 1 of b, none of c, 1 of d. Found: a1-a2 and b1-b2 right, a2-b1 wrong, a1-u not labelled
    assert scores.pairs[:4] == (2, 1, 5 - 2, 2)
    assert values(scores.pairs) == [0.666667, 0.4, 4 / (4 + 1 + 3)]
    # the cluster a1 a2 b1 b2 u implies 6 pairs of labelled documents, 2 of them right: merging costs precision
    assert scores.clusters[:4] == (2, 4, 3, 2)
    assert values(scores.clusters) == [0.333333, 0.4, 0.363636]
    # precision: 1/2 for four documents, 1 for four; recall: a1, a2 2/3, a3 1/3, b1, b2, c1 1, d1, d2 1/2: 17/3
    assert scores.b_cubed[:2] == (8, 3)
    assert values(scores.b_cubed) == [6 / 8, 0.708333, 0.728571]


def test_intervals_computed_by_hand() -> None:
    pairs = score_found(HAND, FOUND, "resemblance").pairs
    # components: a with b, merged by what was found (2 right, 1 wrong, 4 to be found), and d (1 to be found);
    # precision is on one component; recall without either is 0/1 and 2/4, so the variance is 1/2 (1/16 + 1/16);
    # F1 without either is 0 and 4/7, so the variance is 1/2 (4/49 + 4/49)
    for estimate, value, size in [
        (pairs.precision, 2 / 3, 1),
        (pairs.recall, 2 / 5, (2 / 5 * 3 / 5) / (1 / 16)),
        (pairs.f1, 1 / 2, (1 / 2 * 1 / 2) / (4 / 49)),
    ]:
        low, high = wilson(value, size)
        assert (estimate.low, estimate.high) == (round(low, 6), round(high, 6))


def test_the_curve_computed_by_hand() -> None:
    curve = score_found(HAND, FOUND, "resemblance").curve
    assert [(point.score, point.tp, point.fp) for point in curve.points] == [(1.0, 1, 0), (0.9, 2, 0), (0.85, 2, 1)]
    assert [(point.precision, point.recall) for point in curve.points] == [(1.0, 0.2), (1.0, 0.4), (0.666667, 0.4)]
    assert [point.f1 for point in curve.points] == [0.333333, 0.571429, 0.5]
    assert curve.average_precision == 0.4
    assert curve.best == curve.points[1]
    assert (curve.score, curve.scores, curve.reason) == ("resemblance", 3, None)


def test_intervals_of_perfect_scores_count_components_and_not_pairs() -> None:
    labels = label_clusters("a1 a2 a3 a4 a5 a6 a7 a8 a9", "b1 b2", "c1 c2")
    found = find(labels.clusters, dict.fromkeys((p for p in combinations(labels.clusters, 2) if labels.judge(*p)), 1.0))
    scores = score_found(labels, found, "resemblance")
    assert scores.pairs[:4] == (38, 0, 0, 3)
    for estimate in (*scores.pairs[4:], *scores.clusters[4:], *scores.b_cubed[2:]):
        assert estimate == Estimate(1.0, round(wilson(1.0, 3)[0], 6), 1.0, None)
    # as for 3 trials that all succeeded: n / (n + z^2)
    assert scores.pairs.recall.low == round(3 / (3 + Z * Z), 6)


def test_nothing_found_and_nothing_to_find() -> None:
    scores = score_found(label_clusters("a b"), find("ab", {}), "resemblance")
    assert scores.pairs.precision.value is None
    assert "was found" in str(scores.pairs.precision.reason)
    assert (scores.pairs.recall.value, scores.pairs.f1.value) == (0.0, 0.0)
    assert (scores.curve.average_precision, scores.curve.best, scores.curve.points) == (0.0, None, [])
    scores = score_found(label_clusters("a", "b"), find("ab", {("a", "b"): 0.9}), "resemblance")
    assert scores.pairs.precision.value == 0.0
    assert scores.pairs.recall.value is None
    assert "no pair of duplicates" in str(scores.pairs.recall.reason)
    assert scores.curve.average_precision is None
    assert score_found(label_clusters("a", "b"), find("ab", {}), "resemblance").pairs.f1.value is None


def test_without_negatives_precision_is_not_known() -> None:
    labels = PairLabels(complete=False)
    labels.add("here", "b", "a", verdict=True)
    found = find("abc", {("a", "b"): 1.0, ("b", "c"): 0.9})
    for score in score_found(labels, found, "resemblance")[:2]:
        assert (score.tp, score.fp, score.fn) == (1, None, 0)
        assert (score.precision.value, score.f1.value, score.recall.value) == (None, None, 1.0)
        assert "--complete" in str(score.precision.reason)
    scores = score_found(labels, found, "resemblance")
    assert scores.b_cubed.precision.value is None
    assert (scores.curve.average_precision, scores.curve.best) == (None, None)
    assert [(point.recall, point.precision) for point in scores.curve.points] == [(1.0, None)]
    labels.add("here", "a", "c", verdict=False)
    scores = score_found(labels, found, "resemblance")
    # a-c is not listed by the scheme, but its cluster implies it
    assert (scores.pairs.precision.value, scores.clusters.precision.value) == (1.0, 0.5)
    labels.complete = True
    scores = score_found(labels, found, "resemblance")
    assert (scores.pairs.precision.value, scores.clusters.precision.value) == (0.5, 0.333333)
    assert values(scores.b_cubed) == [0.555556, 1.0, 0.714286]


def test_pairs_left_out_do_not_count() -> None:
    labels = PairLabels(complete=True)
    labels.add("here", "a", "b", verdict=True)
    labels.add("here", "b", "c", verdict=None)
    scores = score_found(labels, find("abcd", {("a", "b"): 1.0, ("b", "c"): 0.8}), "resemblance")
    assert scores.pairs[:3] == (1, 0, 0)
    assert scores.clusters[:3] == (1, 1, 0)
    assert "--margin 0" in str(scores.b_cubed.f1.reason)


def test_of_equal_f1_the_higher_score_is_best() -> None:
    # of 4: one right and none wrong gives 2/5, as does 2 right and 4 wrong
    judged = [(0.9, True), (0.8, True), *[(0.8, False)] * 4]
    curve = draw_curve("resemblance", judged, 4, knows_negatives=True)
    assert [point.f1 for point in curve.points] == [0.4, 0.4]
    assert curve.best == curve.points[0]


def test_a_long_curve_is_thinned_but_not_its_figures() -> None:
    random = Random("curve")
    judged = [(1 - at / 5000, random.random() < 1 - at / 1000) for at in range(999)]
    whole = draw_curve("resemblance", judged, 700, knows_negatives=True)
    assert (whole.scores, len(whole.points)) == (999, POINTS)
    tp, area, best = 0, 0.0, 0.0
    for found, (_, right) in enumerate(judged, 1):
        tp += right
        area += right * tp / found / 700
        best = max(best, 2 * tp / (found + 700))
    assert whole.average_precision == round(area, 6)
    assert whole.best in whole.points
    assert whole.best is not None
    assert whole.best.f1 == round(best, 6)
    assert (whole.points[0].score, whole.points[-1].tp) == (1.0, tp)


# ---- the slow direct count: compares every pair, leaves out every component in turn, and computes in fractions


def slow_components(labels: Labels, found: FoundPairs, documents: list[str]) -> list[set[str]]:
    linked = {frozenset(pair[:2]) for pair in found.pairs if labels.judge(*pair[:2]) is not None}
    components = [{document} for document in documents]
    for left, right in combinations(documents, 2):
        if labels.judge(left, right) or frozenset((left, right)) in linked or same(found, left, right):
            one = next(component for component in components if left in component)
            other = next(component for component in components if right in component)
            if one is not other:
                components.remove(other)
                one |= other
    return components


def same(found: FoundPairs, left: str, right: str) -> bool:
    return found.clusters[left] == found.clusters[right]


def slow_counts(labels: Labels, documents: Iterable[str], is_found: Callable[[str, str], bool]) -> Totals:
    tp = fp = fn = 0
    for left, right in combinations(sorted(documents), 2):
        verdict = labels.judge(left, right)
        tp += verdict is True and is_found(left, right)
        fp += verdict is False and is_found(left, right)
        fn += verdict is True and not is_found(left, right)
    return Fraction(tp), Fraction(fp), Fraction(fn)


def slow_documents(truth: dict[str, str], found: FoundPairs, documents: Iterable[str]) -> Totals:
    precision = recall = Fraction(0)
    labelled = [document for document in documents if document in truth]
    for document in labelled:
        predicted = {other for other in truth if same(found, document, other)}
        true = {other for other in truth if truth[document] == truth[other]}
        precision += Fraction(len(predicted & true), len(predicted))
        recall += Fraction(len(predicted & true), len(true))
    return precision, recall, Fraction(len(labelled))


PAIR_RATIOS: list[tuple[Callable[..., Fraction], Callable[..., Fraction]]] = [
    (lambda tp, fp, _: tp / (tp + fp), lambda tp, fp, _: tp + fp),
    (lambda tp, _, fn: tp / (tp + fn), lambda tp, _, fn: tp + fn),
    (lambda tp, fp, fn: 2 * tp / (2 * tp + fp + fn), lambda tp, fp, fn: tp + fp + fn),
]
DOCUMENT_RATIOS: list[tuple[Callable[..., Fraction], Callable[..., Fraction]]] = [
    (lambda p, _, n: p / n, lambda _p, _r, n: n),
    (lambda _, r, n: r / n, lambda _p, _r, n: n),
    (lambda p, r, n: 2 * (p / n) * (r / n) / (p / n + r / n), lambda _p, _r, n: n),
]


def add(units: Iterable[Totals]) -> Totals:
    return tuple(sum(column, Fraction(0)) for column in zip(*units, strict=True))


def check_estimate(
    estimate: Estimate, units: list[Totals], ratio: Callable[..., Fraction], size: Callable[..., Fraction]
) -> None:
    """Compare an estimate with fractions, and its interval with the quadratic that Wilson's bounds solve."""
    units = [unit for unit in units if size(*unit)]
    if not units:
        assert estimate.value is None
        assert estimate.reason
        return
    value = ratio(*add(units))
    assert estimate.value == round(float(value), 6)
    effective = Fraction(len(units))
    if len(units) > 1 and 0 < value < 1:
        without = [ratio(*add(units[:at] + units[at + 1 :])) for at in range(len(units))]
        mean = sum(without, Fraction(0)) / len(units)
        variance = Fraction(len(units) - 1, len(units)) * sum(((each - mean) ** 2 for each in without), Fraction(0))
        effective = size(*add(units))
        if variance:
            effective = min(effective, value * (1 - value) / variance)
    low, high = wilson(float(value), float(effective))
    assert list(estimate[1:3]) == pytest.approx([low, high], abs=1e-6)
    for bound in (low, high):
        assert isclose((float(value) - bound) ** 2, Z * Z * bound * (1 - bound) / float(effective), abs_tol=1e-12)
    assert low <= value <= high


def make_case(random: Random) -> tuple[Labels, FoundPairs, list[str]]:
    documents = [f"d{number:02}" for number in range(random.choice([2, 5, 12, 25]))]
    labels: Labels
    if random.random() < 0.5:
        labels = ClusterLabels()
        for document in documents:
            if random.random() < 0.8:
                labels.add("here", document, str(random.randrange(8)))
    else:
        labels = PairLabels(complete=random.random() < 0.5)
        verdicts: list[bool | None] = random.choice([[True], [True, False], [True, False, None]])
        for left, right in combinations(documents, 2):
            if random.random() < random.choice([0.05, 0.3]):
                labels.add("here", right, left, random.choice(verdicts))
    chance = random.choice([0, 0.02, 0.1])
    pairs = {
        pair: random.randrange(80, 101) / 100
        for pair in combinations(documents, 2)
        if random.random() < (0.6 if labels.judge(*pair) else chance)
    }
    return labels, find(documents, pairs), documents


def slow_truth(labels: Labels, documents: list[str]) -> dict[str, str]:
    if isinstance(labels, ClusterLabels):
        return labels.clusters
    positive = {pair: 1.0 for pair in combinations(documents, 2) if labels.judge(*pair)}
    return find(documents, positive).clusters


def slow_units(
    scores: Scores, labels: Labels, found: FoundPairs, documents: list[str]
) -> Iterator[tuple[Any, list[Totals]]]:
    components = slow_components(labels, found, documents)
    listed = {pair[:2] for pair in found.pairs}
    yield scores.pairs, [slow_counts(labels, component, lambda *pair: pair in listed) for component in components]
    yield (
        scores.clusters,
        [slow_counts(labels, component, lambda *pair: same(found, *pair)) for component in components],
    )


@pytest.mark.parametrize("seed", range(150))
def test_random_cases_agree_with_a_slow_direct_count(seed: int) -> None:
    labels, found, documents = make_case(Random(f"evaluate {seed}"))
    scores = score_found(labels, found, "resemblance")
    for score, units in slow_units(scores, labels, found, documents):
        tp, fp, fn = add(units)
        assert (score.tp, score.fn, score.components) == (tp, fn, sum(any(unit) for unit in units))
        assert score.fp == (fp if labels.knows_negatives else None)
        for estimate, (ratio, size) in zip(score[4:], PAIR_RATIOS, strict=True):
            if labels.knows_negatives or ratio is PAIR_RATIOS[1][0]:
                check_estimate(estimate, units, ratio, size)
            else:
                assert estimate.value is None
    if isinstance(labels, ClusterLabels) or (labels.complete and not labels.left_out):
        truth = slow_truth(labels, documents)
        units = [slow_documents(truth, found, component) for component in slow_components(labels, found, documents)]
        units = [unit for unit in units if unit[2]]
        assert scores.b_cubed[:2] == (len(truth), len(units))
        for estimate, (ratio, size) in zip(scores.b_cubed[2:], DOCUMENT_RATIOS, strict=True):
            check_estimate(estimate, units, ratio, size)
    else:
        assert scores.b_cubed.f1.reason


@pytest.mark.parametrize("seed", range(20))
def test_negatives_are_counted(seed: int) -> None:
    labels, _, documents = make_case(Random(f"negatives {seed}"))
    verdicts = [labels.judge(*pair) for pair in combinations(documents, 2)]
    assert labels.count_negatives(len(documents)) == verdicts.count(False)
    assert sum(pairs for _, pairs in labels.positives()) == verdicts.count(True)
