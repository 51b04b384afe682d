"""Generated texts: words of a Zipf-like vocabulary; an eighth of the texts are near-copies of others.

Of ten originals, eight have English letters, one Hangul, one Han characters without spaces. A text depends only on its
number and the seed, so texts need not be stored.
"""

import itertools
import json
import multiprocessing
import random
import re
from collections.abc import Iterator
from functools import cache

WIDTH = 5
"""Words in a shingle."""
NEW = 1 << 32
"""First number of the texts that are in no index."""
_COPY = 8
"""One text in `_COPY` is a near-copy."""
_SENTENCE = 12
"""Words in a sentence."""
_SLOTS = 1 << 16
"""Slots of the urn that words are drawn from; a frequent word has many slots."""
_BLOCK = 1_000
"""Texts that a process makes at once."""
_AHEAD = 16
"""Blocks that are made at a time."""
_LANGUAGES = {
    "English": (list(map("".join, itertools.product("bcdfglmnprst", "aeiou", "bdlmnrst", "aeio"))), " ", ". "),
    "Korean": (
        list(map("".join, itertools.product("가나다라마바사아자하", "을는의고에서도기리지", "로만"))),
        " ",
        ". ",
    ),
    "Chinese": (list(map("".join, itertools.product(map(chr, range(0x4E00, 0x4E40)), repeat=2))), "", "。"),
}
"""By language: words, the gap between words, and the end of a sentence."""


@cache
def _urn(language: str) -> list[str]:
    """Return an urn of words, in which the n-th word is about n times rarer than the first."""
    words = _LANGUAGES[language][0]
    random.Random(language).shuffle(words)
    return [words[int(len(words) ** ((slot + 0.5) / _SLOTS)) - 1] for slot in range(_SLOTS)]


class Texts:
    """Texts of about `words` words."""

    def __init__(self, words: int, seed: int = 1) -> None:
        self.words = words
        self.seed = seed

    def text(self, number: int) -> str:
        """Return the text of a number."""
        chance = random.Random(number << 8 | self.seed)
        if number % _COPY == _COPY - 1 and number < NEW:
            # Early texts have many copies, late ones few.
            source = int(number * chance.random() ** 2)
            return self.edited(source - source % _COPY, chance)
        return _write(*self._original(chance))

    def edited(self, number: int, chance: random.Random) -> str:
        """Return an original with a few words changed or left out."""
        language, words = self._original(random.Random(number << 8 | self.seed))
        for _ in range(chance.choice((0, 1, 1, 2, 4, 8, 16)) * self.words // 500 + chance.randrange(2)):
            # An edit at an end changes one shingle; edits elsewhere change so many that a short text is no longer near.
            place = chance.choice((0, len(words) - 1, chance.randrange(len(words))))
            words[place : place + 1] = chance.choice(([], [chance.choice(_urn(language))]))
        return _write(language, words)

    def lines(self, start: int, end: int) -> Iterator[bytes]:
        """Yield the texts from `start` to `end` as JSON lines with ids and URLs, many lines at a time."""
        blocks = [(self, at, min(at + _BLOCK, end)) for at in range(start, end, _BLOCK)]
        with multiprocessing.Pool() as pool:
            # Only some blocks at a time: the consumer may be slower than this producer.
            for at in range(0, len(blocks), _AHEAD):
                yield from pool.map(_lines, blocks[at : at + _AHEAD], chunksize=1)

    def questions(self, count: int, among: int, seed: int) -> Iterator[tuple[str, int | None]]:
        """Yield queries: in turns an edited original of the first `among` with its number, and a new text with None."""
        chance = random.Random(seed)
        for question in range(count):
            if question % 2:
                yield self.text(NEW + seed * count + question), None
            else:
                source = chance.randrange(among)
                source -= source % _COPY
                yield self.edited(source, chance), source

    def _original(self, chance: random.Random) -> tuple[str, list[str]]:
        language = chance.choice(("English",) * 8 + ("Korean", "Chinese"))
        count = int(self.words * (0.8 + 0.4 * chance.random()))
        # The words of Chinese are pairs of characters.
        return language, chance.choices(_urn(language), k=count // 2 if language == "Chinese" else count)


def _write(language: str, words: list[str]) -> str:
    _, space, stop = _LANGUAGES[language]
    sentences = (words[start : start + _SENTENCE] for start in range(0, len(words), _SENTENCE))
    return stop.join(map(space.join, sentences))


def _lines(block: tuple[Texts, int, int]) -> bytes:
    texts, start, end = block
    records = (
        {"id": f"d{number}", "url": f"http://example.org/{number}", "text": texts.text(number)}
        for number in range(start, end)
    )
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records).encode()


def shingles(text: str) -> set[tuple[str, ...]]:
    """Return the 5-shingles of a generated text by the rules of the contract, without code of neardup."""
    words: list[str] = []
    for word in re.findall(r"\w+", text):
        pairs = "\u4e00" <= word[0] < "\uac00"
        words += map("".join, itertools.pairwise(word)) if pairs and len(word) > 1 else [word]
    return {tuple(words[at : at + WIDTH]) for at in range(max(1, len(words) - WIDTH + 1))}


def alike(one: str, other: str) -> bool:
    """Return whether the resemblance of two texts is 0.8 or more."""
    left, right = shingles(one), shingles(other)
    return 5 * len(left & right) >= 4 * len(left | right)
