"""The bytes that machines send each other when they share a run: keys and small signatures, and texts in the last step.

`bench/shuffle.py` compares this estimate with the bytes that a run on Spark sends.
"""

import json
from dataclasses import dataclass
from pathlib import Path

from scaling.chance import TABLES
from scaling.rates import Corpus
from scaling.runs import Run
from scaling.sketches import Sketches

NUMBER = 8
"""Bytes of a document's number: several machines may have more than 2^32 documents."""
KEY = 8
"""Bytes of a key: too many keys of 32 bits would be equal by chance."""
DIGEST = 16
KEY_BITS = 8 * KEY
PHASES = {
    "sign": ("digests", "keys"),
    "compare": ("pairs", "signatures", "texts"),
    "write": ("verdicts",),
}
"""Phases of a run on Spark, and the steps of each."""


@dataclass(frozen=True)
class Shuffle:
    """The mean bytes that a document of a corpus sends."""

    corpus: Corpus
    pairs: float
    """Proposed pairs, which share a key, for each document."""
    verified: float
    """Pairs whose texts are compared, for each document."""
    signature: float
    """Bytes that are sent to compare a document by its signature: its bitmap and its size."""

    @classmethod
    def of(cls, run: Run) -> "Shuffle":
        """Return the shuffle of the corpus of a run, which proposes pairs and compares texts by the same rules."""
        signature = run.per_document("sketch_bytes") - 4 * TABLES
        return cls(Corpus.of(run), run.per_document("proposed"), run.per_document("compared"), signature)

    def steps(self) -> dict[str, float]:
        """Return the bytes of every step for each document."""
        corpus, number, signature = self.corpus, NUMBER, self.signature
        keys = Sketches(1, corpus.different * TABLES, KEY, number)
        pair, joined = 2 * number, 2 * number + signature
        # The table of signatures is joined twice: to the left and to the right document of each pair.
        table = corpus.alike * (number + signature)
        return {
            "digests": DIGEST + number,
            "keys": keys.list_bytes,
            "pairs": self.pairs * pair,
            "signatures": self.pairs * (pair + joined) + 2 * table,
            "texts": self.verified * 2 * (number + corpus.document_bytes),
            "verdicts": 2 * number,
        }

    def phases(self) -> dict[str, float]:
        """Return the bytes of every phase of a run on Spark, for each document."""
        steps = self.steps()
        return {phase: sum(steps[step] for step in of) for phase, of in PHASES.items()}


@dataclass(frozen=True)
class Sent:
    """The bytes that a run on Spark sent from task to task, measured by bench/shuffle.py."""

    documents: int
    bytes: dict[str, int]
    """Bytes of every phase."""
    compressed: dict[str, int]
    """Bytes of every phase as Spark compresses them."""


def read_sent(path: Path) -> Sent:
    """Read what `bench/shuffle.py --json` wrote."""
    return Sent(**json.loads(path.read_text(encoding="utf-8")))
