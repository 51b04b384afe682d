"""What the keys of a number of documents make every stage do, as bench/simulate_keys.py found it."""

import math
from dataclasses import dataclass

BANDS = 16
"""Keys of a document in the default scheme."""
STARS = 2
"""Stages of a round that connects links."""


@dataclass(frozen=True)
class Keys:
    """Counts of one run."""

    documents: int
    bits: int
    """Bits of a key within its band."""
    rows: int
    """Keys that are sent."""
    by_chance: float
    """Pairs of different values that have the same key by chance, in all bands."""
    links: float
    """Links that the tasks of `link` send."""
    rounds: int
    """Rounds that connect the links."""
    texts: float
    """Texts that are sent to be compared."""
    looks: float
    """Pairs that `compare` looks at."""
    largest: float
    """Texts of the largest component, which one task compares."""
    largest_family: float
    """Texts of the largest family of the corpus itself."""
    homes: int
    parts: int

    @property
    def blocks(self) -> int:
        """Blocks of the largest shuffle: one for each home and part."""
        return self.homes * self.parts

    def work(self) -> dict[str, float]:
        """Return the work of every phase in its own unit: documents, comparisons of a sort, links, texts, pairs."""
        return {
            "sign": self.documents,
            "link": self.rows * math.log2(self.rows / self.parts),
            "connect": self.links * STARS * self.rounds,
            "fetch": self.texts,
            "compare": self.looks,
            "write": self.documents,
        }

    def growth(self) -> dict[str, float]:
        """Return the work of every phase divided by n log n."""
        return {phase: work / (self.documents * math.log2(self.documents)) for phase, work in self.work().items()}
