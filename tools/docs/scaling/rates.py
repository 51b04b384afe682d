"""The model: the time of every phase for a document or a byte, and how it grows with the number of documents.

A phase reads its units a fixed number of times, partitions them, and looks others up in memory, which fits the caches
less and less. So a unit of n documents costs a + b log n. Two measured runs determine a and b of every phase, and a
third shows the error.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from scaling import chance
from scaling.runs import Run

UNITS: Mapping[str, str] = {
    "sign": "bytes",
    "arrange": "documents",
    "lead": "bytes of candidates",
    "certify": "documents",
    "write": "bytes",
    "report": "documents",
    "rest": "documents",
}
"""The unit that the time of each phase is proportional to."""


@dataclass(frozen=True)
class Corpus:
    """Properties of documents: their length, and shares of their number."""

    document_bytes: float
    different: float
    """Share of documents that are not exact copies; only their keys are arranged."""
    alike: float
    """Share of documents that share a key with another one because they are alike, not by chance."""

    @classmethod
    def of(cls, run: Run) -> "Corpus":
        """Return the corpus of a run; candidates by chance are subtracted from its candidates."""
        different = run.documents - run.counts["copies"]
        share = chance.collision_share(different)
        alike = (run.counts["candidates"] - different * share) / (1 - share)
        return cls(run.bytes / run.documents, different / run.documents, alike / run.documents)

    def candidates(self, documents: float, key_bits: int = chance.RUN_BITS) -> float:
        """Estimate how many of `documents` share a key with another, because they are alike or by chance."""
        different, alike = documents * self.different, documents * self.alike
        return alike + (different - alike) * chance.collision_share(different, key_bits)

    def units(self, documents: float, key_bits: int = chance.RUN_BITS) -> dict[str, float]:
        """Return the amount of every unit in `documents` documents."""
        return _units(documents, self.candidates(documents, key_bits), self.document_bytes)


@dataclass(frozen=True)
class Line:
    """Seconds of a unit: `at` in a run of `documents`, and `slope` more for ten times as many."""

    documents: int
    at: float
    slope: float

    def seconds(self, documents: float) -> float:
        """Return the seconds of a unit in a run of `documents`; never less than 0."""
        return max(0.0, self.at + self.slope * math.log10(documents / self.documents))


@dataclass(frozen=True)
class Rates:
    """The time of every phase on one machine."""

    lines: Mapping[str, Line]
    corpus: Corpus
    threads: int
    """Threads of the measured runs."""

    @classmethod
    def of(cls, small: Run, large: Run, threads: int) -> "Rates":
        """Fit two runs. A phase whose unit got cheaper is assumed to stay as it is in the larger run."""
        corpus = Corpus.of(small)
        tens = math.log10(large.documents / small.documents)
        lines = {}
        for phase, unit in UNITS.items():
            before, at = (run.parts[phase] / _units_of(run)[unit] for run in (small, large))
            lines[phase] = Line(large.documents, at, max(0.0, (at - before) / tens))
        return cls(lines, corpus, threads)

    def phases(self, documents: float) -> dict[str, float]:
        """Estimate the seconds of every phase of one run of `documents`, with keys of 32 bits."""
        units = self.corpus.units(documents)
        return {phase: units[unit] * self.lines[phase].seconds(documents) for phase, unit in UNITS.items()}

    def seconds(self, documents: float) -> float:
        """Estimate the seconds of one run of `documents`."""
        return sum(self.phases(documents).values())


def _units_of(run: Run) -> dict[str, float]:
    return _units(run.documents, run.counts["candidates"], run.bytes / run.documents)


def _units(documents: float, candidates: float, document_bytes: float) -> dict[str, float]:
    return {
        "documents": documents,
        "bytes": documents * document_bytes,
        "bytes of candidates": candidates * document_bytes,
    }
