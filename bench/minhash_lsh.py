#!/usr/bin/env python3
"""Compare `dedup --engine spark` with Spark's own MinHashLSH and connected components, in one interleaved run.

usage: minhash_lsh.py [--documents 5000,20000] [--rounds 3] [--threads 2] [--work DIR] [--json FILE]

Both read the same documents of about 4 kB (`long_texts.py`), and are whole processes timed from outside. `spark-lsh` is
peers/with_spark_lsh.py: vectors of hashed shingles, `MinHashLSH` with five tables, `approxSimilarityJoin`, and the
connected components of its pairs; the first document of each is kept. The removed documents of both are compared with
those of the leader rule on the exact pairs (truth/), and the pairs that `spark-lsh` lists with the exact ones.

FILE is docs/guides/cluster.json, of which this program replaces the part `peer`.
"""

import argparse
import sys
from pathlib import Path
from typing import Any

import exact
import long_texts
import measure
import table
import tools
from work_folder import ROOT, work_folder

import compare

sys.path.insert(0, str(ROOT / "tools" / "docs"))

from planning.stored import store

NAMES = "neardup-spark,spark-lsh"


def measure_all(options: argparse.Namespace, docs: Path) -> list[dict[str, Any]]:
    """Run the tools in turns, and judge their answers."""
    jobs = {
        tool: tools.Job(docs, options.work / "answers" / tool.name, options.work, options.threads)
        for tool in compare.choose(NAMES)
    }
    results: dict[str, dict[str, Any]] = {}
    for tool, job in jobs.items():
        tool.command(job)  # makes its environment before anything is timed
        results[tool.name] = {"tool": tool.name, "wall": [], "cpu": [], "peak": []}
    (options.work / "answers").mkdir(exist_ok=True)
    measure.warm(docs)
    for _ in range(options.rounds):
        for tool, job in jobs.items():
            if "failure" not in results[tool.name]:
                compare.attempt(tool, job, options, results[tool.name])
    for tool, job in jobs.items():
        if "failure" not in results[tool.name]:
            truth = exact.find(docs, options.work, tool.truth, "words", 5, compare.THRESHOLD)
            results[tool.name]["quality"] = tool.judge(job, truth)
    return list(results.values())


def main() -> None:
    """Parse the command line, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", default="5000,20000", help="sizes, by commas")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument(
        "--work", type=work_folder, default=str(ROOT / "target" / "bench"), help="environments, answers"
    )
    parser.add_argument("--json", type=Path, help="store the measurement in this file, instead of the last one")
    parser.add_argument("--timeout", type=float, default=900.0, help="seconds a run may take")
    options = parser.parse_args()
    options.work = options.work.resolve()
    kept = []
    for size in map(int, options.documents.split(",")):
        docs = long_texts.make(options.work / f"long-{size}.jsonl", size)
        results = measure_all(options, docs)
        print(f"{size:,} documents, {docs.stat().st_size / 1e6:.0f} MB")
        print(table.render(results, "neardup-spark"))
        for result in results:
            # Java is no child that the command waits for, so its processor time is not in it.
            del result["cpu"]
        kept.append({"documents": size, "bytes": docs.stat().st_size, "results": results})
    if options.json:
        store(options.json, "peer", kept)


if __name__ == "__main__":
    main()
