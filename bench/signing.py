#!/usr/bin/env python3
"""Measure how fast one core signs texts by every classic, and compare that with the floors.

usage: signing.py [TEXTS ...] [--rounds N]

TEXTS are JSONL files with a `text` in every line, or languages of random words: English, Korean, Chinese (the default),
Japanese, Russian, Hindi. MB are millions of bytes of JSON text. Every round signs all texts by all classics once, so
that a busy machine slows down all of them equally; the best round is compared with the floors.
"""

import argparse
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import table

ROOT = Path(__file__).resolve().parent.parent
PYTHON = ROOT / ".venv" / "bin" / "python"
EXAMPLE = ["cargo", "run", "--release", "--quiet", "-p", "neardup-core", "--example", "signing", "--"]
LINES = """
from neardup.schemes.classics import CLASSICS
from neardup.schemes.named import describe
for name, line, _ in describe(CLASSICS): print(name, line, sep="\\t")
"""
BASE = "banding"
"""The classic that is the default scheme."""
FLOORS = {
    "simhash": 200,
    "simhash-128": 200,
    "i-match": 200,
    "i-match-randomised": 200,
    "shivakumar": 200,
    "spotsigs": 50,
    "random-projection": 50,
}
"""Least MB a second of one core."""


class Rate(NamedTuple):
    """MB a second of one step over one kind of text."""

    texts: str
    step: str
    best: int
    median: int
    scheme: str


def classics() -> dict[str, str]:
    """Return the scheme lines of the classics that read texts, by name, from the project's environment."""
    done = subprocess.run([PYTHON, "-c", LINES], capture_output=True, text=True, check=True)
    lines = dict(line.split("\t") for line in done.stdout.splitlines())
    return {name: line for name, line in lines.items() if not line.startswith("given | ")}


def read_rates(output: str) -> list[Rate]:
    """Parse the output of the example, without its head."""
    found = re.findall(r"^(.+?) +(counting|signing) +(\d+)/(\d+)  (.+)$", output, re.MULTILINE)
    return [Rate(texts, step, int(best), int(median), scheme) for texts, step, best, median, scheme in found]


def lay_out(names: dict[str, str], rates: Sequence[Rate]) -> str:
    """Return the table: a row for each classic and step, columns for each kind of text, and the floor."""
    base = {rate.texts: rate.best for rate in rates if (rate.scheme, rate.step) == (names[BASE], "signing")}
    rows = [["classic", *(head for texts in base for head in (texts, f"/ {BASE}")), "floor", ""]]
    for name, scheme in names.items():
        for step in ("counting", "signing"):
            found = [rate for rate in rates if (rate.scheme, rate.step) == (scheme, step)]
            if not found:
                continue
            row = [name if step == "signing" else f"{name}, {step}"]
            for rate in found:
                row += [f"{rate.best} ({rate.median})", f"{rate.best / base[rate.texts]:.2f}"]
            floor = FLOORS.get(name) if step == "signing" else None
            rows.append(row + (["", ""] if floor is None else [str(floor), verdict(floor, found)]))
    return table.lay_out(rows)


def verdict(floor: int, rates: Sequence[Rate]) -> str:
    """Return the texts on which even the best round is below the floor, or `ok`."""
    below = [rate.texts for rate in rates if rate.best < floor]
    return f"below: {', '.join(below)}" if below else "ok"


def main() -> None:
    """Parse the command line, run the example, print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("texts", nargs="*", default=["English", "Korean", "Chinese"])
    parser.add_argument("--rounds", type=int, default=15)
    options = parser.parse_args()
    names = classics()
    # the example runs in the root of the project, but names of files are relative to the current folder
    texts = [str(Path(name).resolve()) if Path(name).exists() else name for name in options.texts]
    command = [*EXAMPLE, *texts, str(options.rounds), *names.values()]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(done.returncode)
    print("MB/s of one core, the best round (the median), and the best over that of the default scheme")
    print(lay_out(names, read_rates(done.stdout)))


if __name__ == "__main__":
    main()
