#!/usr/bin/env python3
"""Measure how the cost of a run grows with its documents, what a family costs, and what polars takes for exact copies.

usage: scale.py growth|family|copies [--documents N,N] [--rounds R] [--threads N] [--memory M] [--json FILE]

Documents are those of millions/: of at most 300 bytes, copies, edits, moves, frames and spam among them. Every run is
`neardup dedup` with all its outputs, a process timed from outside; round r of all runs comes before round r + 1 of any.

`growth`: 1, 10 and 30 million documents; asked is that one of 30 million takes no more than 1.3 times as long as one of
1 million. `family`: a million documents, and the same number again that are near-copies of one; asked is that these
cost no more than three times their share. `copies`: neardup beside polars, which reads the same lines, drops exact
copies and writes the rest (peers/exact_copies_kept.py); asked is 1.5 times its time, on any --docs as well.
"""

import argparse
import json
import statistics
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import measure
import table
import tools

MILLIONS = Path(__file__).resolve().parent / "millions"
MILLION = 1_000_000
PHASES = ("sign", "arrange", "lead", "certify", "write", "report")


@dataclass
class Row:
    """One command, and what its runs cost."""

    name: str
    command: list[str]
    docs: Path
    out: Path
    documents: int = 0
    walls: list[float] = field(default_factory=list)
    peaks: list[int] = field(default_factory=list)
    runs: list[dict[str, Any]] = field(default_factory=list)
    """run.json of every run of neardup."""

    @property
    def wall(self) -> float:
        """The median wall time in seconds."""
        return statistics.median(self.walls)

    @property
    def each(self) -> float:
        """Microseconds for one document."""
        return self.wall / self.documents * 1e6

    def phase(self, name: str) -> float:
        """The median seconds of a phase."""
        return statistics.median(
            sum(phase["seconds"] for phase in run["phases"] if phase["name"] == name) for run in self.runs
        )


def make(options: argparse.Namespace, documents: int, family: int = 0) -> Path:
    """Return a file of so many documents, of which `family` are near-copies of one; made unless it is there."""
    path: Path = options.work / f"millions-{documents}-{family}.jsonl"
    if not path.exists():
        subprocess.run(["cargo", "build", "--release", "--quiet"], cwd=MILLIONS, check=True)
        program = MILLIONS / "target" / "release" / "millions"
        subprocess.run([program, str(documents), str(path), "--family", str(family)], check=True)
    return path


def row(options: argparse.Namespace, name: str, docs: Path, documents: int) -> Row:
    """Return the row of a run of neardup over a file."""
    job = tools.Job(docs, options.work / f"out-{name.replace(' ', '-')}", options.work, options.threads)
    command = [*tools.neardup(name, "dedup").command(job), "--memory", options.memory, "--overwrite"]
    return Row(name, command, docs, job.out, documents)


def measure_all(rows: Sequence[Row], options: argparse.Namespace) -> None:
    """Run all rows, round after round."""
    for number in range(options.rounds):
        for one in rows:
            measure.warm(one.docs)
            done = measure.run(one.command, options.threads, options.work, options.timeout)
            if done.code != 0:
                raise SystemExit(f"{one.name}: code {done.code}\n{done.errors}")
            one.walls.append(done.wall)
            one.peaks.append(done.peak)
            if (summary := one.out / "run.json").exists():
                one.runs.append(json.loads(summary.read_text()))
            table.say(f"round {number + 1}: {one.name}: {done.wall:.2f} s, peak {done.peak / 1e6:.0f} MB")


def show(rows: Sequence[Row], base: Row) -> str:
    """Lay out what runs of neardup cost, each beside `base`."""
    head = ["documents", "wall s", "us each", f"/ {base.name}", "peak MB", "work bytes each", *PHASES]
    head += ["dropped", "compared each", "capped"]
    lines = [head]
    for one in rows:
        last = one.runs[-1]
        lines.append(
            [
                f"{one.documents:,}",
                table.spread(one.walls, 1),
                f"{one.each:.2f}",
                f"{one.each / base.each:.2f}",
                f"{max(one.peaks) / 1e6:,.0f}",
                f"{last['work_bytes'] / one.documents:.0f}",
                *(f"{one.phase(name):.1f}" for name in PHASES),
                f"{last['counts']['dropped']:,}",
                f"{last['effort']['compared'] / one.documents:.2f}",
                f"{len(last['capped'])}",
            ]
        )
    return table.lay_out(lines)


