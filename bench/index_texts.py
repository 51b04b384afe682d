"""Texts of any number, made from a seed: words of a Zipf-like vocabulary, an eighth of the texts near-copies of others.

Of ten originals eight are of English letters, one of Hangul, one of Han characters without spaces. A text depends on
its number and the seed alone, so that no list of them need be kept.
"""

import itertools
import json
import multiprocessing
import random
import re
from collections.abc import Iterator
from functools import cache

WIDTH = 5
"""Of shingles, in words."""
NEW = 1 << 32
"""From this number on texts are in no index."""
_COPY = 8
"""Every this many texts is a near-copy."""
_SENTENCE = 12
"""Words to a sentence."""
_SLOTS = 1 << 16
"""Slots of an urn that words are drawn from; a frequent word has many."""
_BLOCK = 1_000
_AHEAD = 16
"""Texts made by a process at once, and such blocks at once."""
_LANGUAGES = {
    "English": (list(map("".join, itertools.product("bcdfglmnprst", "aeiou", "bdlmnrst", "aeio"))), " ", ". "),
    "Korean": (
        list(map("".join, itertools.product("가나다라마바사아자하", "을는의고에서도기리지", "로만"))),
        " ",
        ". ",
    ),
    "Chinese": (list(map("".join, itertools.product(map(chr, range(0x4E00, 0x4E40)), repeat=2))), "", "。"),
}
"""Words, what is between them, and what between sentences."""


@cache
def _urn(language: str) -> list[str]:
    """The words as often as they are to be drawn: the n-th about n times less often than the first."""
    words = _LANGUAGES[language][0]
    random.Random(language).shuffle(words)
    return [words[int(len(words) ** ((slot + 0.5) / _SLOTS)) - 1] for slot in range(_SLOTS)]


class Texts:
    """Texts of about this many words."""

    def __init__(self, words: int, seed: int = 1) -> None:
        self.words = words
        self.seed = seed

    def text(self, number: int) -> str:
        """The text of this number."""
        chance = random.Random(number << 8 | self.seed)
        if number % _COPY == _COPY - 1 and number < NEW:
            # Early texts have many copies, late ones few.
            source = int(number * chance.random() ** 2)
            return self.edited(source - source % _COPY, chance)
        return _write(*self._original(chance))

    def edited(self, number: int, chance: random.Random) -> str:
        """An original with a few words changed or left out."""
        language, words = self._original(random.Random(number << 8 | self.seed))
        for _ in range(chance.choice((0, 1, 1, 2, 4, 8, 16)) * self.words // 500 + chance.randrange(2)):
            # An edit at an end changes one shingle; a short text is lost by the other ones.
            place = chance.choice((0, len(words) - 1, chance.randrange(len(words))))
            words[place : place + 1] = chance.choice(([], [chance.choice(_urn(language))]))
        return _write(language, words)

    def lines(self, start: int, end: int) -> Iterator[bytes]:
        """JSON lines of the texts of these numbers, with ids and URLs, many at a time."""
        blocks = [(self, at, min(at + _BLOCK, end)) for at in range(start, end, _BLOCK)]
        with multiprocessing.Pool() as pool:
            # A few blocks at a time: their consumer may be slower than they are made.
            for at in range(0, len(blocks), _AHEAD):
                yield from pool.map(_lines, blocks[at : at + _AHEAD], chunksize=1)

    def questions(self, count: int, among: int, seed: int) -> Iterator[tuple[str, int | None]]:
        """Texts to ask about: one is an original among the first `among`, edited, with its number; the next is new."""
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
        # Pairs of characters are the words of Chinese.
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
    """The 5-shingles of such a text, by the rules of the contract and by code of its own."""
    words: list[str] = []
    for word in re.findall(r"\w+", text):
        pairs = "\u4e00" <= word[0] < "\uac00"
        words += map("".join, itertools.pairwise(word)) if pairs and len(word) > 1 else [word]
    return {tuple(words[at : at + WIDTH]) for at in range(max(1, len(words) - WIDTH + 1))}


def alike(one: str, other: str) -> bool:
    """Whether two texts resemble each other by 0.8 or more."""
    left, right = shingles(one), shingles(other)
    return 5 * len(left & right) >= 4 * len(left | right)
