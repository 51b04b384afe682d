#!/usr/bin/env python3
"""Run all named schemes on hostile corpora of N/4 and N documents, and print which cost grows faster than the corpus.

usage: skew.py [--documents N] [--only A,B] [--verbs V,W] [--corpora C,D] [--threads N] [--work DIR] [--json FILE]

Corpora (tests/support/hostile.py): `spam`, one template with two words changed; `shuffled`, the same lines in another
order; `boilerplate`, one block in every document, too short for the measure; `one-key`, one line in every document.

neardup counts comparisons in run.json: `proposed` counts pairs that share a key, `compared` those that were compared in
full. Both are printed per document, at N/4 and at N; if they stay about the same, the cost is near-linear. `capped`
counts the keys that run.json lists.
"""

import argparse
import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import measure
import table
from tools import NEARDUP

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "support"))
from work_folder import work_folder

import hostile

VERBS = ("dedup", "cluster", "pairs")
DEFAULT = "default"
FINGERPRINTS = "given-fingerprints"
HEAD = ["scheme", "verb", "corpus", "proposed N/4", "N", "compared N/4", "N", "seconds N/4", "N", "result", "capped"]


def choose(option: str, names: str, known: Iterable[str]) -> list[str]:
    """Return the given names, or all known ones if `names` is empty; refuse an unknown name."""
    wanted = list(filter(None, names.split(",")))
    unknown = [name for name in wanted if name not in known]
    if unknown:
        raise SystemExit(f"{option}: unknown {', '.join(unknown)}; there are {', '.join(known)}")
    return wanted or list(known)


def write_corpus(folder: Path, scheme: str, corpus: str, count: int) -> Path:
    """Write a corpus of `count` documents as JSON lines, unless the file exists, and return its path."""
    given = scheme == FINGERPRINTS
    path = folder / f"{corpus}-{'fingerprints' if given else 'texts'}-{count}.jsonl"
    if not path.exists():
        documents: Iterable[str] | Iterable[int]
        documents = hostile.FINGERPRINTS[corpus](count) if given else hostile.CORPORA[corpus](count)
        aside = path.with_suffix(".part")
        with aside.open("w") as out:
            out.writelines(json.dumps({"text": document}) + "\n" for document in documents)
        aside.rename(path)
    return path


def run(scheme: str, verb: str, docs: Path, options: argparse.Namespace) -> dict[str, Any]:
    """Run one verb and return its run.json and the seconds; only the seconds if it failed or timed out."""
    line = [] if scheme == DEFAULT else ["--scheme", scheme]
    keeps = ["--no-kept"] if verb == "dedup" else []
    out = ["-o", str(options.work / "result"), "--overwrite", "--json", "--quiet", "--threads", str(options.threads)]
    command = [str(NEARDUP), verb, str(docs), *out, *line, *keeps]
    measured = measure.run(command, options.threads, options.work, options.timeout)
    if measured.code != 0:
        print(f"{scheme} {verb} {docs.name}: code {measured.code}\n{measured.errors}", file=sys.stderr)
        return {"seconds": measured.wall}
    return {**json.loads(measured.output), "seconds": measured.wall}


def describe(scheme: str, verb: str, corpus: str, runs: list[dict[str, Any]]) -> list[str]:
    """Return the row of a small and a large run."""
    row = [scheme, verb, corpus]
    for count in ("proposed", "compared"):
        row += [
            f"{run['effort'][count] / max(run['counts']['documents'], 1):,.1f}" if "counts" in run else "-"
            for run in runs
        ]
    row += [f"{run['seconds']:.1f}" for run in runs]
    last = runs[-1]
    if "counts" not in last:
        return [*row, "failed", "-"]
    counts = last["counts"]
    result = f"{counts['pairs']:,} pairs" if verb == "pairs" else f"{counts['dropped']:,} dropped"
    return [*row, result, f"{len(last['capped']):,}"]


def main() -> None:
    """Parse the command line, run every scheme on every corpus, print the table."""
    root = Path(__file__).resolve().parent.parent
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=100_000, help="N; 100,000 by default")
    parser.add_argument("--only", default="", help="schemes: default and the names of classics")
    parser.add_argument("--verbs", default="", help=f"of {', '.join(VERBS)}")
    parser.add_argument("--corpora", default="", help=f"of {', '.join(hostile.CORPORA)}")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--work", type=work_folder, default=str(root / "target" / "skew"), help="corpora and results")
    parser.add_argument("--json", type=Path, help="write every run.json to this file")
    parser.add_argument("--timeout", type=float, default=600.0, help="seconds a run may take")
    options = parser.parse_args()
    if not NEARDUP.exists():
        raise SystemExit(f"{NEARDUP}: no such file; `make build` makes it")
    from neardup.classics import CLASSICS

    options.work = options.work.resolve()
    rows = [HEAD]
    results = []
    for scheme in choose("--only", options.only, [DEFAULT, *CLASSICS]):
        for corpus in choose("--corpora", options.corpora, hostile.CORPORA):
            for verb in choose("--verbs", options.verbs, VERBS):
                counts = (options.documents // 4, options.documents)
                paths = [write_corpus(options.work, scheme, corpus, count) for count in counts]
                runs = [run(scheme, verb, path, options) for path in paths]
                rows.append(describe(scheme, verb, corpus, runs))
                results.append({"scheme": scheme, "verb": verb, "corpus": corpus, "runs": runs})
                print("  ".join(rows[-1]), file=sys.stderr, flush=True)
    if options.json:
        options.json.write_text(json.dumps(results, indent=1) + "\n")
    print(table.lay_out(rows))


if __name__ == "__main__":
    main()