def growth(options: argparse.Namespace) -> list[Row]:
    """Measure files of ever more documents."""
    sizes = [int(size) for size in options.documents.split(",")]
    rows = [row(options, f"{size:,}", make(options, size), size) for size in sizes]
    measure_all(rows, options)
    print(show(rows, rows[0]))
    print(f"a document of {rows[-1].documents:,} takes {rows[-1].each / rows[0].each:.2f} times as long (asked: 1.3)")
    return rows


def family(options: argparse.Namespace) -> list[Row]:
    """Measure what a family of as many near-copies as there are other documents adds."""
    size = int(options.documents.split(",")[0])
    alone = row(options, "without", make(options, size), size)
    beside = row(options, "with", make(options, 2 * size, size), 2 * size)
    measure_all([alone, beside], options)
    print(show([alone, beside], alone))
    times = (beside.wall - alone.wall) / alone.wall
    print(f"{size:,} near-copies of one add {times:.2f} times what as many other documents take (asked: 3)")
    return [alone, beside]


def copies(options: argparse.Namespace) -> list[Row]:
    """Measure neardup beside polars."""
    docs = options.docs or make(options, int(options.documents.split(",")[0]))
    with docs.open("rb") as file:
        documents = sum(1 for _ in file)
    ours = row(options, "neardup", docs, documents)
    job = tools.Job(docs, options.work / "out-polars", options.work, options.threads)
    theirs = Row("polars", tools.peer("polars", "exact_copies_kept", "tools").command(job), docs, job.out, documents)
    measure_all([ours, theirs], options)
    with (job.out / "kept.jsonl").open("rb") as file:
        removed = documents - sum(1 for _ in file)
    counts = ours.runs[-1]["counts"]
    print(f"neardup {table.spread(ours.walls, 2)} s, peak {max(ours.peaks) / 1e6:.0f} MB, drops {counts['dropped']:,},")
    print(f"  of which {counts['identical']:,} are identical to what they are dropped for")
    print(f"polars {table.spread(theirs.walls, 2)} s, peak {max(theirs.peaks) / 1e6:.0f} MB, drops {removed:,}")
    print(f"neardup takes {ours.wall / theirs.wall:.2f} times as long (asked: 1.5)")
    return [ours, theirs]


WHAT: dict[str, Callable[[argparse.Namespace], list[Row]]] = {"growth": growth, "family": family, "copies": copies}


def main() -> None:
    """Parse the command line, measure, print."""
    root = Path(__file__).resolve().parent.parent
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=WHAT)
    parser.add_argument("--documents", default=f"{MILLION},{10 * MILLION},{30 * MILLION}", help="sizes, by commas")
    parser.add_argument("--docs", type=Path, help="for copies: another file of JSON lines")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--memory", default="6G", help="of every run of neardup")
    parser.add_argument("--work", type=Path, default=root / "target" / "scale", help="corpora and results")
    parser.add_argument("--json", type=Path, help="write every run to this file")
    parser.add_argument("--timeout", type=float, default=3600.0, help="seconds a run may take")
    options = parser.parse_args()
    if not tools.NEARDUP.exists():
        raise SystemExit(f"{tools.NEARDUP}: no such file; `make build` makes it")
    options.work = options.work.resolve()
    options.work.mkdir(parents=True, exist_ok=True)
    rows = WHAT[options.what](options)
    if options.json:
        settings = {"threads": options.threads, "memory": options.memory}
        kept = [
            {
                "documents": one.documents,
                "bytes": one.docs.stat().st_size,
                "seconds": one.wall,
                "peak": max(one.peaks),
                "work_bytes": one.runs[-1]["work_bytes"],
                "sketch_bytes": one.runs[-1]["sketch_bytes"],
                "phases": {name: one.phase(name) for name in PHASES},
            }
            for one in rows
            if one.runs
        ]
        options.json.write_text(json.dumps({**settings, "runs": kept}, indent=1) + "\n")


if __name__ == "__main__":
    sys.exit(main())
