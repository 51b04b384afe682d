"""The sample of a review: strata computed with whole numbers, and a draw that depends only on the ids and the seed."""

from fractions import Fraction
from hashlib import blake2b
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from neardup import UsageError
from neardup.evaluation.listed_pair import ListedPair, ratio
from neardup.review.decimals import write_decimal
from neardup.review.estimate import PairCounts
from neardup.review.sample import draw_sample
from neardup.review.strata import Strata

HALF, POINT_EIGHT = Fraction(1, 2), Fraction(4, 5)
STRATA = Strata(HALF, "0.1", POINT_EIGHT)
# pairs of documents with 100 features in their union, 50 to 100 of them shared
PAIRS = st.lists(
    st.builds(
        lambda left, right, shared: ListedPair(left, right, "near", shared, 100, shared),
        st.text(max_size=3),
        st.text(max_size=3),
        st.integers(50, 100),
    ),
    unique_by=lambda pair: pair[:2],
)


@given(st.integers(1, 2**32), st.fractions(0, 1), st.fractions("0.01", 1), st.fractions("0.01", 1), st.data())
def test_a_pair_is_in_the_stratum_of_its_exact_resemblance(
    union: int, share: Fraction, floor: Fraction, width: Fraction, data: st.DataObject
) -> None:
    threshold = data.draw(st.fractions(floor, 1))
    strata = Strata(floor, width, threshold)
    assert (strata.edges[0], strata.edges[-1]) == (floor, Fraction(1))
    assert threshold in strata.edges
    assert all(0 < high - low <= width for low, high in zip(strata.edges, strata.edges[1:], strict=False))
    shared = round(share * union)
    if (resemblance := Fraction(shared, union)) >= floor:
        assert strata.place(shared, union) == sum(edge <= resemblance for edge in strata.edges) - 1


def test_edges_are_exact() -> None:
    assert [STRATA.name(stratum) for stratum in range(len(STRATA))] == [
        "0.5 to below 0.6",
        "0.6 to below 0.7",
        "0.7 to below 0.8",
        "0.8 to below 0.9",
        "0.9 to below 1",
        "exactly 1",
    ]
    below = 10**9
    assert [STRATA.place(*two) for two in [(4, 5), (4 * below - 1, 5 * below), (1, 1), (below - 1, below)]] == [
        3,
        2,
        5,
        4,
    ]
    assert [write_decimal(edge) for edge in Strata(HALF, 0.25, Fraction(2, 3)).edges] == ["0.5", "2/3", "0.75", "1"]
    for width in (0, "0.001", 2):
        with pytest.raises(UsageError, match=r"allowed are numbers from 0\.01 to 1"):
            Strata(HALF, width, POINT_EIGHT)


def test_equal_texts_without_features_resemble_by_one() -> None:
    assert ratio(0, 0, 0) == (1, 1)
    assert ratio(3, 4, 5) == (3, 6)


@given(st.fractions(0, 1))
def test_a_decimal_is_exact(number: Fraction) -> None:
    written = write_decimal(number)
    assert Fraction(written) == number
    assert "/" in written or not written.endswith("0") or number == 0


@given(st.lists(st.tuples(st.integers(1, 9), st.integers(9, 12))), st.fractions(0, 1))
def test_pairs_are_counted_by_resemblance(ratios: list[tuple[int, int]], threshold: Fraction) -> None:
    assert PairCounts(ratios).at_least(threshold) == sum(Fraction(*one) >= threshold for one in ratios)


def draw(pairs: list[ListedPair], each: int, seed: int) -> list[ListedPair]:
    return [pair for pair, _ in draw_sample(((pair, ratio(*pair[3:])) for pair in pairs), STRATA, each, seed)]


def draw_slowly(pairs: list[ListedPair], each: int, seed: int) -> set[ListedPair]:
    """Draw by definition: sort each stratum by hash."""

    def lottery(pair: ListedPair) -> bytes:
        left, right = pair.left.encode(), pair.right.encode()
        return blake2b(str(len(left)).encode() + b":" + left + right, digest_size=16, key=str(seed).encode()).digest()

    strata: dict[int, list[ListedPair]] = {}
    for pair in pairs:
        strata.setdefault(STRATA.place(*ratio(*pair[3:])), []).append(pair)
    return {pair for several in strata.values() for pair in sorted(several, key=lottery)[:each]}


@given(PAIRS, st.integers(1, 4), st.integers(0, 2**64 - 1), st.randoms())
def test_the_draw_does_not_depend_on_the_order(pairs: list[ListedPair], each: int, seed: int, random: Random) -> None:
    sample = draw(pairs, each, seed)
    assert len(sample) == len(set(sample))
    assert set(sample) == draw_slowly(pairs, each, seed)
    shuffled = random.sample(pairs, len(pairs))
    assert draw(shuffled, each, seed) == sample


@given(PAIRS, st.integers(1, 4))
def test_rounds_visit_all_strata(pairs: list[ListedPair], each: int) -> None:
    places = [STRATA.place(*ratio(*pair[3:])) for pair in draw(pairs, each, 7)]
    rounds = [places[:at].count(place) for at, place in enumerate(places)]
    assert rounds == sorted(rounds)


@given(PAIRS, st.integers(1, 4), st.integers(1, 9), st.integers(0, 2**64 - 1))
def test_a_sample_is_the_beginning_of_each_larger_one(pairs: list[ListedPair], each: int, more: int, seed: int) -> None:
    small, large = draw(pairs, each, seed), draw(pairs, each + more, seed)
    assert large[: len(small)] == small


def test_a_larger_sample_continues_the_smaller_one() -> None:
    pairs = [ListedPair(f"{at}", f"{at}b", "near", 50 + at % 51, 100, 50 + at % 51) for at in range(2_000)]
    small, large = (draw(pairs, each, 0) for each in (5, 9))
    assert (len(small), len(large)) == (30, 54)
    assert large[:30] == small
    assert set(draw(pairs, 5, 1)) != set(small)
