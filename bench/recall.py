#!/usr/bin/env python3
"""Run the default and the exact join side by side, and print what it costs to miss no pair.

usage: recall.py DOCS.jsonl... [--verbs V,W] [--rounds N] [--threads N] [--memory SIZE] [--judge] [--work DIR]

Each file is run with `--recall 0.99` and with `--recall exact`, in turns. The columns are the median seconds of the
whole process, their ratio, the same for processor time, the peak memory of the exact join, the number of comparisons
that it proposed, and the number of pairs (`pairs`) or dropped documents (`dedup`, `cluster`) that each found. All pairs
that the default finds are verified, so their share is its recall. With `--judge`, the exact pairs are compared with
bench/truth, which shares no code with neardup; a pair missed, added or miscounted ends the run with code 1.
"""

import argparse
import json
import statistics
import sys
from pathlib import Path
from typing import Any

import exact
import measure
import table
import tools
from work_folder import work_folder

RECALLS = ("0.99", "exact")
VERBS = ("dedup", "cluster", "pairs")
HEAD = ["file", "documents", "verb", "0.99 s", "exact s", "ratio", "0.99 cpu s", "exact cpu s", "ratio"]
HEAD += ["peak MB", "proposed", "0.99 found", "exact found", "share", "digest of exact"]


def run(docs: Path, verb: str, recall: str, options: argparse.Namespace) -> tuple[measure.Measurement, dict[str, Any]]:
    """Run a verb once and return its cost and its run.json."""
    command = [str(tools.NEARDUP), verb, str(docs), "--id-field", "id", "--recall", recall]
    command += [
        "-o",
        str(options.work / "answer"),
        "--overwrite",
        "--threads",
        str(options.threads),
        "--quiet",
        "--json",
    ]
    command += ["--memory", options.memory] if options.memory else []
    measured = measure.run(command, options.threads, options.work, timeout=3600.0)
    if measured.code != 0:
        raise SystemExit(f"{verb} of {docs} by {recall}: code {measured.code}\n{measured.errors}")
    return measured, json.loads(measured.output)


def compare(docs: Path, verb: str, options: argparse.Namespace) -> dict[str, Any]:
    """Run both in turns and return median costs and the number of results."""
    costs: dict[str, list[measure.Measurement]] = {recall: [] for recall in RECALLS}
    summaries = {}
    measure.warm(docs)
    for _ in range(options.rounds):
        for recall in RECALLS:
            measured, summaries[recall] = run(docs, verb, recall, options)
            costs[recall].append(measured)
    what = "pairs" if verb == "pairs" else "dropped"
    return {
        "file": docs.stem,
        "verb": verb,
        "documents": summaries["exact"]["counts"]["documents"],
        "wall": {recall: statistics.median(one.wall for one in costs[recall]) for recall in RECALLS},
        "cpu": {recall: statistics.median(one.cpu for one in costs[recall]) for recall in RECALLS},
        "peak": max(one.peak for one in costs["exact"]),
        "proposed": summaries["exact"]["effort"]["proposed"],
        "found": {recall: summaries[recall]["counts"][what] for recall in RECALLS},
        "digest": summaries["exact"]["digest"],
    }


def describe(result: dict[str, Any]) -> list[str]:
    """Return the row of a comparison."""
    cells = [result["file"], f"{result['documents']:,}", result["verb"]]
    for cost in ("wall", "cpu"):
        default, whole = (result[cost][recall] for recall in RECALLS)
        cells += [f"{default:.2f}", f"{whole:.2f}", f"{whole / default:.2f}"]
    default, whole = (result["found"][recall] for recall in RECALLS)
    cells += [f"{result['peak'] / 1e6:.0f}", f"{result['proposed']:,}", f"{default:,}", f"{whole:,}"]
    return [*cells, table.portion(default / whole if whole else None), result["digest"][:16]]


def judge(docs: Path, options: argparse.Namespace) -> bool:
    """Compare the exact pairs of a file with the truth; print the outcome, and return whether all are right."""
    truth = exact.find(docs, options.work, "contract", "words", 5, "4/5")
    job = tools.Job(docs, options.work / "answer", options.work, options.threads)
    run(docs, "pairs", "exact", options)
    figures = tools.judge_pairs(job, truth)
    is_whole = figures["pairs"] == figures["true_pairs"] and figures["pair_recall"] in (1.0, None)
    right = is_whole and not figures["wrong_counts"]
    print(f"{docs.stem}: {figures['true_pairs']:,} true pairs; {'the exact join has them' if right else figures}")
    return right


def main() -> None:
    """Parse the command line, run, print the table."""
    root = Path(__file__).resolve().parent.parent
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("docs", type=Path, nargs="+")
    parser.add_argument("--verbs", default=",".join(VERBS))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--memory", default="", help="as of the command")
    parser.add_argument("--judge", action="store_true", help="compare the exact pairs with bench/truth, too")
    parser.add_argument("--work", type=work_folder, default=str(root / "target" / "bench"), help="where answers go")
    options = parser.parse_args()
    results = []
    for docs in options.docs:
        for verb in options.verbs.split(","):
            table.say(f"{docs.name}: {verb}")
            results.append(compare(docs, verb, options))
    print(table.lay_out([HEAD, *map(describe, results)]))
    right = [judge(docs, options) for docs in options.docs] if options.judge else []
    sys.exit(0 if all(right) else 1)


if __name__ == "__main__":
    main()
