"""Pairs for a second look, and the goal of a review in its folder."""

from pathlib import Path

import pytest

from neardup import DataError
from neardup.review.goal import Goal
from neardup.review.review import Review
from neardup.review.second_look import is_changed
from reviewed import DOCS


@pytest.fixture
def review(tmp_path: Path) -> Review:
    return Review.create(tmp_path / "review", DOCS)


def reasons(review: Review) -> dict[int, list[str]]:
    return {doubt.pair.number: list(doubt.reasons) for doubt in review.doubts()}


def test_reviewers_who_disagree_are_listed(review: Review) -> None:
    first, second, third = review.sample[:3]
    for pair in (first, second, third):
        review.label("kim", *pair.key, "duplicate")
    review.label("lee", *first.key, "not")
    review.label("lee", *second.key, "unsure")
    assert reasons(review) == {first.number: ["reviewers disagree"]}
    [doubt] = review.doubts()
    assert doubt.labels == {"kim": "duplicate", "lee": "not"}


def test_a_reviewer_who_changed_her_mind_is_listed_until_she_confirms(review: Review) -> None:
    pair = review.sample[0]
    for label, listed in (("duplicate", False), ("not", True), ("not", False), ("duplicate", True)):
        review.label("kim", *pair.key, label)  # type: ignore[arg-type]
        assert (reasons(review) == {1: ["a reviewer disagrees with herself"]}) is listed
    assert not is_changed(["unsure", "not"])
    assert is_changed(["not", "duplicate", "unsure"])


def test_a_label_that_its_neighbours_contradict_is_listed_until_it_is_confirmed(review: Review) -> None:
    pairs = sorted(review.sample, key=lambda pair: pair.resemblance)[-21:]
    odd = pairs[10]
    for pair in pairs:
        review.label("kim", *pair.key, "not" if pair == odd else "duplicate")
    assert reasons(review) == {odd.number: ["pairs of like score have the other label"]}
    review.label("kim", *odd.key, "not")
    assert reasons(review) == {}


def test_every_fifth_pair_is_shared(review: Review) -> None:
    given = []
    for who in ("kim", "lee"):
        for _ in range(20):
            pair = review.next_pair(who)
            assert pair is not None
            review.label(who, *pair.key, "duplicate")
            given.append((who, pair.key))
    kim, lee = ({key for who, key in given if who == name} for name in ("kim", "lee"))
    assert len(kim & lee) == 4
    [agreement] = review.agreement()
    assert agreement.pairs == 4


def test_a_pair_of_which_one_is_unsure_is_asked_of_the_next(review: Review) -> None:
    pair = review.next_pair("kim")
    assert pair is not None
    review.label("kim", *pair.key, "unsure")
    assert review.next_pair("kim") not in (None, pair)
    assert review.next_pair("lee") == pair


def test_the_goal_is_kept_in_the_folder(review: Review) -> None:
    assert review.goal == Goal("0.95", 400)
    review.aim(precision="0.9")
    review.aim(labels=50)
    assert Review.open(review.folder).goal == Goal("0.9", 50)
    assert sorted(path.name for path in review.folder.iterdir() if path.name.startswith(".")) == [".neardup"]
    (review.folder / "goal.json").write_text("[]", encoding="utf-8")
    with pytest.raises(DataError, match=r"goal\.json: not the goal of a review, which has precision and labels"):
        review.next_pair("kim")


def test_a_review_ends_by_itself_and_says_so(review: Review) -> None:
    labels = 0
    while (pair := review.next_pair("kim")) is not None:
        outlook = review.outlook()
        assert outlook.phase in ("survey", "support", "lower")
        assert outlook.left > 0
        review.label("kim", *pair.key, "duplicate" if pair.resemblance >= 0.7 else "not")
        labels += 1
    outlook = review.outlook()
    assert (outlook.phase, outlook.supported, outlook.left) == ("supported", "0.7", 0)
    assert outlook.words == "Threshold 0.7 is supported for precision 0.95; no lower one is within reach."
    suggested = review.suggest()
    assert suggested is not None
    assert float(suggested.threshold) <= 0.7
    assert labels < len(review.sample)
    assert review.next_pair("kim", beyond=True) is not None
