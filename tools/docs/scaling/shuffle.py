"""What machines send each other when one run is done by several: keys and small signatures, and texts at the last step.

It is what the engine that does so is compared with: `bench/shuffle.py` measures what a run on Spark sends.
"""

import json
from dataclasses import dataclass
from pathlib import Path

from scaling.chance import TABLES
from scaling.rates import Corpus
from scaling.runs import Run
from scaling.sketches import Sketches

NUMBER = 8
"""Bytes of a document's number: more of them than 32 bits can tell apart."""
KEY = 8
"""Bytes of a key: of 32 bits, too many are equal by chance."""
DIGEST = 16
KEY_BITS = 8 * KEY
PHASES = {
    "arrange": ("digests", "keys", "pairs", "signatures"),
    "compare": ("texts",),
    "write": ("verdicts",),
}
"""Phases of a run on Spark, and the steps that are done in them."""


@dataclass(frozen=True)
class Shuffle:
    """What a document of a corpus sends, in bytes on average."""

    corpus: Corpus
    pairs: float
    """Pairs of documents that share a key and are looked at, for each document."""
    verified: float
    """Those of them whose texts are compared."""
    signature: float
    """Bytes that go with a document to be looked at: its bitmap and its size."""

    @classmethod
    def of(cls, run: Run) -> "Shuffle":
        """Return the shuffle of the corpus of a run, which looked at pairs and compared texts by the same rule."""
        signature = run.per_document("sketch_bytes") - 4 * TABLES
        return cls(Corpus.of(run), run.per_document("proposed"), run.per_document("compared"), signature)

    def steps(self) -> dict[str, float]:
        """Return the bytes of every step for each document."""
        corpus, number, signature = self.corpus, NUMBER, self.signature
        keys = Sketches(1, corpus.different * TABLES, KEY, number)
        pair, joined = 2 * number, 2 * number + signature
        # A table of signatures is joined to both sides of a pair, one after the other.
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
        """Return the bytes of every phase of a run on Spark for each document."""
        steps = self.steps()
        return {phase: sum(steps[step] for step in of) for phase, of in PHASES.items()}


@dataclass(frozen=True)
class Sent:
    """What a run on Spark sent from task to task, as bench/shuffle.py wrote it down."""

    documents: int
    bytes: dict[str, int]
    """Of every phase."""
    compressed: dict[str, int]
    """The same as Spark compresses it."""


def read_sent(path: Path) -> Sent:
    """Read what `bench/shuffle.py --json` wrote."""
    return Sent(**json.loads(path.read_text(encoding="utf-8")))
