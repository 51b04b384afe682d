"""A review, from documents to figures: listed pairs, the sample, the labels of the reviewers, and the estimates."""

import json
import shutil
from fractions import Fraction
from pathlib import Path

import pytest

from neardup import UsageError
from neardup.evaluation import evaluate
from neardup.evaluation.labels import PairLabels, read_labels
from neardup.output.json import write_json, write_lines
from neardup.results import at_thresholds
from neardup.review.agreement import Reviewer
from neardup.review.review import Review
from oracle import Corpus, Doc
from reviewed import DOCS, LINE

PAIRS = Corpus([Doc(str(doc.id), doc.text) for doc in DOCS]).pairs(Fraction(1, 2))
"""All pairs at or above the floor, by definition."""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return Review.create(tmp_path_factory.mktemp("reviews") / "first", DOCS, each=1000, width="0.1").folder


@pytest.fixture
def review(made: Path, tmp_path: Path) -> Review:
    """A review whose sample has all pairs, none of them labelled."""
    return Review.open(shutil.copytree(made, tmp_path / "review"))


def label_all(review: Review, reviewer: str) -> None:
    while (pair := review.next_pair(reviewer, beyond=True)) is not None:
        review.label(reviewer, *pair.key, "duplicate" if pair.resemblance >= LINE else "not")


def test_all_pairs_at_or_above_the_floor_are_listed(review: Review) -> None:
    assert {(*pair.key, *pair[3:7]) for pair in review.sample} == set(PAIRS)
    texts = {doc.id: doc for doc in DOCS}
    assert all(side == texts[side.id] for pair in review.sample for side in (pair.left, pair.right))
    assert [pair.number for pair in review.sample] == list(range(1, len(PAIRS) + 1))
    assert (review.settings.documents, review.settings.pairs) == (len(DOCS), len(PAIRS))
    assert [(row.low, row.high) for row in review.table()][2:4] == [("0.7", "0.8"), ("0.8", "0.9")]
    assert sorted(path.name for path in review.folder.iterdir()) == [
        ".neardup",
        "digests.jsonl",
        "labels.jsonl",
        "review.json",
        "run",
        "sample.jsonl",
    ]


def test_a_reviewer_goes_through_the_sample(review: Review) -> None:
    first = review.next_pair("kim")
    assert first is not None
    assert (first.stratum, first) == (5, next(pair for pair in review.sample if pair.stratum == 5))
    review.label("kim", *first.key, "duplicate")
    second = review.next_pair("kim")
    assert second is not None
    assert (second.stratum, review.next_pair("lee")) == (4, second)
    review.label("kim", *second.key, "unsure")
    third = review.next_pair("kim")
    assert third is not None
    assert (third.stratum, review.next_pair("lee")) == (4, second)
    review.label("kim", *first.key, "not")
    other = Review.open(review.folder)
    other.label("lee", *first.key, "duplicate")
    assert review.labels() == {first.key: {"kim": "not", "lee": "duplicate"}, second.key: {"kim": "unsure"}}
    assert review.verdicts() == {first.key: None, second.key: None}
    progress = review.progress("kim")
    assert progress[:2] == (2, len(PAIRS))
    assert sum(row.labelled for row in progress.strata) == sum(row.undecided for row in review.table()) == 2
    assert review.reviewers() == [Reviewer("kim", 2), Reviewer("lee", 1)]
    assert other.undo("kim") == first.key
    assert review.verdicts()[first.key] is True
    assert review.undo_pair("kim", *second.key)
    assert not review.undo_pair("kim", *second.key)
    assert review.next_pair("kim") == second


@pytest.mark.parametrize("threshold", ["0.5", "0.65", "0.8", 0.83, "1"])
def test_a_full_sample_yields_the_truth(review: Review, threshold: str | float) -> None:
    label_all(review, "kim")
    scores = [Fraction(shared, left + right - shared) for *_, shared, left, right in PAIRS]
    above = [score for score in scores if score >= Fraction(str(threshold))]
    right = sum(score >= LINE for score in above)
    figures = review.estimate(threshold)
    assert figures.pairs == len(above)
    assert set(figures.precision) == {round(right / len(above), 6), None}
    assert set(figures.recall) == {round(right / sum(score >= LINE for score in scores), 6), None}
    rows = review.table()
    assert sum(row.pairs for row in rows) == sum(row.sampled for row in rows) == sum(row.decided for row in rows)
    assert [row.share.value for row in rows] == [0, 0, 1, 1, 1, 1]


