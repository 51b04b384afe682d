"""Measured runs, which bench/scale.py writes; everything else in this package is estimated from them."""

import json
import statistics
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

LIMITS = {"growth": 1.3, "family": 3.0, "copies": 1.5}
"""Maximum of each `ratio`."""


@dataclass(frozen=True)
class Run:
    """One command over one file of documents, measured in several rounds."""

    name: str
    documents: int
    bytes: int
    """Size of the file."""
    seconds: list[float]
    """Seconds of the whole process, one value for each round."""
    peak: int
    """Peak memory of the worst round, in bytes."""
    phases: dict[str, float]
    """Median seconds of every phase; a peer has none."""
    counts: dict[str, int]
    """Counts of run.json in the last round; for a peer, the documents that it dropped."""

    @property
    def wall(self) -> float:
        """Median seconds of all rounds."""
        return statistics.median(self.seconds)

    @property
    def each(self) -> float:
        """Microseconds for each document."""
        return self.wall / self.documents * 1e6

    @property
    def parts(self) -> dict[str, float]:
        """Seconds of every phase, and of `rest`: the time before, between and after them."""
        return {**self.phases, "rest": self.wall - sum(self.phases.values())}

    def per_document(self, count: str) -> float:
        """Return a count divided by the number of documents."""
        return self.counts[count] / self.documents


class Series(NamedTuple):
    """Runs that were measured in turns."""

    threads: int
    memory: str
    runs: list[Run]


class Measured(NamedTuple):
    """All that bench/scale.py measures."""

    growth: Series
    family: Series
    copies: Series
    disk: dict[str, Any]
    """`documents` of a run, and `stages`: the bytes of every column in its work file."""

    @property
    def id_bytes(self) -> float:
        """Mean bytes of an id."""
        return float(self.disk["stages"]["signed"]["ids"] / self.disk["documents"])


def in_pairs(runs: list[Run]) -> list[tuple[Run, Run]]:
    """Return the runs of `family` verb by verb, each as a pair: without the family, and with it."""
    return list(zip(runs[::2], runs[1::2], strict=True))


def ratio(what: str, runs: list[Run]) -> float:
    """Return a time divided by the time that it is compared with.

    `growth`: a document of the last run, divided by one of the first. `family`: the time that the second run of a pair
    adds to the first, divided by the first; the maximum of all pairs. `copies`: the first run divided by the second.
    """
    if what == "family":
        return max((beside.wall - alone.wall) / alone.wall for alone, beside in in_pairs(runs))
    first, last = runs[0], runs[-1]
    return last.each / first.each if what == "growth" else first.wall / last.wall


def read(path: Path) -> Measured:
    """Read what `bench/scale.py --json` wrote."""
    kept = json.loads(path.read_text(encoding="utf-8"))
    series = {
        what: Series(kept[what]["threads"], kept[what]["memory"], [Run(**run) for run in kept[what]["runs"]])
        for what in LIMITS
    }
    return Measured(**series, disk=kept["disk"])
