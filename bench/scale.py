#!/usr/bin/env python3
"""Measure how the cost of a run grows with its documents, what a family costs, and the time of polars for exact copies.

usage: scale.py growth|family|copies|disk [--documents N,N] [--rounds R] [--threads N] [--memory M] [--json FILE]

Documents are those of millions/: at most 300 bytes long, with copies, edits, moves, frames and spam among them. Each
run is a process timed from outside: `neardup dedup`, or another verb, with all its outputs. All runs finish round r
before round r + 1 begins, and the first run is repeated before each of the others.

`growth`: 1, 10 and 30 million documents; the ratio is the time a document in the last run, divided by that in the
first. `family`: a million documents, alone and with a million near-copies of one document added, by every verb that
compares; the ratio is the time that the family adds, divided by the time without it.
`copies`: neardup beside polars, which reads the same lines, drops exact copies and writes the rest
(peers/exact_copies_kept.py); --docs may name another file. Each ratio is printed beside its limit. `disk`: bytes of the
work file by stage and column (work_file.py), of a million documents.

FILE contains the last measurement of each; `make docs` writes docs/concepts/scale.md from docs/concepts/scale.json.
"""

import argparse
import dataclasses
import json
import shutil
import statistics
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import measure
import table
import tools
import work_file

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tools" / "docs"))
from work_folder import work_folder

from scaling.runs import LIMITS, Run, ratio

ROOT = Path(__file__).resolve().parent.parent
MILLIONS = ROOT / "bench" / "millions"
MILLION = 1_000_000
COMPARING = ("dedup", "cluster", "cluster --forest", "pairs")
PHASES = ("sign", "arrange", "lead", "certify", "write", "report")


@dataclass
class Row:
    """One command, and the costs of its rounds."""

    name: str
    command: list[str]
    docs: Path
    out: Path
    documents: int = 0
    walls: list[float] = field(default_factory=list)
    peaks: list[int] = field(default_factory=list)
    summaries: list[dict[str, Any]] = field(default_factory=list)
    """The run.json of each round; none for a peer."""

    def phase(self, name: str) -> float:
        """Return the median seconds of a phase."""
        seconds: float = statistics.median(
            sum(phase["seconds"] for phase in one["phases"] if phase["name"] == name) for one in self.summaries
        )
        return seconds

    def counts(self) -> dict[str, int]:
        """Return the counts, which are the same in every round."""
        last = self.summaries[-1]
        return {
            "candidates": sum(phase["amount"] for phase in last["phases"] if phase["name"] == "lead"),
            "copies": last["counts"]["identical"] + last["counts"]["lexical"],
            "dropped": last["counts"]["dropped"],
            "capped": len(last["capped"]),
            **{name: last["effort"][name] for name in ("proposed", "compared")},
            **{name: last[name] for name in ("sketch_bytes", "work_bytes")},
            "output_bytes": sum(file.stat().st_size for file in self.out.rglob("*") if file.is_file()),
        }

    def run(self) -> Run:
        """Return the measurement."""
        phases = {name: self.phase(name) for name in PHASES} if self.summaries else {}
        counts = self.counts() if self.summaries else {}
        size = self.docs.stat().st_size
        return Run(self.name, self.documents, size, self.walls, max(self.peaks), phases, counts)


def make(options: argparse.Namespace, documents: int, family: int = 0) -> Path:
    """Return a file of documents, `family` of them near-copies of one; it is written unless it exists."""
    path: Path = options.work / f"millions-{documents}-{family}.jsonl"
    if not path.exists():
        subprocess.run(["cargo", "build", "--release", "--quiet"], cwd=MILLIONS, check=True)
        program = ROOT / "target" / "release" / "millions"
        subprocess.run([program, str(documents), str(path), "--family", str(family)], check=True)
    return path


def row(options: argparse.Namespace, name: str, docs: Path, documents: int, verb: str = "dedup") -> Row:
    """Return the row of a run of neardup over a file."""
    job = tools.Job(docs, options.work / f"out-{name.replace(' ', '-')}", options.work, options.threads)
    command = [*tools.neardup(name, *verb.split()).command(job), "--memory", options.memory, "--overwrite"]
    return Row(name, command, docs, job.out, documents)


def measure_all(rows: Sequence[Row], options: argparse.Namespace) -> list[Run]:
    """Run all rows in rounds, the first before each other: its short runs then see the same noise as the others."""
    first, *others = rows
    for number in range(options.rounds):
        for one in (turn for other in others for turn in (first, other)):
            measure.warm(one.docs)
            done = measure.run(one.command, options.threads, options.work, options.timeout)
            if done.code != 0:
                raise SystemExit(f"{one.name}: code {done.code}\n{done.errors}")
            one.walls.append(done.wall)
            one.peaks.append(done.peak)
            if (summary := one.out / "run.json").exists():
                one.summaries.append(json.loads(summary.read_text()))
            table.say(f"round {number + 1}: {one.name}: {done.wall:.2f} s, peak {done.peak / 1e6:.0f} MB")
    return [one.run() for one in rows]


