#!/usr/bin/env python3
"""Measure what a document of about 4 kB costs in every stage of `dedup` on Spark, for docs/guides/cluster.md.

usage: cluster_plan.py [--documents 50000,200000,500000] [--rounds 3] [--cores 2] [--work DIR] [--json FILE]

Every run of `spark_cost.py` is a process of its own, over documents of `long_texts.py`. The sizes take turns. The
figure of a document is the difference of the last and the first size, divided by the documents that the last has in
addition: the start of Spark and of its workers, and code that is not compiled yet, are in both. The digest is the same
in all rounds.

FILE is docs/guides/cluster.json, of which this program replaces the part `runs`; `make docs` then writes the page.
"""

import argparse
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import long_texts
import table
from work_folder import ROOT, work_folder

sys.path.insert(0, str(ROOT / "tools" / "docs"))

from planning.costs import Costs, Run
from planning.stored import store


def measure(options: argparse.Namespace, docs: Path) -> Run:
    """Run once, in a process of its own."""
    out = options.work / "out"
    for old in (out, out.with_name("out.partial")):
        shutil.rmtree(old, ignore_errors=True)
    command = [
        sys.executable,
        str(ROOT / "bench" / "spark_cost.py"),
        str(docs),
        str(out),
        "--cores",
        str(options.cores),
    ]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(done.stderr)
    shutil.rmtree(out)
    run = Run(**json.loads(done.stdout))
    cpu = ", ".join(f"{role} {seconds:.1f}" for role, seconds in run.cpu.items())
    table.say(f"{run.documents:,} documents: {run.seconds:.1f} s, CPU s: {cpu}")
    return run


def least(runs: list[Run]) -> Run:
    """Return the run with the least processor time: other work of the machine only adds to it."""
    if len({run.digest for run in runs}) != 1:
        raise SystemExit("the digests of the rounds differ")
    return min(runs, key=lambda run: sum(run.cpu.values()))


def show(costs: Costs) -> str:
    """Return a table of what a document costs, stage by stage."""
    rows = [["stage", "bytes sent", "bytes read", "bytes kept", "java us", "workers us"]]
    for name, of in costs.stages.items():
        bytes_each = [f"{of[what]:,.1f}" for what in ("sent", "read", "kept")]
        rows.append([name, *bytes_each, *(f"{1e6 * of[role]:.1f}" for role in ("java", "workers"))])
    return table.lay_out(rows)


def main() -> None:
    """Parse the command line, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", default="50000,200000,500000", help="sizes, by commas")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument(
        "--work", type=work_folder, default=str(ROOT / "target" / "cluster"), help="corpora and results"
    )
    parser.add_argument("--json", type=Path, help="store the measurement in this file, instead of the last one")
    options = parser.parse_args()
    options.work = options.work.resolve()
    sizes = [int(size) for size in options.documents.split(",")]
    files = [long_texts.make(options.work / f"long-{size}.jsonl", size) for size in sizes]
    rounds: list[list[Run]] = [[] for _ in sizes]
    for _ in range(options.rounds):
        for runs, docs in zip(rounds, files, strict=True):
            runs.append(measure(options, docs))
    kept: list[Any] = [least(runs) for runs in rounds]
    print(show(Costs.of(kept)))
    if options.json:
        store(options.json, "runs", kept)


if __name__ == "__main__":
    main()
