"""The interval of a run's recall contains the true recall as often as stated, on every kind of family."""

import random

import certificate as bench
import pytest

import families

CORPORA = [
    "pairs near the threshold",
    "threes",
    "families of 10",
    "one family",
    "one chain",
    "chains of 8",
    "a family and pairs",
    "copies",
    "short pairs",
    "moved paragraphs",
]


@pytest.mark.shows(1)
@pytest.mark.parametrize("promise", bench.PROMISES)
def test_intervals_contain_the_truth_and_the_estimate_of_a_second_seed(promise: float) -> None:
    total = bench.Tally()
    for name in CORPORA:
        total.add(bench.judge(families.make(name), promise, 10)[1])
    assert (total.runs, total.none) == (100, 0)
    assert total.held >= bench.least_held(100), total
    assert total.held_again >= bench.least_held(100), total


def test_fewer_intervals_than_the_least_are_rare() -> None:
    chance = random.Random(3)
    draws = [sum(chance.random() < bench.STATED for _ in range(100)) for _ in range(20_000)]
    least = bench.least_held(100)
    assert sum(held < least for held in draws) <= 1.5 * bench.RARE * len(draws)
    assert sum(held <= least for held in draws) >= 0.5 * bench.RARE * len(draws)
    assert 0.93 * 3200 < bench.least_held(3200) < bench.STATED * 3200


def test_a_second_seed_that_finds_the_same_pairs_estimates_full_recall() -> None:
    found = {(0, 1): 0.9, (1, 2): 0.8}
    assert bench.recapture(found, found, 16, 6) == 1
    # a pair that is found with a chance of one half counts twice
    assert bench.recapture({(0, 1): 1.0}, {(0, 1): 1.0, (1, 2): 0.5}, 1, 1) == pytest.approx(1 / 3)
