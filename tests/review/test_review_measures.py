"""Reviews of every measure: scores, floors, strata and clusters, from documents to a threshold."""

import json
from fractions import Fraction
from pathlib import Path

import pytest

from neardup import Index, find_pairs
from neardup.evaluation.listed_pair import ListedPair
from neardup.review.clusters import count_clusters
from neardup.review.measure import find_condition, restore_measure
from neardup.review.review import Review
from reviewed import DOCS

KEYS = "minhash:64 | bands:64x1"
SCHEMES = {
    "containment": f"words | shingles:5 | {KEYS} | containment>=0.8",
    "~resemblance": "words | shingles:5 | minhash:96 | bands:32x3 | ~resemblance>=0.8",
    "~containment": "words | shingles:5 | moduli:8 | each | ~containment>=0.8",
    "hamming": "words | shingles:5 | simhash:128 | blocks:12,double | hamming<=12",
    "agree": "words | shingles:1 weight=tf | projection:384 | blocks:12,single | agree>=372",
    "cosine": f"words | shingles:5 | {KEYS} | cosine>=0.9",
    "bag": f"words | shingles:5 | {KEYS} | bag>=0.8",
    "sim": f"words | shingles:5 | {KEYS} | sim<=0.1",
    "lcs:words": f"words | shingles:5 | {KEYS} | resemblance>=0.5 & lcs:words>=0.9",
    "levenshtein:words,1,1,1": f"words | shingles:5 | {KEYS} | levenshtein:words,1,1,1<=3",
    "euclidean": f"words | shingles:5 | {KEYS} | euclidean<=4",
}


@pytest.mark.parametrize("name", SCHEMES)
def test_a_threshold_of_each_measure_is_found(name: str, tmp_path: Path) -> None:
    review = Review.create(tmp_path / "review", DOCS, scheme=SCHEMES[name])
    assert review.measure.name == name
    listed = list(find_pairs(DOCS, scheme=review.settings.scheme))
    assert review.settings.pairs == len(listed) == sum(row.pairs for row in review.table())
    condition = find_condition(SCHEMES[name])
    assert condition is not None
    line = Fraction(condition.threshold)
    values = {
        (row["left"], row["right"]): None if row.get("value") is None else Fraction(row["value"]) for row in listed
    }

    def holds(key: tuple[str, str], score: Fraction, at: Fraction) -> bool:
        value = values[key] if name != "containment" else score
        return value is None or (
            value <= at + Fraction(1, 10**9) if condition.is_distance else value >= at - Fraction(1, 10**9)
        )

    at_line = {pair.key for pair in review.sample if pair.score >= review.measure.score(line)}
    assert at_line == {pair.key for pair in review.sample if holds(pair.key, pair.score, line)}
    assert review.estimate().pairs == sum(holds(key, Fraction(0), line) for key in values) or name == "containment"
    while (pair := review.next_pair("kim")) is not None:
        review.label("kim", *pair.key, "duplicate" if holds(pair.key, pair.score, line) else "not")
    suggested = review.suggest()
    assert suggested is not None
    assert suggested.pairs <= len(listed)
    curve = review.curve()
    scores = [review.measure.score(Fraction(point.threshold)) for point in curve]
    assert scores == sorted(scores)
    assert 7 <= len(curve) <= 120
    assert [point.pairs for point in curve] == sorted((point.pairs for point in curve), reverse=True)
    # from the floor on, the clusters are those of all listed pairs
    assert curve[0].clustered == len({side for key in values for side in key})


def test_an_index_is_reviewed_by_its_measure(tmp_path: Path) -> None:
    index = Index.create(tmp_path / "index", scheme=SCHEMES["hamming"])
    index.add(DOCS)
    review = Review.create(tmp_path / "review", index)
    assert (review.settings.measure, review.settings.threshold, review.settings.floor) == ("hamming", "12", "18")
    assert "blocks:18" in review.settings.scheme
    assert [row.low for row in review.table()][-1] == "0"
    assert review.strata.name(0).startswith("18 to above ")
    assert review.strata.name(len(review.strata) - 1) == "exactly 0"
    assert all(point.threshold.isdigit() for point in review.curve())


def test_of_several_passes_the_last_is_reviewed(tmp_path: Path) -> None:
    scheme = f"words | chunks:document | digest:blake3 | each | equal ; {SCHEMES['containment']}"
    review = Review.create(tmp_path / "review", DOCS[:12], scheme=scheme)
    assert (review.settings.measure, review.settings.threshold) == ("containment", "0.8")


def test_a_review_of_version_1_is_opened(tmp_path: Path) -> None:
    review = Review.create(tmp_path / "review", DOCS, each=20, width="0.1")
    for pair in review.sample[:40]:
        review.label("kim", *pair.key, "duplicate" if pair.resemblance >= 0.7 else "not")
    figures, doubts = review.curve(), review.doubts()
    sample = review.folder / "sample.jsonl"
    rows = [json.loads(line) for line in sample.read_text(encoding="utf-8").splitlines()]
    for row in rows:
        del row["score"]
    sample.write_text("".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows), encoding="utf-8")
    settings = review.settings._replace(version=1).checked(sample.read_bytes())
    plain = {name: value for name, value in settings._asdict().items() if name not in ("measure", "limit")}
    (review.folder / "review.json").write_text(json.dumps(plain), encoding="utf-8")
    old = Review.open(review.folder)
    assert (old.curve(), old.doubts(), old.next_pair("kim")) == (figures, doubts, review.next_pair("kim"))


def test_clusters_are_counted_at_each_threshold() -> None:
    pairs = [("a", "b", 9), ("b", "c", 7), ("d", "e", 7), ("c", "d", 5)]
    scored = [(ListedPair(left, right, "near", 0, 0, 0), (score, 10)) for left, right, score in pairs]
    found = count_clusters(scored, [Fraction(at, 10) for at in (5, 6, 8, 10)])
    assert [row[1:] for row in found] == [(1, 5, 5), (2, 5, 3), (1, 2, 2), (0, 0, 0)]


@pytest.mark.parametrize(
    ("name", "limit", "value", "score", "written"),
    [
        ("hamming", 128, 12, Fraction(116, 128), "12"),
        ("agree", 384, 372, Fraction(372, 384), "372"),
        ("sim", 1, Fraction(1, 5), Fraction(4, 5), "0.2"),
        ("cosine", 1, Fraction(9, 10), Fraction(9, 10), "0.9"),
        ("levenshtein:words,1,1,1", 6, 3, Fraction(1, 2), "3"),
    ],
)
def test_a_score_is_written_as_a_value(name: str, limit: int, value: Fraction, score: Fraction, written: str) -> None:
    measure = restore_measure(name, Fraction(limit))
    assert measure.score(Fraction(value)) == score
    assert measure.write(score) == written
