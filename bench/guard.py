#!/usr/bin/env python3
"""Count the instructions of fixed work under callgrind, and compare them with those of a commit or of `guard.json`.

usage: guard.py [COMMIT] [--within PERCENT] [--only CASE ...] [--jobs N]
       guard.py --write

Without COMMIT the counts are compared with `bench/guard.json`, which names the compiler that they were counted with;
`--write` stores the counts of the working tree there. With `--within`, a case whose count grew by more than PERCENT is
an error. Exit code: 0; 1 if a case exceeds the limit or could not be counted or compared; 2 for a wrong command line.
"""

import argparse
import json
import platform
import shutil
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path

import callgrind
import guard_builds
import table
from callgrind import CallgrindError
from guard_builds import BuildError

STORED = Path(__file__).resolve().parent / "guard.json"
Tools = dict[str, str]
"""The tools that counts depend on besides the sources, by name: the compiler, valgrind and the C library."""


@dataclass(frozen=True)
class Count:
    """The count of one case."""

    instructions: int
    level: str
    """The instruction set of the SIMD code, as avx2."""
    digest: str
    """Digest of the result; a different digest means different work."""


@dataclass(frozen=True)
class Counts:
    """The counts of all cases, and the tools that they were made with."""

    tools: Tools
    cases: dict[str, Count]


@dataclass(frozen=True)
class Comparison:
    """A table of counts before and now, with notes and errors."""

    table: str
    notes: list[str]
    errors: list[str]


def read_tools(valgrind: str) -> Tools:
    """Return the tools of this machine.

    Raises: CallgrindError if Rust is not installed.
    """
    if shutil.which("rustc") is None or shutil.which("cargo") is None:
        raise CallgrindError("rustc and cargo are not installed: https://rustup.rs says how to install them")
    printed = subprocess.run(["rustc", "-vV"], capture_output=True, text=True, check=True, cwd=guard_builds.ROOT).stdout
    fields = dict(line.split(": ", 1) for line in printed.splitlines() if ": " in line)
    compiler = f"rustc {fields['release']} ({fields['commit-hash']}), LLVM {fields['LLVM version']}"
    libc = " ".join(platform.libc_ver())
    return {"compiler": compiler, "target": fields["host"], "valgrind": callgrind.read_version(valgrind), "libc": libc}


def list_cases(program: Path) -> list[str]:
    """Return the names of the cases of a program."""
    return subprocess.run([program], capture_output=True, text=True, check=True).stdout.split()


def count_cases(valgrind: str, program: Path, names: Sequence[str], jobs: int) -> dict[str, Count]:
    """Return the counts of cases; `jobs` cases run at a time.

    Raises: CallgrindError that names a case that could not be counted.
    """

    def count(name: str) -> Count:
        try:
            instructions, printed = callgrind.count(valgrind, program, [name])
            level, digest = printed.split()
        except (CallgrindError, ValueError) as error:
            raise CallgrindError(f"{name}: {error}") from None
        return Count(instructions, level, digest)

    with ThreadPoolExecutor(jobs) as pool:
        return dict(zip(names, pool.map(count, names), strict=True))


def load(path: Path) -> Counts:
    """Return stored counts.

    Raises: CallgrindError if the file is missing or does not contain counts.
    """
    try:
        stored = json.loads(path.read_text())
        return Counts(stored["tools"], {name: Count(**count) for name, count in stored["cases"].items()})
    except FileNotFoundError:
        raise CallgrindError(f"{path}: no such file; --write makes it") from None
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise CallgrindError(f"{path}: these are no counts ({error!r}); --write makes them anew") from None


def store(counts: Counts, path: Path) -> None:
    """Write counts to a file, one case a line."""
    cases = [f"    {json.dumps(name)}: {json.dumps(asdict(count))}" for name, count in counts.cases.items()]
    tools = json.dumps(counts.tools, indent=2).replace("\n", "\n  ")
    path.write_text('{\n  "tools": ' + tools + ',\n  "cases": {\n' + ",\n".join(cases) + "\n  }\n}\n")