def show(runs: Sequence[Run]) -> str:
    """Return a table of the costs of runs of neardup, each compared with the first."""
    head = ["", "documents", "wall s", "us each", f"/ {runs[0].name}", "peak MB", "work bytes each", *PHASES]
    head += ["dropped", "compared each", "capped"]
    lines = [
        [
            one.name,
            f"{one.documents:,}",
            table.spread(one.seconds, 1),
            f"{one.each:.2f}",
            f"{one.each / runs[0].each:.2f}",
            f"{one.peak / 1e6:,.0f}",
            f"{one.per_document('work_bytes'):.0f}",
            *(f"{one.phases[name]:.1f}" for name in PHASES),
            f"{one.counts['dropped']:,}",
            f"{one.per_document('compared'):.2f}",
            f"{one.counts['capped']}",
        ]
        for one in runs
    ]
    return table.lay_out([head, *lines])


def growth(options: argparse.Namespace) -> list[Run]:
    """Measure files of more and more documents."""
    sizes = [int(size) for size in options.documents.split(",")]
    runs = measure_all([row(options, f"{size:,}", make(options, size), size) for size in sizes], options)
    print(show(runs))
    return runs


def family(options: argparse.Namespace) -> list[Run]:
    """Measure the cost of adding a family of near-copies, as many as there are other documents."""
    size = int(options.documents.split(",")[0])
    files = [(make(options, size), size), (make(options, 2 * size, size), 2 * size)]
    runs = []
    for verb in COMPARING:
        both = measure_all([row(options, verb, docs, documents, verb) for docs, documents in files], options)
        print(show(both))
        runs += both
    return runs


def copies(options: argparse.Namespace) -> list[Run]:
    """Measure neardup beside polars."""
    docs = options.docs or make(options, int(options.documents.split(",")[0]))
    with docs.open("rb") as file:
        documents = sum(1 for _ in file)
    ours = row(options, "neardup", docs, documents)
    job = tools.Job(docs, options.work / "out-polars", options.work, options.threads)
    theirs = Row("polars", tools.peer("polars", "exact_copies_kept", "tools").command(job), docs, job.out, documents)
    runs = measure_all([ours, theirs], options)
    with (job.out / "kept.jsonl").open("rb") as file:
        runs[1].counts["dropped"] = documents - sum(1 for _ in file)
    for one in runs:
        cost = f"{table.spread(one.seconds, 2)} s, peak {one.peak / 1e6:.0f} MB"
        print(f"{one.name} {cost}, drops {one.counts['dropped']:,}")
    return runs


def disk(options: argparse.Namespace) -> dict[str, Any]:
    """Measure the columns that a run writes to its work file."""
    documents = int(options.documents.split(",")[0])
    one = row(options, "disk", make(options, documents), documents)
    work = options.work / "disk"
    for folder in (work, one.out, one.out.with_name(f"{one.out.name}.partial")):
        shutil.rmtree(folder, ignore_errors=True)
    work_file.keep(one.command, one.out, work)
    stages = work_file.measure(work)
    shutil.rmtree(work)
    columns = [(f"{stage}: {name}", size) for stage, sizes in stages.items() for name, size in sizes.items()]
    print(table.lay_out([["column", "bytes each"], *([name, f"{size / documents:.1f}"] for name, size in columns)]))
    return {"documents": documents, "stages": stages}


WHAT = {"growth": growth, "family": family, "copies": copies}


def main() -> None:
    """Parse the command line, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=[*WHAT, "disk"])
    parser.add_argument("--documents", default=f"{MILLION},{10 * MILLION},{30 * MILLION}", help="sizes, by commas")
    parser.add_argument("--docs", type=Path, help="for copies: another file of JSON lines")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--memory", default="6G", help="the option of every run of neardup")
    parser.add_argument("--work", type=work_folder, default=str(ROOT / "target" / "scale"), help="corpora and results")
    parser.add_argument("--json", type=Path, help="store the measurement in this file, instead of the last of its kind")
    parser.add_argument("--timeout", type=float, default=3600.0, help="seconds a run may take")
    options = parser.parse_args()
    if not tools.NEARDUP.exists():
        raise SystemExit(f"{tools.NEARDUP}: no such file; `make build` makes it")
    options.work = options.work.resolve()
    kept: dict[str, Any]
    if options.what == "disk":
        kept = disk(options)
    else:
        runs = WHAT[options.what](options)
        print(f"{options.what}: {ratio(options.what, runs):.2f} times (limit: {LIMITS[options.what]:g})")
        kept = {"threads": options.threads, "memory": options.memory, "runs": list(map(dataclasses.asdict, runs))}
    if options.json:
        there = json.loads(options.json.read_text()) if options.json.exists() else {}
        options.json.write_text(json.dumps(there | {options.what: kept}, indent=1) + "\n")


if __name__ == "__main__":
    main()
