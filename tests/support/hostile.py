"""Hostile corpora, in which all documents share one key or one long block."""

from collections.abc import Iterator
from random import Random

MARKS = ("the", "is", "a", "there", "was", "that")
"""Antecedents, at which the spots of SpotSigs begin."""
BITS = 64


def _make_words(random: Random, count: int, marked: int = 4) -> list[str]:
    """Make random words; every `marked`-th word is an antecedent."""
    return [
        random.choice(MARKS) if at % marked == 0 else "".join(random.choices("bcdfghklmnprstvz", k=7))
        for at in range(count)
    ]


def _lay_out(words: list[str]) -> str:
    """Format words as sentences of eight words, one sentence a line."""
    return "".join(" ".join(words[at : at + 8]).capitalize() + ".\n" for at in range(0, len(words), 8))


def spam(count: int) -> Iterator[str]:
    """Yield texts from one template, each with two unique words."""
    random = Random("spam")
    template = _make_words(random, 160)
    for _ in range(count):
        words = list(template)
        for at in (37, 121):
            words[at] = _make_words(random, 2)[1]
        yield _lay_out(words)


def boilerplate(count: int) -> Iterator[str]:
    """Yield texts that are two thirds a common block, in three parts; the rest has most of the spots."""
    random = Random("boilerplate")
    block = _make_words(random, 96, marked=8)
    for _ in range(count):
        own = _make_words(random, 48, marked=3)
        yield _lay_out([*block[:48], *own[:24], *block[48:80], *own[24:], *block[80:]])


def shuffled(count: int) -> Iterator[str]:
    """Yield texts of twelve lines in random order with a refrain between them; short shingles are equal."""
    random = Random("shuffled")
    refrain = _lay_out(_make_words(random, 16))
    lines = [_lay_out(_make_words(random, 8)) for _ in range(12)]
    for _ in range(count):
        random.shuffle(lines)
        yield refrain + refrain.join(lines) + refrain


def one_key(count: int) -> Iterator[str]:
    """Yield texts that share only their first line."""
    random = Random("one key")
    line = _make_words(random, 16)
    for _ in range(count):
        yield _lay_out([*line, *_make_words(random, 80)])


def nearly_near(count: int) -> Iterator[str]:
    """Yield copies of one short text, each with a unique last word; one in five differs too much to be near."""
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
    """Yield fingerprints that differ from one base in at most two bits."""
    random = Random("near")
    base = random.getrandbits(BITS)
    for _ in range(count):
        yield base ^ (1 << random.randrange(BITS)) ^ (1 << random.randrange(BITS))


def equal_fingerprints(count: int) -> Iterator[int]:
    """Yield the same fingerprint `count` times."""
    return (0x5EED for _ in range(count))


def ball(count: int) -> Iterator[int]:
    """Yield fingerprints that differ from one base in at most eight bits: many share keys, fewer are near."""
    random = Random("ball")
    base = random.getrandbits(BITS)
    for _ in range(count):
        fingerprint = base
        for bit in random.choices(range(BITS), k=8):
            fingerprint ^= 1 << bit
        yield fingerprint


def one_block(count: int) -> Iterator[int]:
    """Yield fingerprints that share only their lowest 16 bits."""
    random = Random("one block")
    return (random.getrandbits(BITS) >> 16 << 16 | 0x5EED for _ in range(count))


FINGERPRINTS = {"spam": near_fingerprints, "shuffled": equal_fingerprints, "boilerplate": ball, "one-key": one_block}
"""Fingerprints by the same kinds of skew."""
