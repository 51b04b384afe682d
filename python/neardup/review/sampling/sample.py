"""The sample of a review: pairs drawn from each stratum, in the order in which they are shown."""

import heapq
from collections.abc import Iterable
from hashlib import blake2b
from itertools import zip_longest

from neardup.errors import UsageError
from neardup.evaluation.listed_pair import ListedPair, ratio
from neardup.review.sampling.strata import Strata

MOST_SEED = LOW_BITS = 2**64
Drawn = tuple[int, ListedPair]
"""A pair with its number in the lottery."""


def check_draw(each: int, seed: int) -> None:
    """Refuse an `each` below 1, and a seed that is not from 0 to below 2^64, by a `UsageError`."""
    if each < 1:
        raise UsageError(f"each is {each}; allowed are 1 and more")
    if not 0 <= seed < MOST_SEED:
        raise UsageError(f"seed is {seed}; allowed are whole numbers from 0, below 2^64")


def draw_sample(pairs: Iterable[ListedPair], strata: Strata, each: int, seed: int) -> list[ListedPair]:
    """Draw `each` pairs of every stratum, or all of a smaller one, in one go through the pairs.

    Those are drawn whose ids have the smallest hashes, keyed by the seed: the same ones in whatever order the pairs
    come. The sample goes round the strata, a pair of each, until none is left; so whoever stops early has seen of
    all.
    """
    # the largest number of each stratum is at the top of its heap, as its negative is the smallest
    drawn: list[list[Drawn]] = [[] for _ in range(len(strata))]
    for pair in pairs:
        heap = drawn[strata.place(*ratio(*pair[3:]))]
        entry = (-_number(seed, pair.left, pair.right), pair)
        if len(heap) < each:
            heapq.heappush(heap, entry)
        else:
            heapq.heappushpop(heap, entry)
    rounds = zip_longest(*(sorted(heap, reverse=True) for heap in drawn))
    # within a round other bits of the numbers tell the order, so that the place of a pair does not tell its stratum
    return [
        pair
        for one_round in rounds
        for _, pair in sorted(filter(None, one_round), key=lambda entry: (-entry[0] % LOW_BITS, entry[1]))
    ]


def _number(seed: int, left: str, right: str) -> int:
    """Return the number of a pair in the draw, of 128 bits."""
    first = left.encode()
    # the length tells where the first id ends
    content = b"%d:%b%b" % (len(first), first, right.encode())
    return int.from_bytes(blake2b(content, digest_size=16, key=b"%d" % seed).digest())