def compare(now: Counts, before: Counts, within: float | None) -> Comparison:
    """Compare counts; changes are in percent of the counts before.

    The limit `within` applies only if both were counted with the same tools.
    """
    rows, notes, errors = [["case", "instructions", "before", "change"]], [], []
    others = [name for name in now.tools if now.tools[name] != before.tools.get(name)]
    notes += [f"other {name}: {now.tools[name]}; before {before.tools.get(name, 'unknown')}" for name in others]
    for name, count in now.cases.items():
        old = before.cases.get(name)
        if old is None:
            rows.append([name, f"{count.instructions:,}", "-", "new"])
            continue
        change = 100 * (count.instructions - old.instructions) / old.instructions
        marks = ""
        if count.digest != old.digest:
            marks = " other result"
            errors.append(f"{name}: the result is {count.digest}, before {old.digest}, so the work is not the same")
        elif count.level != old.level:
            marks = f" {old.level} before"
            notes.append(f"{name}: the instruction set is {count.level}, before {old.level}")
        elif within is not None and not others and change > within:
            errors.append(f"{name}: {change:+.2f} % instructions, more than {within:g} % are not allowed")
        shown = f"{round(change, 2) + 0.0:+.2f} %{marks}"
        rows.append([name, f"{count.instructions:,}", f"{old.instructions:,}", shown])
    if others:
        limit = "" if within is None else f", and the limit of {within:g} % is not applied"
        notes.append(f"changes may come from these{limit}: a COMMIT is built and counted by the tools of today")
    return Comparison(table.lay_out(rows), notes, errors)


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("commit", nargs="?", metavar="COMMIT", help="what is compared with, instead of guard.json")
    parser.add_argument("--within", type=float, metavar="PERCENT", help="how many more instructions a case may take")
    parser.add_argument("--only", nargs="+", metavar="CASE", default=[], help="count these cases alone")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="cases that are run at a time (2)")
    parser.add_argument("--write", action="store_true", help="write the counts to guard.json")
    args = parser.parse_intermixed_args(arguments)
    if args.write and (args.commit or args.only or args.within is not None):
        parser.error("--write stores all cases of the working tree, and compares nothing")
    if args.jobs < 1:
        parser.error("--jobs takes a number from 1 on")
    if args.within is not None and args.within < 0:
        parser.error("--within takes a percentage from 0 on")
    return args


def run(args: argparse.Namespace) -> int:
    """Run the parsed command, and return its exit code."""
    valgrind = callgrind.find_valgrind()
    tools = read_tools(valgrind)
    stored = None if args.write or args.commit else load(STORED)
    table.say("building the working tree")
    program = guard_builds.build(guard_builds.ROOT)
    known = list_cases(program)
    names = args.only or known
    for name in names:
        if name not in known:
            raise CallgrindError(f"no case `{name}`; cases: {' '.join(known)}")
    other = guard_builds.build_commit(args.commit, program) if args.commit else None
    table.say(f"counting {len(names)} cases")
    now = Counts(tools, count_cases(valgrind, program, names, args.jobs))
    if other is not None:
        there = set(list_cases(other[1]))
        table.say(f"counting those of {other[0][:12]}")
        cases = count_cases(valgrind, other[1], [name for name in names if name in there], args.jobs)
        stored = Counts(tools, cases)
    if stored is None:
        store(now, STORED)
        rows = [[name, f"{count.instructions:,}"] for name, count in now.cases.items()]
        print(table.lay_out([["case", "instructions"], *rows]))
        return 0
    comparison = compare(now, stored, args.within)
    print(comparison.table)
    for line in comparison.notes:
        print(f"note: {line}")
    for line in comparison.errors:
        print(f"error: {line}", file=sys.stderr)
    return 1 if comparison.errors else 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command, and return its exit code."""
    args = parse(arguments)
    try:
        return run(args)
    except (CallgrindError, BuildError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
