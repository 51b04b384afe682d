"""Runs as they were measured: bench/scale.py writes them down, and all else here is estimated from them."""

import json
import statistics
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

ASKED = {"growth": 1.3, "family": 3.0, "copies": 1.5}
"""The most that each `ratio` may be."""


@dataclass(frozen=True)
class Run:
    """One command over one file of documents, in as many rounds as there are seconds."""

    name: str
    documents: int
    bytes: int
    """Of the file."""
    seconds: list[float]
    """The whole process, round by round."""
    peak: int
    """Bytes of memory, in the worst round."""
    phases: dict[str, float]
    """Median seconds of every phase; a peer has none."""
    counts: dict[str, int]
    """What run.json counts, of the last round; of a peer what it dropped."""

    @property
    def wall(self) -> float:
        """The median of all rounds."""
        return statistics.median(self.seconds)

    @property
    def each(self) -> float:
        """Microseconds for one document."""
        return self.wall / self.documents * 1e6

    @property
    def parts(self) -> dict[str, float]:
        """Seconds of every phase, and of what lies before, between and behind them."""
        return {**self.phases, "rest": self.wall - sum(self.phases.values())}

    def per_document(self, count: str) -> float:
        """Return a count for one document."""
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
    """`documents` of a run, and of `stages` the bytes of every column in its work file."""

    @property
    def id_bytes(self) -> float:
        """Bytes of an id."""
        return float(self.disk["stages"]["signed"]["ids"] / self.disk["documents"])


def in_pairs(runs: list[Run]) -> list[tuple[Run, Run]]:
    """Return the runs of `family` verb by verb: without the family, and with it."""
    return list(zip(runs[::2], runs[1::2], strict=True))


def ratio(what: str, runs: list[Run]) -> float:
    """Return a time divided by the one that it is compared with.

    `growth`: a document of the last run beside one of the first. `family`: what the second of two runs takes beyond the
    first, beside the first, of all pairs of runs the most. `copies`: the first run beside the second.
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
        for what in ASKED
    }
    return Measured(**series, disk=kept["disk"])
