#!/usr/bin/env python3
"""Measure how long every classic takes over a file, phase by phase.

usage: stages.py DOCS.jsonl [--only A,B] [--rounds N] [--threads N] [--work DIR]

Each classic runs `cluster`, which reports all phases except `score`, and `pairs`, which reports that. All classics
finish round r before round r + 1 begins. Seconds are the least of all rounds, since other work on the machine only adds
to them. Documents a second are over all phases of `cluster`; bytes are the size of keys and sketches.
"""

import argparse
import json
from pathlib import Path
from typing import Any

import measure
import table
from signing import classics
from tools import NEARDUP
from work_folder import work_folder

PHASES = ("count", "sign", "arrange", "lead", "connect", "write", "score")


def choose(lines: dict[str, str], only: str) -> dict[str, str]:
    """Return the named classics, or all if `only` is empty; refuse an unknown name."""
    wanted = set(filter(None, only.split(",")))
    if wanted - lines.keys():
        raise SystemExit(f"--only: unknown {', '.join(sorted(wanted - lines.keys()))}; there are {', '.join(lines)}")
    return {name: line for name, line in lines.items() if not wanted or name in wanted}


def run(docs: Path, scheme: str, verb: str, threads: int, work: Path) -> dict[str, Any]:
    """Run a verb and return its run.json."""
    command = [str(NEARDUP), verb, str(docs), "--scheme", scheme, "-o", str(work / "answer"), "--overwrite"]
    command += ["--threads", str(threads), "--quiet", "--json"]
    measured = measure.run(command, threads, work, timeout=900.0)
    if measured.code != 0:
        raise SystemExit(f"{verb}, {scheme}: code {measured.code}\n{measured.errors}")
    summary: dict[str, Any] = json.loads(measured.output)
    return summary


def seconds(cluster: dict[str, Any], pairs: dict[str, Any]) -> dict[str, float]:
    """Return the seconds of every phase of one round: those of `cluster`, and `score` of `pairs`."""
    phases = {phase["name"]: phase["seconds"] for phase in cluster["phases"]}
    return phases | {phase["name"]: phase["seconds"] for phase in pairs["phases"] if phase["name"] == "score"}


def row(name: str, rounds: list[dict[str, float]], summary: dict[str, Any]) -> list[str]:
    """Return the row of a classic; `summary` is that of any of its runs of `cluster`."""
    least = {phase: f"{min(one[phase] for one in rounds):.3f}" for phase in rounds[0]}
    whole = min(sum(value for phase, value in one.items() if phase != "score") for one in rounds)
    documents = summary["counts"]["documents"]
    cells = [least.get(phase, "") for phase in PHASES]
    return [name, *cells, f"{whole:.3f}", f"{documents / whole:,.0f}", f"{summary['sketch_bytes'] / documents:,.0f}"]


def main() -> None:
    """Parse the command line, run the rounds, print the table."""
    root = Path(__file__).resolve().parent.parent
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("docs", type=Path)
    parser.add_argument("--only", default="", help="classics, separated by commas")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--work", type=work_folder, default=str(root / "target" / "bench"), help="where answers go")
    options = parser.parse_args()
    names = choose(classics(), options.only)
    rounds: dict[str, list[dict[str, float]]] = {name: [] for name in names}
    summaries = {}
    size = measure.warm(options.docs)
    for repetition in range(options.rounds):
        table.say(f"round {repetition + 1} of {options.rounds}")
        for name, scheme in names.items():
            summaries[name], pairs = (
                run(options.docs, scheme, verb, options.threads, options.work) for verb in ("cluster", "pairs")
            )
            rounds[name].append(seconds(summaries[name], pairs))
    head = ["classic", *(f"{phase} s" for phase in PHASES), "all but score", "documents/s", "bytes/document"]
    print(f"{options.docs.name}, {size / 1e6:.0f} MB, {options.threads} threads, the best of {options.rounds} rounds")
    print(table.lay_out([head, *(row(name, rounds[name], summaries[name]) for name in names)]))


if __name__ == "__main__":
    main()
