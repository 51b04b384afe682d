"""The bytes that a run reads from the disk and writes to it."""

from dataclasses import dataclass

from scaling.runs import Measured, Run

PAGE = 4096
"""Bytes that a disk reads for a single text."""


@dataclass(frozen=True)
class Traffic:
    """Bytes on the disk for each document, by kind."""

    input: float
    signed: float
    """Columns that signing writes."""
    sketches: float
    """Keys and bitmaps, which are a part of `signed`."""
    arranged: float
    found: float
    work: float
    """The whole work file; buckets of many documents are written twice."""
    output: float

    @classmethod
    def of(cls, measured: Measured, run: Run) -> "Traffic":
        """Return the traffic of a measured run."""
        stages, documents = measured.disk["stages"], measured.disk["documents"]
        stage = {name: sum(columns.values()) / documents for name, columns in stages.items()}
        whole = (run.per_document(f"{name}_bytes") for name in ("work", "output"))
        sketches = run.per_document("sketch_bytes")
        return cls(run.bytes / run.documents, stage["signed"], sketches, stage["arranged"], stage["found"], *whole)

    def phases(self, candidates: float) -> dict[str, float]:
        """Return the bytes of each phase; a share of `candidates` has its texts read again, by pages, at most all."""
        return {
            "sign": self.input + self.signed,
            "arrange": self.sketches + self.arranged,
            "lead": self.sketches + self.arranged + self.found + min(candidates * PAGE, self.input),
            "write": self.input + self.output,
        }

    @property
    def taken(self) -> float:
        """Bytes on the disk besides the input."""
        return self.work + self.output
