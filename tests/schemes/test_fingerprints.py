"""SimHash and random projections by their definitions: hashes, bits, pairs, and the cost of the block plans."""

from collections import Counter
from collections.abc import Callable, Hashable
from functools import partial
from itertools import combinations
from math import acos, comb, cos, pi

import pytest

import neardup
from neardup import _core
from neardup.errors import UsageError
from neardup.inputs.sources import Engine
from oracle import Doc, is_blank, shingles, tokens
from texts import corpus

WORD = (1 << 64) - 1
PLANS = ["single", "double", "nested"]


def split_mix(state: int, index: int = 0) -> int:
    z = (state + 0x9E3779B97F4A7C15 * (index + 1)) & WORD
    z = ((z ^ z >> 30) * 0xBF58476D1CE4E5B9) & WORD
    z = ((z ^ z >> 27) * 0x94D049BB133111EB) & WORD
    return z ^ z >> 31


def fold(left: int, right: int) -> int:
    product = left * right
    return (product ^ product >> 64) & WORD


def token_hash(token: Hashable) -> int:
    data = str(token).encode()
    keys = [split_mix(0, index) for index in range(4)]
    state = 0
    while len(data) > 16:
        low, high = halves(data)
        state, data = fold(low ^ keys[2] ^ state, high ^ keys[3]), data[16:]
    low, high = halves(data)
    return fold(low ^ keys[0] ^ state, high ^ keys[1] ^ len(str(token).encode()))


def halves(data: bytes) -> tuple[int, int]:
    return int.from_bytes(data[:8], "little"), int.from_bytes(data[8:16], "little")


def shingle_hash(shingle: tuple[Hashable, ...]) -> int:
    mixed = len(shingle) * 0x9E3779B97F4A7C15
    mixed += sum(token_hash(token) * (split_mix(0, at) | 1) for at, token in enumerate(shingle))
    mixed &= WORD
    for _ in range(2):
        mixed = ((mixed ^ mixed >> 32) * 0xD6E8FEB86659FD93) & WORD
    return mixed ^ mixed >> 32


def simhash_bits(feature: int) -> list[int]:
    second = fold(feature ^ 0x9E3779B97F4A7C15, 0xE7037ED1A0B428DB)
    return [word >> bit & 1 for word in (feature, second) for bit in range(64)]


def projected_bits(feature: int) -> list[int]:
    words = (split_mix(feature ^ split_mix(0), index) for index in range(6))
    return [word >> bit & 1 for word in words for bit in range(64)]


def signs(features: Counter[int], bits: Callable[[int], list[int]], least: int) -> list[bool]:
    """Return for each bit whether the sum of +weight and -weight over the features is at least `least`."""
    weighted = [(bits(feature), weight) for feature, weight in features.items()]
    return [sum(weight if bit else -weight for bit, weight in column) >= least for column in _columns(weighted)]


def _columns(weighted: list[tuple[list[int], int]]) -> list[list[tuple[int, int]]]:
    return [[(bits[at], weight) for bits, weight in weighted] for at in range(len(weighted[0][0]))]


def features(text: str, width: int, often: bool) -> Counter[int]:
    words = tokens(text)
    if not often or len(words) < width:
        return Counter(shingle_hash(shingle) for shingle in shingles(words, width))
    return Counter(shingle_hash(tuple(words[at : at + width])) for at in range(len(words) - width + 1))


def projected(text: str, width: int, often: bool) -> list[bool]:
    return signs(features(text, width, often), projected_bits, 1)


def expected(docs: list[Doc], print_of: Callable[[str], list[bool]], bits: int, most: int) -> set[tuple[str, str]]:
    """Return all pairs that are equal, or whose first `bits` bits differ in at most `most` places."""
    made = {doc.id: print_of(doc.text)[:bits] for doc in docs if tokens(doc.text)}
    found = set()
    for left, right in combinations(sorted(docs, key=lambda doc: doc.id.encode()), 2):
        equal = left.text == right.text and not is_blank(left.text)
        if left.id in made and right.id in made:
            differing = sum(one != two for one, two in zip(made[left.id], made[right.id], strict=True))
            equal = equal or differing <= most
        if equal:
            found.add((left.id, right.id))
    return found


