#!/usr/bin/env python3
"""Reckon what a run takes at sizes nobody has measured, from the rates of runs that somebody has.

usage: scale_model.py RUNS.json [--price P] [--memory-price P]

RUNS.json is what `scale.py growth --json` wrote. Every phase goes over its documents, keys or records a fixed number of
times, and sorts by value in as many passes as there are parts, so its time is its rate times the documents; rates are
those of the largest run but one, and the largest run tests them. What stays in memory and what is written of a document
is what the budget of a run reckons with, and what the largest run wrote.

The same sum is done for the run of Broder, Glassman, Manasse and Zweig 1997, whose sizes are printed in their paper.
"""

import argparse
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import table

SIZES = (1_000_000, 10_000_000, 30_000_000, 100_000_000, 1_000_000_000, 10_000_000_000)
MOST_DOCUMENTS = 2**32 - 2
"""A run numbers its documents with 32 bits."""
DOCUMENT_BYTES = 80
"""Numbers that stay in memory for every document (crates/neardup-engine/src/budget.rs)."""
ID_BYTES = 18
"""An id of ten bytes, and where it ends."""


@dataclass(frozen=True)
class Sketches:
    """Sketches of documents as a sorted list: how many there are, and what an entry takes."""

    documents: int
    shingles: int
    """Shingles in all sketches."""
    shingle_bytes: int
    document_bytes: int

    @property
    def sketch_bytes(self) -> int:
        """The sketches, one after another."""
        return self.shingles * self.shingle_bytes

    @property
    def list_bytes(self) -> int:
        """The list of <shingle, document> that is sorted."""
        return self.shingles * (self.shingle_bytes + self.document_bytes)


CRAWL_1997 = Sketches(documents=30_000_000, shingles=600_000_000, shingle_bytes=5, document_bytes=4)
"""The crawl of 1996: 30 million documents, 20 shingles kept of each, 5 bytes a shingle, 4 a document."""
PRINTED_1997 = {"sketches": 3.0, "list": 5.5, "peak": 10.0}
"""Gigabytes, as the paper prints them."""


@dataclass(frozen=True)
class Rates:
    """What a document takes: seconds by phase, bytes of input and of the work file, and threads that did it."""

    phases: dict[str, float]
    input_bytes: float
    work_bytes: float
    threads: int

    @classmethod
    def of(cls, run: dict[str, Any], threads: int) -> "Rates":
        """The rates of a measured run; what its phases leave of its time is start and end."""
        documents = run["documents"]
        phases = {name: seconds / documents for name, seconds in run["phases"].items()}
        return cls(phases, run["bytes"] / documents, run["work_bytes"] / documents, threads)

    def seconds(self, documents: int) -> float:
        """How long a run of so many documents takes."""
        return documents * sum(self.phases.values())


def write_bytes(count: float) -> str:
    """Write bytes in powers of 1,000."""
    for unit in ("B", "kB", "MB", "GB", "TB"):
        if count < 1000:
            return f"{count:.3g} {unit}"
        count /= 1000
    return f"{count:.3g} PB"


def write_time(seconds: float) -> str:
    """Write a time by its largest unit."""
    for unit, length in (("d", 86400), ("h", 3600), ("min", 60)):
        if seconds >= length:
            return f"{seconds / length:.1f} {unit}"
    return f"{seconds:.1f} s"


def reckon(rates: Rates, price: float) -> str:
    """Lay out every size: runs it is split into, memory, disk, time by phase, and what the cores cost."""
    lines = [["documents", "runs", "input", "memory", "work file", *rates.phases, "in all", "core hours", "cost"]]
    for documents in SIZES:
        runs = -(-documents // MOST_DOCUMENTS)
        seconds = rates.seconds(documents)
        hours = seconds * rates.threads / 3600
        lines.append(
            [
                f"{documents:,}",
                f"{runs}",
                write_bytes(documents * rates.input_bytes),
                write_bytes(documents * (DOCUMENT_BYTES + ID_BYTES)),
                write_bytes(documents * rates.work_bytes),
                *(write_time(documents * rate) for rate in rates.phases.values()),
                write_time(seconds),
                f"{hours:,.2f}",
                f"{hours * price:,.2f}",
            ]
        )
    return table.lay_out(lines)


def hold_rates(rates: Rates, runs: list[dict[str, Any]]) -> list[tuple[int, float, float]]:
    """Hold the model against runs: documents, seconds measured, seconds reckoned."""
    return [
        (run["documents"], sum(run["phases"].values()), rates.seconds(run["documents"]))
        for run in sorted(runs, key=lambda run: run["documents"])
    ]


def describe_1997(crawl: Sketches) -> str:
    """Lay out the run of 1997: what the model says, and what the paper prints."""
    lists = PRINTED_1997["peak"] * 1e9 / crawl.list_bytes
    return "\n".join(
        [
            f"sketches {crawl.sketch_bytes / 1e9:.1f} GB (printed {PRINTED_1997['sketches']:g})",
            f"sorted list {crawl.list_bytes / 1e9:.1f} GB (printed {PRINTED_1997['list']:g})",
            f"peak printed {PRINTED_1997['peak']:g} GB: {lists:.2f} such lists at once, so nearly a whole one beside",
            "  the one that is sorted: runs are merged into new files, and the old ones go as they are used up",
        ]
    )


def main() -> None:
    """Parse the command line, and print all tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", type=Path)
    parser.add_argument("--price", type=float, default=0.04, help="of a core for an hour, in any money")
    options = parser.parse_args()
    measured = json.loads(options.runs.read_text())
    runs = sorted(measured["runs"], key=lambda run: int(run["documents"]))
    rates = Rates.of(runs[-2], measured["threads"])
    print("model against runs: rates of the second largest")
    for documents, seconds, reckoned in hold_rates(rates, runs):
        print(f"  {documents:>12,}  measured {seconds:8.1f} s  reckoned {reckoned:8.1f} s  {reckoned / seconds:.2f}")
    print(reckon(Rates.of(runs[-1], measured["threads"]), options.price))
    print("1997:")
    print(describe_1997(CRAWL_1997))


if __name__ == "__main__":
    main()
