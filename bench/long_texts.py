"""Documents of about 4 kB, some of them copies and near-copies, made from invented words by a seed.

usage: long_texts.py DOCUMENTS FILE.jsonl [--seed N]

A document has 330 to 990 words, of a vocabulary in which few words are frequent. Of all originals, `HAS_COPIES` have
copies: their number is a Pareto draw with the exponent `TAIL`, so that few families are large and most are small. Of
the copies, `EXACT` are equal to the original, and in the others up to `EDITED` of the words are replaced. The order of
the documents is random.
"""

import argparse
import json
import random
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path

WORDS = (330, 990)
VOCABULARY = 30_000
HAS_COPIES = 0.16
"""Share of the originals that have copies."""
TAIL = 1.5
"""The chance that a family has more than s copies is (s + 1) to the power of -TAIL."""
MOST = 100_000
"""Maximum number of copies of an original."""
EXACT = 0.25
"""Share of the copies that are equal to the original."""
EDITED = 0.025
"""Maximum share of the words of a near-copy that differ from the original."""
SEED = 41


class Words:
    """A vocabulary of invented words."""

    def __init__(self, seed: int) -> None:
        draw = random.Random(f"{seed} words")
        starts = ["b", "br", "d", "f", "gl", "h", "k", "l", "m", "n", "p", "r", "s", "st", "t", "tr", "v", "w", ""]
        middles = ["a", "e", "i", "o", "u", "ai", "ea", "ou"]
        ends = ["", "", "n", "r", "s", "l", "t", "nd"]
        syllables = [start + middle + end for start in starts for middle in middles for end in ends]
        words: dict[str, None] = {}
        while len(words) < VOCABULARY:
            words.setdefault("".join(draw.choice(syllables) for _ in range(draw.choice([1, 2, 2, 2, 3]))))
        # As in natural language, frequent words are short, and the frequency of a word falls with its rank.
        self._words = sorted(words, key=len)
        self._weights = list(accumulate(1 / (rank + 200) for rank in range(VOCABULARY)))

    def draw(self, chance: random.Random, count: int) -> list[str]:
        """Return some words."""
        return chance.choices(self._words, cum_weights=self._weights, k=count)


def families(documents: int, seed: int) -> list[int]:
    """Return the family of each document, as the number of its original, in the order of the file."""
    chance = random.Random(f"{seed} families")
    of: list[int] = []
    family = 0
    while len(of) < documents:
        copies = min(int(chance.paretovariate(TAIL)), MOST) if chance.random() < HAS_COPIES else 0
        of += [family] * min(1 + copies, documents - len(of))
        family += 1
    chance.shuffle(of)
    return of


def texts(documents: int, seed: int) -> Iterator[str]:
    """Yield the documents; the first of a family is its original."""
    words = Words(seed)
    seen: set[int] = set()
    for number, family in enumerate(families(documents, seed)):
        chance = random.Random(f"{seed} text {family}")
        text = words.draw(chance, chance.randint(*WORDS))
        if family in seen:
            edit(text, words, random.Random(f"{seed} copy {number}"))
        seen.add(family)
        yield " ".join(text)


def edit(text: list[str], words: Words, chance: random.Random) -> None:
    """Replace some words, or none."""
    if chance.random() >= EXACT:
        places = chance.sample(range(len(text)), 1 + int(chance.random() * EDITED * len(text)))
        for place, word in zip(places, words.draw(chance, len(places)), strict=True):
            text[place] = word


def make(path: Path, documents: int, seed: int = SEED) -> Path:
    """Write a file of JSON lines, unless it exists, and return its path."""
    if not path.exists():
        aside = path.with_name(path.name + ".part")
        with aside.open("w", encoding="utf-8") as file:
            for number, text in enumerate(texts(documents, seed)):
                file.write(json.dumps({"id": f"d{number:09}", "text": text}) + "\n")
        aside.replace(path)
    return path


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("documents", type=int)
    parser.add_argument("file", type=Path)
    parser.add_argument("--seed", type=int, default=SEED)
    args = parser.parse_args()
    make(args.file, args.documents, args.seed)


if __name__ == "__main__":
    main()
