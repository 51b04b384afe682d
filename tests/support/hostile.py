"""Hostile corpora: one key, or one long block, held by every document."""

from collections.abc import Iterator
from random import Random

MARKS = ("the", "is", "a", "there", "was", "that")
"""Words behind which the spots of SpotSigs begin."""
BITS = 64


def _make_words(random: Random, count: int, marked: int = 4) -> list[str]:
    """Make words at random, of which one of `marked` is a word that spots begin at."""
    return [
        random.choice(MARKS) if at % marked == 0 else "".join(random.choices("bcdfghklmnprstvz", k=7))
        for at in range(count)
    ]


def _lay_out(words: list[str]) -> str:
    """Write words as sentences of eight, one a line."""
    return "".join(" ".join(words[at : at + 8]).capitalize() + ".\n" for at in range(0, len(words), 8))


def spam(count: int) -> Iterator[str]:
    """Make texts from one template, each with two words of its own."""
    random = Random("spam")
    template = _make_words(random, 160)
    for _ in range(count):
        words = list(template)
        for at in (37, 121):
            words[at] = _make_words(random, 2)[1]
        yield _lay_out(words)


def boilerplate(count: int) -> Iterator[str]:
    """Make texts of which two thirds are one block, in three parts; the rest has most of the spots."""
    random = Random("boilerplate")
    block = _make_words(random, 96, marked=8)
    for _ in range(count):
        own = _make_words(random, 48, marked=3)
        yield _lay_out([*block[:48], *own[:24], *block[48:80], *own[24:], *block[80:]])


def shuffled(count: int) -> Iterator[str]:
    """Make texts of twelve lines in any order, a refrain between them: equal sets of short shingles."""
    random = Random("shuffled")
    refrain = _lay_out(_make_words(random, 16))
    lines = [_lay_out(_make_words(random, 8)) for _ in range(12)]
    for _ in range(count):
        random.shuffle(lines)
        yield refrain + refrain.join(lines) + refrain


def one_key(count: int) -> Iterator[str]:
    """Make texts that share their first line and no more."""
    random = Random("one key")
    line = _make_words(random, 16)
    for _ in range(count):
        yield _lay_out([*line, *_make_words(random, 80)])


def nearly_near(count: int) -> Iterator[str]:
    """Make copies of one short text, each with a word of its own behind it; one in five differs too much."""
    random = Random("nearly near")
    base = _make_words(random, 25)
    for _ in range(count):
        words = [*base, *_make_words(random, 2)[1:]]
        if random.randrange(5) == 0:
            words[random.randrange(25)] = _make_words(random, 2)[1]
        yield _lay_out(words)


CORPORA = {"spam": spam, "shuffled": shuffled, "boilerplate": boilerplate, "one-key": one_key}
"""Texts by the kind of skew: near-copies, equal sets, a common block, a common key."""


def near_fingerprints(count: int) -> Iterator[int]:
    """Make fingerprints that differ from one in two bits or fewer."""
    random = Random("near")
    base = random.getrandbits(BITS)
    for _ in range(count):
        yield base ^ (1 << random.randrange(BITS)) ^ (1 << random.randrange(BITS))


def equal_fingerprints(count: int) -> Iterator[int]:
    """Make one fingerprint again and again."""
    return (0x5EED for _ in range(count))


def ball(count: int) -> Iterator[int]:
    """Make fingerprints that differ from one in eight bits or fewer: many share keys, fewer are near each other."""
    random = Random("ball")
    base = random.getrandbits(BITS)
    for _ in range(count):
        fingerprint = base
        for bit in random.choices(range(BITS), k=8):
            fingerprint ^= 1 << bit
        yield fingerprint


def one_block(count: int) -> Iterator[int]:
    """Make fingerprints that share their lowest 16 bits and no more."""
    random = Random("one block")
    return (random.getrandbits(BITS) >> 16 << 16 | 0x5EED for _ in range(count))


FINGERPRINTS = {"spam": near_fingerprints, "shuffled": equal_fingerprints, "boilerplate": ball, "one-key": one_block}
"""Fingerprints by the same kinds of skew."""
