#!/usr/bin/env python3
"""Run neardup and its peers on one file, interleaved, and print cost and quality side by side.

usage: compare.py DOCS.jsonl [--only A,B] [--reps N] [--threads N] [--work DIR] [--json FILE] [--timeout S]

DOCS.jsonl has string fields `id` (unique) and `text`. Every tool is a whole process timed from outside: it reads JSON
and writes its answer to disk. All tools finish round r before round r + 1 begins, so that a slow minute of the machine
affects all of them equally. Settings: resemblance >= 0.8 on word 5-shingles; peers with 128 permutations, their own
bands or 8 x 16.

Pairs and removals are compared with an exact join (bench/truth): for neardup on the words of the project's contract,
for peers on runs of alphanumerics and `_`. Removals are compared with the leader rule in input order; `lost` counts
removed documents that are near none of the documents that the tool kept.
"""

import argparse
import json
import platform
import shutil
import time
from pathlib import Path
from typing import Any

import exact
import measure
import table
from tools import TOOLS, Job, Tool
from work_folder import work_folder

THRESHOLD = "4/5"


def choose(names: str) -> list[Tool]:
    """Return the named tools, or all if `names` is empty; refuse an unknown name."""
    wanted = set(filter(None, names.split(",")))
    known = {tool.name for tool in TOOLS}
    if wanted - known:
        raise SystemExit(f"--only: unknown {', '.join(sorted(wanted - known))}; there are {', '.join(sorted(known))}")
    return [tool for tool in TOOLS if not wanted or tool.name in wanted]


def attempt(tool: Tool, job: Job, options: argparse.Namespace, result: dict[str, Any]) -> None:
    """Run a tool once and add its costs to `result`; after a failure it is not run again."""
    shutil.rmtree(job.out, ignore_errors=True)
    measure.warm(job.docs)
    measured = measure.run(tool.command(job), job.threads, options.work, options.timeout)
    if measured.code != 0:
        result["failure"] = f"failed with code {measured.code}"
        table.say(f"{tool.name}: {result['failure']}\n{measured.errors}")
        return
    result["wall"].append(measured.wall)
    result["cpu"].append(measured.cpu)
    result["peak"].append(measured.peak)
    table.say(f"{tool.name}: {measured.wall:.2f} s, cpu {measured.cpu:.2f} s, peak {measured.peak / 1e6:.0f} MB")


def describe(options: argparse.Namespace) -> dict[str, Any]:
    """Return the settings and the machine that the figures depend on."""
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return {
        "docs": options.docs.name,
        "bytes": options.docs.stat().st_size,
        "threads": options.threads,
        "rounds": options.reps,
        "processor": names[0] if names else platform.machine(),
        "python": platform.python_version(),
        "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
    }


def main() -> None:
    """Parse the command line, run the rounds, judge the answers, print the table."""
    root = Path(__file__).resolve().parent.parent
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("docs", type=Path)
    parser.add_argument("--only", default="", help=f"of {', '.join(tool.name for tool in TOOLS)}")
    parser.add_argument("--reps", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument(
        "--work", type=work_folder, default=str(root / "target" / "bench"), help="environments, answers"
    )
    parser.add_argument("--json", type=Path, help="write every figure to this file")
    parser.add_argument("--timeout", type=float, default=900.0, help="seconds a run may take")
    options = parser.parse_args()
    if not options.docs.is_file():
        raise SystemExit(f"{options.docs}: no such file")
    options.work = options.work.resolve()

    jobs: dict[str, tuple[Tool, Job]] = {}
    results: dict[str, dict[str, Any]] = {}
    for tool in choose(options.only):
        if not tool.present():
            table.say(f"{tool.name}: left out, the project's environment has no neardup; `make build` makes it")
            continue
        job = Job(options.docs.resolve(), options.work / "answers" / tool.name, options.work, options.threads)
        tool.command(job)  # makes its environment before anything is timed
        jobs[tool.name] = tool, job
        results[tool.name] = {"tool": tool.name, "truth": tool.truth, "wall": [], "cpu": [], "peak": []}
    (options.work / "answers").mkdir(exist_ok=True)
    table.say(f"{measure.warm(options.docs) / 1e6:.0f} MB, {options.threads} threads")
    for repetition in range(options.reps):
        table.say(f"round {repetition + 1} of {options.reps}")
        for name, (tool, job) in jobs.items():
            if "failure" not in results[name]:
                attempt(tool, job, options, results[name])

    # Truths are computed and loaded after the runs: a large parent would slow the start of its children.
    for tokens in ("contract", "alnum"):
        truth = None
        for name, (tool, job) in jobs.items():
            if tool.truth == tokens and "failure" not in results[name]:
                truth = truth or exact.find(job.docs, options.work, tokens, "words", 5, THRESHOLD)
                results[name]["quality"] = tool.judge(job, truth)
    settings = describe(options)
    if options.json:
        options.json.write_text(json.dumps({"run": settings, "results": list(results.values())}, indent=1) + "\n")
    print("  ".join(f"{key} {value}" for key, value in settings.items()))
    print(table.render(list(results.values()), "neardup"))


if __name__ == "__main__":
    main()
