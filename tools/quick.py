"""Check what a change of a few files can break, nearest first: quick.py [FILE...], or `make quick`.

Each step prints one line with its seconds; the output of a failed step follows. The exit code is that of the first
failure. If there is not enough time for all tests, it lists those that are left out: `make test` runs them all.
"""

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from affected import NO_TESTS, ROOT, Affected, Map, changed_files

BUILD = ["make", "--silent", ".venv/packages", ".venv/compiled"]
"""Builds the extension in the place where the package imports it."""
PROFILE = ["--release"]
"""The profile of Rust tests."""
INCREMENTAL = {"CARGO_INCREMENTAL": "1"}
"""Only the changed parts of our crates are compiled and optimised again, at the cost of a longer first run.

The next `make build` optimises the extension as a whole again: measure only after that.
"""
SECONDS, SECONDS_RUST = 60, 90
"""Seconds for all steps: if no Rust changed, and if some did."""
MARGIN = 10
"""Seconds reserved for the start of pytest, and for tests that still run when no more begin."""
LEAST = 10
"""Least seconds for tests, however long the other steps took."""


@dataclass(frozen=True)
class Step:
    """A command with a name."""

    name: str
    words: list[str]
    shows_output: bool = False
    """Whether the output is printed even if the step passes."""
    passes: tuple[int, ...] = (0,)
    environment: dict[str, str] = field(default_factory=dict)

    def run(self) -> int:
        """Run the command, print its line, and return 0 or the code of its failure."""
        started = time.monotonic()
        done = subprocess.run(
            self.words, cwd=ROOT, env={**os.environ, **self.environment}, check=False,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", errors="replace",
        )  # fmt: skip
        failed = done.returncode not in self.passes
        print(f"{self.name:12} {time.monotonic() - started:6.1f} s  {'FAILS' if failed else 'passes'}", flush=True)
        if failed or self.shows_output:
            print(done.stdout, flush=True)
        return done.returncode if failed else 0


def steps(changed: list[str], affected: Affected) -> Iterator[Step]:
    """Yield the steps before the Python tests, the shortest first."""
    tool = Path(sys.executable).parent
    python = [path for path in changed if path.endswith((".py", ".pyi")) and (ROOT / path).exists()]
    if python:
        yield Step("format", [str(tool / "ruff"), "format", "--check", *python])
        yield Step("lint", [str(tool / "ruff"), "check", *python])
    if has_rust(changed):
        lint = ["cargo", "clippy", "--quiet", *PROFILE, "--all-targets", *chosen(affected.packages)]
        yield Step("format Rust", ["cargo", "fmt", "--all", "--check"])
        yield Step("lint Rust", [*lint, "--", "-D", "warnings"], environment=INCREMENTAL)
        yield from rust_tests(affected.packages)
        yield Step("build", BUILD, environment=INCREMENTAL)
    if python:
        yield Step("types", [str(tool / "mypy")])


def chosen(packages: Iterable[str]) -> list[str]:
    """Return the options that choose packages.

    The extension is always among them, so that dependencies are compiled with the same features as for it.
    """
    return [word for name in sorted({*packages, "neardup-py"}) for word in ("-p", name)]


def rust_tests(packages: dict[str, list[str] | None]) -> Iterator[Step]:
    """Yield the tests of whole packages, and of some modules of other packages."""
    whole = [name for name, filters in packages.items() if filters is None]
    parts = {name: filters for name, filters in packages.items() if filters}
    for names, filters in (
        (whole, list[str]()),
        (list(parts), sorted({one for some in parts.values() for one in some})),
    ):
        if names:
            words = ["cargo", "test", "--quiet", *PROFILE, "--tests", *chosen(names), "--", *filters]
            yield Step("tests Rust", words, environment=INCREMENTAL)


def python_tests(changed: list[str], affected: Affected, seconds: float) -> Step:
    """Return the step of the Python tests, which begins no test after `seconds`."""
    words = [sys.executable, "-m", "pytest", "-x", "-q", "-n", "2", "--dist", "loadfile", "--no-loadscope-reorder"]
    words += ["-p", "budget", "--seconds", f"{max(seconds, LEAST):.0f}"]
    if any("spark" in path for path in changed):
        words.append("--with-spark")
    if all(path.startswith("python/neardup/spark/") for path in changed):
        words += ["-k", "spark or test_api"]
    environment = {"PYTHONPATH": str(ROOT / "tools")}
    return Step("tests", [*words, *affected.tests], shows_output=True, passes=(0, NO_TESTS), environment=environment)


def has_rust(changed: list[str]) -> bool:
    return any(path.startswith(("crates/", "Cargo.")) for path in changed)


def main() -> int:
    """Run the steps until one fails; return its code."""
    parser = argparse.ArgumentParser(description="Check what a change of a few files can break.")
    parser.add_argument("files", nargs="*", help="files that changed; by default, those that git reports")
    changed = parser.parse_args().files or changed_files()
    started = time.monotonic()
    affected = Map().affected(changed)
    counts = f"{len(affected.tests)} files of tests, {len(affected.packages)} packages of Rust"
    print(f"{len(changed)} files changed, and can affect {counts}", flush=True)
    for step in steps(changed, affected):
        if code := step.run():
            return code
    if not affected.tests:
        return 0
    whole = SECONDS_RUST if has_rust(changed) else SECONDS
    return python_tests(changed, affected, whole - MARGIN - (time.monotonic() - started)).run()


if __name__ == "__main__":
    sys.exit(main())
