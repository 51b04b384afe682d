#!/usr/bin/env python3
"""Compare the results of this working tree with those of another commit: all digests, and the answers of an index.

usage: same_results.py COMMIT [DOCS.jsonl ...] [--work DIR] [--steps N] [--schemes NAME,...] [--spark]

Both are installed: the tree in its .venv, COMMIT in a clone below --work by its own `make build`. Each command line of
neardup then runs in both, on each file of documents, and the digests of run.json are compared; with --spark, runs on
Spark are compared, too. `index_log.py` does the same steps on an index and on a gate of both and digests all fields of
all answers. Then each of the two continues on the files of the other. Exit code: 0; 1 if anything differs.
"""

import argparse
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import guard_builds
from table import say

HERE = Path(__file__).resolve().parent
SCHEMES = [
    "broder-minima",
    "super-shingles",
    "fetterly",
    "henzinger",
    "spotsigs",
    "i-match-randomised",
    "exact-join",
    "tianwang",
]
"""Schemes besides the default one: samples, bands, fingerprints, spots, lexicons, exact keys and a digest."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("commit")
    parser.add_argument("docs", nargs="*", type=Path)
    parser.add_argument("--work", type=Path, default=guard_builds.ROOT / ".cache" / "same")
    parser.add_argument("--steps", type=int, default=10_000)
    parser.add_argument("--schemes", type=lambda names: names.split(","), default=SCHEMES, metavar="NAME,...")
    parser.add_argument("--spark", action="store_true")
    args = parser.parse_args()
    args.work.mkdir(parents=True, exist_ok=True)
    sides = [guard_builds.ROOT, install(guard_builds.resolve(args.commit), args.work)]
    differ = 0
    for docs in args.docs:
        for command in list_commands(docs, args.schemes, spark=args.spark):
            differ += compare(sides, docs, command, args.work)
    differ += compare_logs(sides, args.steps, args.work)
    print(f"{differ} differ" if differ else "all results are the same")
    sys.exit(differ > 0)


def install(revision: str, work: Path) -> Path:
    """Clone this repository at a commit and build it; return the folder of the clone."""
    folder = work / revision[:12]
    if not folder.exists():
        subprocess.run(["git", "clone", "--quiet", guard_builds.ROOT, folder], check=True)
        subprocess.run(["git", "checkout", "--quiet", revision], cwd=folder, check=True)
    say(f"building {revision[:12]} in {folder}")
    subprocess.run(["make", "build"], cwd=folder, check=True, stdout=sys.stderr)
    return folder


def list_commands(docs: Path, schemes: list[str], *, spark: bool) -> Iterator[list[str]]:
    """Yield the command lines for a file of documents, without its name and without the output."""
    with docs.open(encoding="utf-8") as lines:
        first = json.loads(lines.readline())
    fields = [f"--{name}-field={name}" for name in ("id", "html", "url", "time") if first.get(name) is not None]
    for verb in ("dedup", "cluster", "pairs"):
        yield [verb, *fields]
        if verb == "dedup":
            yield ["evidence"]
        yield [verb, *fields, "--recall=exact", "--threshold=0.6"]
        yield from ([verb, *fields, f"--scheme={scheme}"] for scheme in schemes)
    yield ["passages", *fields]
    yield ["passages", *fields, "--cut=tokens"]
    yield ["sketch", *fields, "--scheme=broder-levels"]
    if spark:
        yield from ([verb, *fields, "--engine=spark"] for verb in ("dedup", "cluster", "pairs"))


def compare(sides: list[Path], docs: Path, command: list[str], work: Path) -> bool:
    """Run a command on both sides, print the digests, and return whether they differ or the command fails."""
    digests = [run(side, docs, command, work / f"out-{number}") for number, side in enumerate(sides)]
    is_same = digests[0] == digests[1] and "error" not in digests[0]
    print(f"{docs.stem:24} {' '.join(command):70} {'same' if is_same else 'DIFFERS':8} {digests[0][:60]}", flush=True)
    if not is_same:
        print(f"{'':24} {digests[1]}", flush=True)
    return not is_same


def run(side: Path, docs: Path, command: list[str], output: Path) -> str:
    """Run a command and return the digest of its result, or the last line of its error."""
    program = side / ".venv" / "bin" / "neardup"
    if command == ["evidence"]:
        # Evidence is computed for the result of the run before, which used the default scheme.
        of = output.with_name(f"{output.name}-of")
        shutil.rmtree(of, ignore_errors=True)
        output.rename(of)
        line = ["evidence", str(of)]
    else:
        line = [command[0], str(docs), *command[1:]]
    shutil.rmtree(output, ignore_errors=True)
    done = subprocess.run([program, *line, "-o", output, "--quiet"], capture_output=True, text=True)
    if done.returncode not in (0, 3):
        return done.stderr.strip().splitlines()[-1]
    summary: dict[str, str] = json.loads((output / "run.json").read_text(encoding="utf-8"))
    return summary["digest"]


def compare_logs(sides: list[Path], steps: int, work: Path) -> int:
    """Do the same steps on both sides, then more steps on the files of the other; return the number of differences."""
    for folder in work.glob("log-*"):
        shutil.rmtree(folder)
    rounds = [("its own files", [0, 1], 0, steps), ("the other's files", [1, 0], steps, steps + steps // 10)]
    differ = 0
    for name, folders, first, last in rounds:
        answers = []
        for side, number in zip(sides, folders, strict=True):
            python = side / ".venv" / "bin" / "python"
            line = [str(python), str(HERE / "index_log.py"), str(work / f"log-{number}"), str(first), str(last)]
            answers.append(subprocess.check_output(line, text=True).splitlines())
        differ += answers[0] != answers[1]
        label = "same" if answers[0] == answers[1] else "DIFFERS"
        print(f"{'index and gate':24} steps {first} to {last} on {name:50} {label:8} {answers[0][-1][:60]}", flush=True)
    return differ


if __name__ == "__main__":
    main()
