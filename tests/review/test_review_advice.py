"""What a review asks for next, and when it ends: simulated reviewers of pairs whose labels are known."""

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from neardup import UsageError
from neardup.review.advice import Advice, Tally, advise, advise_recall
from neardup.review.goal import Goal

SIZES = [900, 600, 500, 400, 800, 3000]
TALLIES = st.lists(
    st.tuples(st.integers(0, 50), st.integers(0, 50), st.integers(0, 50)).map(
        lambda row: Tally(sum(row), row[0] + row[1], row[0])
    ),
    min_size=1,
    max_size=6,
)


def label(share: Callable[[int], float], goal: Goal, random: Random) -> tuple[Advice, list[Tally]]:
    """Label pairs as the advice asks; `share` is the share of duplicates in a stratum."""
    known = [[random.random() < share(stratum) for _ in range(size)] for stratum, size in enumerate(SIZES)]
    tallies = [Tally(size, 0, 0) for size in SIZES]
    while True:
        advice = advise(tallies, goal, range(len(SIZES)))
        if advice.stratum is None:
            return advice, tallies
        pairs, decided, duplicates = tallies[advice.stratum]
        tallies[advice.stratum] = Tally(pairs, decided + 1, duplicates + known[advice.stratum][decided])


def count(tallies: list[Tally]) -> int:
    return sum(one.decided for one in tallies)


@pytest.mark.parametrize("seed", range(8))
def test_a_clear_step_is_found_with_few_labels(seed: int) -> None:
    advice, tallies = label(lambda stratum: float(stratum >= 3), Goal(), Random(seed))
    assert (advice.phase, advice.supported) == ("supported", 3)
    assert 72 <= count(tallies) <= 110


@pytest.mark.parametrize("seed", range(8))
def test_labels_above_the_threshold_represent_all_pairs_there(seed: int) -> None:
    _, tallies = label(lambda stratum: float(stratum >= 3), Goal(), Random(seed))
    expected = sum(one.decided for one in tallies[3:]) / sum(SIZES[3:])
    assert all(one.decided <= 3 + expected * one.pairs + 1 for one in tallies[3:])


def test_a_review_without_a_threshold_ends_early_and_proposes_none() -> None:
    ends = [label(lambda _: 0.8, Goal(), Random(seed)) for seed in range(20)]
    assert [advice.phase for advice, _ in ends].count("hopeless") >= 19
    assert [advice.supported for advice, _ in ends] == [None] * 20
    assert sorted(count(tallies) for _, tallies in ends)[10] < 200


def test_a_review_continues_when_its_goal_is_raised() -> None:
    advice, tallies = label(lambda _: 1, Goal(labels=60), Random(1))
    assert (advice.phase, count(tallies)) == ("hopeless", 18)
    assert advise(tallies, Goal(labels=18), range(len(SIZES))).phase == "spent"
    assert advise(tallies, Goal(labels=400), range(len(SIZES))).phase == "support"


def test_few_pairs_are_labelled_until_none_is_left() -> None:
    assert advise([Tally(0, 0, 0)], Goal(), []) == Advice("exhausted", None, None, None, 0)
    assert advise([Tally(9, 9, 9)], Goal(), []).phase == "supported"
    assert advise([Tally(500, 40, 40)], Goal(), []).phase == "exhausted"
    assert advise([Tally(9, 9, 0)], Goal(), []).phase == "hopeless"


@given(TALLIES, st.integers(1, 200))
def test_the_advice_is_one_of_what_is_available(tallies: list[Tally], labels: int) -> None:
    available = [at for at, one in enumerate(tallies) if one.decided < one.pairs and at % 2 == 0]
    advice = advise(tallies, Goal(labels=labels), available)
    assert advice.stratum is None or (advice.stratum in available and count(tallies) < labels)
    assert (advice.stratum is None) == (advice.phase in ("supported", "hopeless", "spent", "exhausted"))
    assert advice == advise(tallies, Goal(labels=labels), available)
    recall = advise_recall(tallies, available)
    assert (recall is None) == (not available)


def test_recall_asks_where_duplicates_may_be_missed() -> None:
    assert advise_recall([Tally(10_000, 5, 0), Tally(100, 5, 3), Tally(5, 5, 5)], [0, 1, 2]) == 0
    assert advise_recall([Tally(10_000, 5, 0), Tally(100, 5, 3)], [1]) == 1


def test_a_goal_has_limits() -> None:
    assert Goal().change("0.9", 10) == Goal("0.9", 10)
    for precision in ("0.4", 1, "x"):
        with pytest.raises(UsageError, match="precision"):
            Goal().change(precision, None)
    with pytest.raises(UsageError, match="labels"):
        Goal().change(None, 0)
