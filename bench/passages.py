#!/usr/bin/env python3
"""Time `neardup passages` and `neardup dedup` over one file, in turns, and print how much text was repeated.

usage: passages.py DOCS.jsonl [--rounds R] [--tokens N] [--threads N] [--memory M,M]

With --memory, `passages` runs once with each budget. All digests must be equal, and no peak may be more than 300 MB
above its budget.
"""

import argparse
import json
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

import measure

MORE = 300 << 20
"""Bytes that a run may use above its budget."""
UNITS = {"M": 1 << 20, "G": 1 << 30}


def main() -> int:
    """Print a table of both verbs, or of the budgets, and the shares."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("docs", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--tokens", type=int, default=50)
    parser.add_argument("--threads", type=int, default=4)
    parser.add_argument("--memory", type=lambda budgets: budgets.split(","), default=[])
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=args.docs.parent) as folder:
        summary, fits = (check_budgets if args.memory else time_verbs)(args, Path(folder))
    print()
    for line in describe(summary):
        print(line)
    return 0 if fits else 1


def run(args: argparse.Namespace, folder: Path, *command: str) -> tuple[measure.Measurement, dict[str, Any]]:
    """Run a command of neardup over the file; return its cost and its summary."""
    measure.warm(args.docs)
    out = folder / command[0]
    whole = [sys.executable, "-m", "neardup", command[0], str(args.docs), "-o", str(out), "--overwrite", "--quiet"]
    done = measure.run([*whole, "--threads", str(args.threads), *command[1:]], args.threads, folder, 7200)
    if done.code:
        raise SystemExit(done.errors)
    return done, json.loads((out / "run.json").read_text(encoding="utf-8"))


def time_verbs(args: argparse.Namespace, folder: Path) -> tuple[dict[str, Any], bool]:
    """Print the cost of `passages` and of `dedup`."""
    verbs = {"passages": ["--tokens", str(args.tokens)], "dedup": []}
    costs: dict[str, list[measure.Measurement]] = {verb: [] for verb in verbs}
    summaries = {}
    for _ in range(args.rounds):
        for verb, options in verbs.items():
            cost, summaries[verb] = run(args, folder, verb, *options)
            costs[verb].append(cost)
    print("| | seconds, median | of all cores | MB a second of a core |\n|---|---|---|---|")
    for verb in verbs:
        wall, cpu = (statistics.median(getattr(cost, name) for cost in costs[verb]) for name in ("wall", "cpu"))
        print(f"| {verb} | {wall:.2f} | {cpu:.2f} | {args.docs.stat().st_size / 1e6 / cpu:.0f} |")
    return summaries["passages"], True


def check_budgets(args: argparse.Namespace, folder: Path) -> tuple[dict[str, Any], bool]:
    """Print the cost of `passages` with each budget; return a summary, and whether peaks and digests are right."""
    print("| --memory | seconds | of all cores | peak, MB | work file, MB | digest |\n|---|---|---|---|---|---|")
    digests, fits, summary = set[str](), True, dict[str, Any]()
    for budget in args.memory:
        cost, summary = run(args, folder, "passages", "--tokens", str(args.tokens), "--memory", budget)
        digests.add(summary["digest"])
        fits &= cost.peak <= int(budget[:-1]) * UNITS[budget[-1]] + MORE
        sizes = f"{cost.peak >> 20:,} | {summary['work_bytes'] >> 20:,}"
        print(f"| {budget} | {cost.wall:.1f} | {cost.cpu:.1f} | {sizes} | {summary['digest'][:8]} |", flush=True)
    return summary, fits and len(digests) == 1


def describe(summary: dict[str, dict[str, int]]) -> list[str]:
    """Return lines that describe the shares of a run."""
    counts, effort = summary["counts"], summary["effort"]
    shares = {
        "repeated": counts["repeated_tokens"],
        "cut": counts["removed_tokens"],
        "anchors": effort["anchors"],
        "fingerprinted": effort["fingerprinted"],
    }
    lines = [
        f"{name}: {part:,} of {counts['tokens']:,} tokens, {part / counts['tokens']:.1%}"
        for name, part in shares.items()
    ]
    return [*lines, f"passages: {counts['passages']:,}, of {counts['repeated']:,} distinct ones"]


if __name__ == "__main__":
    sys.exit(main())
