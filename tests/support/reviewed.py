"""Documents that are reviewed."""

from fractions import Fraction
from random import Random

from neardup import Document


def write_docs() -> list[Document]:
    """Return families of texts of 120 words, in each of which at most four words are replaced."""
    random, docs = Random(11), list[Document]()
    for family in range(12):
        words = [f"word{random.randrange(10_000)}" for _ in range(120)]
        for member in range(6):
            text = list(words)
            for at in random.sample(range(120), member - 1 if member else 0):
                text[at] = f"other{random.randrange(10_000)}"
            docs.append(Document(" ".join(text), f"{family}-{member}", f"https://a.example/{family}/{member}", member))
    return docs


DOCS = write_docs()


LINE = Fraction(7, 10)
"""Resemblance from which the reviewers of the tests call a pair duplicates."""