def found(docs: list[Doc], scheme: str, engine: Engine | None) -> set[tuple[str, str]]:
    documents = [neardup.Document(doc.text, doc.id) for doc in docs]
    table = neardup.find_pairs(documents, scheme=scheme, engine=engine).pairs
    return set(zip(table.column("left"), table.column("right"), strict=True))


@pytest.mark.on_spark(0)
@pytest.mark.parametrize("often", [False, True])
@pytest.mark.parametrize("language", ["english", "korean"])
def test_simhash_pairs(language: str, often: bool, engine: Engine | None) -> None:
    docs = corpus(language, 1)
    weight = " weight=tf" if often else ""
    for bits, most in [(64, 3), (64, 9), (128, 12)]:
        made = expected(docs, lambda text: signs(features(text, 2, often), simhash_bits, 0), bits, most)
        # a run on Spark takes seconds
        for plan in PLANS if engine is None else PLANS[:1]:
            scheme = f"words | shingles:2{weight} | simhash:{bits} | blocks:{most},{plan} | hamming<={most}"
            assert found(docs, scheme, engine) == made, scheme


@pytest.mark.on_spark(0)
def test_projection_pairs(engine: Engine | None) -> None:
    docs = corpus("english", 2, families=6)
    for agree in (372, 355):
        most = 384 - agree
        made = expected(docs, lambda text: signs(features(text, 1, often=False), projected_bits, 1), 384, most)
        assert found(docs, f"words | shingles:1 | projection | blocks:{most},single | agree>={agree}", engine) == made
    # the largest number of differing bits that represents a cosine of at least 0.97
    most = next(count for count in range(384, 0, -1) if cos(pi * count / 384) >= 0.97)
    assert most == int(acos(0.97) / pi * 384) == 30
    made = expected(docs, lambda text: signs(features(text, 1, often=False), projected_bits, 1), 384, most)
    assert found(docs, "words | shingles:1 | projection | blocks:30,double | ~cosine>=0.97", engine) == made


@pytest.mark.on_spark(0)
def test_henzinger_pairs_are_a_part_of_the_proposed(engine: Engine | None) -> None:
    docs = corpus("english", 3, families=30)
    bands = found(docs, "words | shingles:5 | minhash:84 | bands:6x14 match=2 | equal", engine)
    # projections of the shingles, of the words, and of the words with their counts
    for of, width, often in [("", 5, False), (" of=words", 1, False), (" of=words weight=tf", 1, True)]:
        both = f"words | shingles:5 | minhash:84 + projection:384{of} | bands:6x14 match=2 | equal & agree>=355"
        made = expected(docs, partial(projected, width=width, often=often), 384, 29)
        assert found(docs, both, engine) == bands & made
        assert bands & made


@pytest.mark.parametrize("bits", [64, 128, 384])
@pytest.mark.parametrize("distance", [0, 3, 4, 12])
def test_costs_of_the_plans(bits: int, distance: int) -> None:
    def widths(all_bits: int, parts: int) -> list[int]:
        return [all_bits // parts + (part < all_bits % parts) for part in range(parts)]

    count = 10**8
    prefixes = {
        "single": widths(bits, distance + 1),
        "double": [sum(pair) for pair in combinations(widths(bits, distance + 2), 2)],
        "nested": [
            width + inner for width in widths(bits, distance + 1) for inner in widths(bits - width, distance + 1)
        ],
    }
    tables = {"single": distance + 1, "double": comb(distance + 2, 2), "nested": (distance + 1) ** 2}
    rows = _core.block_plans(count, bits, distance)
    assert [row[0] for row in rows] == PLANS
    for plan, number, prefix, candidates, compares in rows:
        assert (number, prefix) == (tables[plan], min(prefixes[plan]))
        assert abs(candidates - count / 2**prefix) <= 0.5
        chance = sum(count * (count - 1) / 2 / 2**width for width in prefixes[plan])
        assert abs(compares - chance) <= 0.5 * number + chance * 1e-9


def test_plans_that_are_refused() -> None:
    for arguments, part in [((1, 1, 0), "2 to 1024"), ((1, 64, 32), "0 to 31"), ((1, 8, 7), "2 less than the bits")]:
        with pytest.raises(UsageError, match=part):
            _core.block_plans(*arguments)
