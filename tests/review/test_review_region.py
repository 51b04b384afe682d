"""The range of a ratio in the confidence region: compared with a search over all shares."""

from itertools import product
from math import comb, inf, log

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from neardup.review.region import LIMIT, Ratio, describe_share, find_least, find_range

STEPS = 60


def statistic(share: float, decided: float, right: float) -> float:
    total = 0.0
    for count, chance in ((right, share), (decided - right, 1 - share)):
        if count:
            total += count * log(count / (decided * chance)) if chance > 0 else inf
    return total


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(1, 40), st.integers(0, 40), st.integers(0, 40), st.integers(0, 9), st.integers(0, 9)),
        min_size=1,
        max_size=2,
    ),
    st.integers(0, 9),
)
def test_the_range_is_that_of_a_search(cells: list[tuple[int, int, int, int, int]], constant: int) -> None:
    shares, over, under = [], [], []
    for left, right, wrong, above, below in cells:
        pairs = left + right + wrong
        shares.append(describe_share(0, pairs, right + wrong, right))
        over.append(float(above))
        under.append(float(below))
    ratio = Ratio(over, under, float(constant))
    own = [one.duplicates / one.decided if one.decided else one.least for one in shares]
    value = ratio.value(own)
    if value is None:
        return
    low, high = find_range(ratio, value, shares)
    assert low <= value <= high
    grids = [[one.least + (one.most - one.least) * at / STEPS for at in range(STEPS + 1)] for one in shares]
    for point in product(*grids):
        inside = sum(statistic(p, one.decided, one.duplicates) for p, one in zip(point, shares, strict=True)) <= LIMIT
        found = ratio.value(point)
        if inside and found is not None:
            assert low - 1e-6 <= found <= high + 1e-6
    # the ends themselves are in the region
    for weight in (1, -1):
        least = find_least(one._replace(weight=weight) for one in shares)
        total = sum(statistic(p, one.decided, one.duplicates) for p, one in zip(least, shares, strict=True))
        clipped = any(p in (one.least, one.most) for p, one in zip(least, shares, strict=True))
        assert total <= LIMIT + 1e-6 or clipped


@pytest.mark.parametrize(("decided", "enough"), [(71, False), (72, True)])
def test_72_labels_without_an_error_support_a_precision(decided: int, enough: bool) -> None:
    [share] = find_least([describe_share(1, 10**9, decided, decided)])
    assert (share >= 0.95) is enough


@pytest.mark.parametrize("decided", [2, 5, 8, 11, 14, 17, 18, 19])
def test_the_range_covers_the_share_of_few_pairs(decided: int) -> None:
    """By the probabilities of all draws without replacement, for each number of duplicates among 20 pairs."""
    pairs, ratio = 20, Ratio([1], [0], 1)
    ends = [
        find_range(ratio, right / decided, [describe_share(0, pairs, decided, right)]) for right in range(decided + 1)
    ]
    for duplicates in range(pairs + 1):
        covering = sum(
            comb(duplicates, right) * comb(pairs - duplicates, decided - right)
            for right, (low, high) in enumerate(ends)
            if low - 1e-9 <= duplicates / pairs <= high + 1e-9
        )
        assert covering >= 0.95 * comb(pairs, decided)


def test_a_cell_without_labels_may_have_any_share() -> None:
    shares = [describe_share(0, 50, 0, 0), describe_share(0, 50, 50, 50)]
    assert find_range(Ratio([50, 50], [0, 0], 100), 1, shares) == (0.5, 1)