def test_the_curve_has_figures_and_clusters(review: Review) -> None:
    assert review.suggest("0.9") is review.suggest_balanced() is None
    blank = "no sampled pair is decided yet in 0.5 to below 0.6, 0.6 to below 0.7 and 4 more"
    assert review.estimate().recall.reason == blank
    label_all(review, "kim")
    curve = review.curve()
    assert [point.threshold for point in curve] == ["0.5", *(f"0.{at:02}".rstrip("0") for at in range(51, 100)), "1"]
    # the words of a pair at 1 are equal, and nothing says so of its signs
    for point, clusters in zip(
        curve[:-1], at_thresholds(review.folder / "run", [point.threshold for point in curve[:-1]]), strict=True
    ):
        assert point[2:5] == clusters[1:]
    for point in curve:
        assert (point.pairs, *point[5:]) == review.estimate(point.threshold)
    best = review.suggest(1)
    assert best is not None
    assert Fraction(best.threshold) <= LINE < Fraction(best.threshold) + Fraction(1, 10)
    assert review.suggest_balanced() == max(reversed(curve), key=lambda point: point.f1.value or 0)
    assert json.loads(write_json(curve))[0]["recall"]["value"] == 1
    assert review.estimate() == review.estimate("0.8")


def test_evaluate_reads_the_export(review: Review, tmp_path: Path) -> None:
    label_all(review, "kim")
    for pair in review.sample[:3]:
        review.label("kim", *pair.key, "unsure")
    path = tmp_path / "labels.jsonl"
    path.write_text(write_lines(review.export()), encoding="utf-8")
    labels = read_labels(path, at=None, margin=None, complete=False)
    assert isinstance(labels, PairLabels)
    assert labels.verdicts == {key: verdict for key, verdict in review.verdicts().items() if verdict is not None}
    [scheme] = evaluate(list(review.export()), DOCS, review.settings.scheme).schemes
    figures = evaluate(path, DOCS, review.settings.scheme).schemes[0].pairs
    assert figures == scheme.pairs
    assert (figures.tp, figures.fp, figures.fn) == (
        sum(row["label"] for row in review.export()),
        len(PAIRS) - 3 - sum(row["label"] for row in review.export()),
        0,
    )
    assert next(review.export()).keys() == {"a", "b", "label", "resemblance", "duplicate", "not", "unsure"}


def test_reviewers_are_compared(review: Review) -> None:
    for pair in review.sample[:4]:
        review.label("lee", *pair.key, "duplicate")
        review.label("kim", *pair.key, "not" if pair.number == 1 else "duplicate")
    [row] = review.agreement()
    assert (row[:5], row.kappa.value) == (("kim", "lee", 4, 3, 0.75), 0)


def test_wrong_labels_are_not_written(review: Review) -> None:
    key = review.sample[0].key
    for who in ("", " ", "x" * 65, "a\nb"):
        with pytest.raises(UsageError, match="allowed are 1 to 64 printable characters"):
            review.label(who, *key, "not")
    with pytest.raises(UsageError, match="label is 'maybe'; allowed are duplicate, not, unsure"):
        review.label("kim", *key, "maybe")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match=r"the pair 'x', 'y' is not in the sample of .*review"):
        review.label("kim", "x", "y", "not")
    for threshold in ("0.49", 2):
        with pytest.raises(UsageError, match=r"allowed are numbers from 0\.5 to 1"):
            review.estimate(threshold)
    with pytest.raises(UsageError, match="precision is 0; allowed are numbers above 0, at most 1"):
        review.suggest(0)
    assert (review.folder / "labels.jsonl").read_bytes() == b""
