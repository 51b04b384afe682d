"""Texts in families whose pairs are on both sides of a threshold of 0.8, where keys miss pairs."""

from collections.abc import Callable, Iterator
from random import Random

import hostile

WIDTH = 5
"""Words in a shingle; a changed word changes the same number of shingles."""


class Families:
    """Makers of texts from one seed."""

    def __init__(self, seed: str) -> None:
        self.random = Random(seed)

    def words(self, count: int) -> list[str]:
        return ["".join(self.random.choices("bcdfghklmnprstvz", k=7)) for _ in range(count)]

    def edited(self, words: list[str], edits: float) -> list[str]:
        """Change `edits` words on average, each at a random place."""
        words = list(words)
        for _ in range(int(edits + self.random.random())):
            words[self.random.randrange(len(words))] = self.words(1)[0]
        return words

    def star(self, members: int, words: int, edits: float) -> Iterator[str]:
        """Yield texts that are each edited from one template."""
        template = self.words(words)
        return (" ".join(self.edited(template, edits)) for _ in range(members))

    def chain(self, members: int, words: int, edits: float) -> Iterator[str]:
        """Yield texts that are each edited from the previous one."""
        text = self.words(words)
        for _ in range(members):
            yield " ".join(text)
            text = self.edited(text, edits)

    def moved(self, members: int, paragraphs: int, words: int) -> Iterator[str]:
        """Yield texts of the same paragraphs in random order."""
        parts = [" ".join(self.words(words)) for _ in range(paragraphs)]
        for _ in range(members):
            self.random.shuffle(parts)
            yield "\n\n".join(parts)

    def many(self, families: int, make: Callable[[], Iterator[str]]) -> Iterator[str]:
        for _ in range(families):
            yield from make()


def near(words: int) -> float:
    """Return the mean number of edits at which two texts of `words` words have a resemblance of about 0.8.

    If k words are changed in both texts together, n - 5k of n shingles are shared and the union has n + 5k. The
    resemblance is 0.8 at 5k = n / 9.
    """
    return words / WIDTH / 9 / 2


def make(name: str) -> list[str]:
    """Return the texts of the corpus `name` of `MAKERS`."""
    return list(MAKERS[name](Families(name)))


def _heavy(make: Families) -> Iterator[str]:
    yield from make.star(100, 150, near(150))
    yield from make.many(100, lambda: make.star(2, 150, near(150)))


def _copied(make: Families) -> Iterator[str]:
    for text in make.many(60, lambda: make.star(4, 120, near(120))):
        yield from [text] * make.random.choice((1, 1, 2, 5))


def _zipf(make: Families) -> Iterator[str]:
    for rank in range(1, 80):
        yield from make.star(max(2, 120 // rank), 140, near(140))


def _mixed(make: Families) -> Iterator[str]:
    yield from make.star(300, 150, near(150))
    yield from make.many(1200, lambda: make.star(2, 100, near(100)))


MAKERS: dict[str, Callable[[Families], Iterator[str]]] = {
    "few pairs": lambda make: make.many(12, lambda: make.star(2, 150, near(150) * 0.8)),
    "pairs near the threshold": lambda make: make.many(300, lambda: make.star(2, 150, near(150))),
    "pairs far above it": lambda make: make.many(300, lambda: make.star(2, 300, 1)),
    "short pairs": lambda make: make.many(400, lambda: make.star(2, 45, near(45))),
    "long pairs": lambda make: make.many(60, lambda: make.star(2, 1500, near(1500))),
    "threes": lambda make: make.many(120, lambda: make.star(3, 150, near(150))),
    "families of 10": lambda make: make.many(20, lambda: make.star(10, 150, near(150))),
    "families of 40": lambda make: make.many(6, lambda: make.star(40, 150, near(150))),
    "one family": lambda make: make.star(120, 150, near(150)),
    "one family of long texts": lambda make: make.star(60, 1200, near(1200)),
    "chains of 8": lambda make: make.many(25, lambda: make.chain(8, 150, 1.5)),
    "one chain": lambda make: make.chain(150, 150, 1.5),
    "a family and pairs": _heavy,
    "families of all sizes": _zipf,
    "copies": _copied,
    "moved paragraphs": lambda make: make.many(20, lambda: make.moved(6, 8, 30)),
    "spam": lambda _: hostile.spam(200),
    "many pairs": lambda make: make.many(2000, lambda: make.star(2, 100, near(100))),
    "a large family and many pairs": _mixed,
}
