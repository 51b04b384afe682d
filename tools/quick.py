"""Check what a change of a few files can break, nearest first: quick.py [FILE...], or `make quick`.

Each step is one line with its seconds; what a step that fails wrote follows. It ends with the code of the first
failure. When the tests take longer than there is time, it says which are left out: `make test` runs them all.
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
"""Builds the extension where the package looks for it."""
PROFILE = ["--release"]
"""The profile of the tests of Rust."""
AGAIN = {"CARGO_INCREMENTAL": "1"}
"""Of our crates only those parts are optimised anew that a change reaches, which takes a longer first run.

The next `make build` makes the extension whole again: measure after that.
"""
SECONDS, SECONDS_RUST = 60, 90
"""How long all may take, and when something of Rust changed."""
MARGIN = 10
"""Seconds of these for the start of pytest, and for the tests that run when no more begin."""
LEAST = 10
"""Seconds for tests, however long the other steps took."""


@dataclass(frozen=True)
class Step:
    """A command, and what it is called."""

    name: str
    words: list[str]
    tells: bool = False
    """Whether what it writes is shown when it passes, too."""
    passes: tuple[int, ...] = (0,)
    environment: dict[str, str] = field(default_factory=dict)

    def run(self) -> int:
        """Run it, and write its line."""
        started = time.monotonic()
        done = subprocess.run(
            self.words, cwd=ROOT, env={**os.environ, **self.environment}, check=False,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", errors="replace",
        )  # fmt: skip
        failed = done.returncode not in self.passes
        print(f"{self.name:12} {time.monotonic() - started:6.1f} s  {'FAILS' if failed else 'passes'}", flush=True)
        if failed or self.tells:
            print(done.stdout, flush=True)
        return done.returncode if failed else 0


def steps(changed: list[str], affected: Affected) -> Iterator[Step]:
    """Yield the steps before the tests of Python, the shortest first."""
    tool = Path(sys.executable).parent
    python = [path for path in changed if path.endswith((".py", ".pyi")) and (ROOT / path).exists()]
    if python:
        yield Step("format", [str(tool / "ruff"), "format", "--check", *python])
        yield Step("lint", [str(tool / "ruff"), "check", *python])
    if has_rust(changed):
        lint = ["cargo", "clippy", "--quiet", *PROFILE, "--all-targets", *chosen(affected.packages)]
        yield Step("format Rust", ["cargo", "fmt", "--all", "--check"])
        yield Step("lint Rust", [*lint, "--", "-D", "warnings"], environment=AGAIN)
        yield from rust_tests(affected.packages)
        yield Step("build", BUILD, environment=AGAIN)
    if python:
        yield Step("types", [str(tool / "mypy")])


def chosen(packages: Iterable[str]) -> list[str]:
    """Return the options that choose packages.

    With the extension among them, what they depend on is compiled with the same features as for it.
    """
    return [word for name in sorted({*packages, "neardup-py"}) for word in ("-p", name)]


def rust_tests(packages: dict[str, list[str] | None]) -> Iterator[Step]:
    """Yield the tests of whole packages, and those of modules of others."""
    whole = [name for name, filters in packages.items() if filters is None]
    parts = {name: filters for name, filters in packages.items() if filters}
    for names, filters in (
        (whole, list[str]()),
        (list(parts), sorted({one for some in parts.values() for one in some})),
    ):
        if names:
            words = ["cargo", "test", "--quiet", *PROFILE, "--tests", *chosen(names), "--", *filters]
            yield Step("tests Rust", words, environment=AGAIN)


def python_tests(changed: list[str], affected: Affected, seconds: float) -> Step:
    """Return the tests of Python, as many as there is time for."""
    words = [sys.executable, "-m", "pytest", "-x", "-q", "-n", "2", "--dist", "loadfile", "--no-loadscope-reorder"]
    words += ["-p", "budget", "--seconds", f"{max(seconds, LEAST):.0f}"]
    if any("spark" in path for path in changed):
        words.append("--with-spark")
    if all(path.startswith("python/neardup/spark/") for path in changed):
        words += ["-k", "spark or test_api"]
    environment = {"PYTHONPATH": str(ROOT / "tools")}
    return Step("tests", [*words, *affected.tests], tells=True, passes=(0, NO_TESTS), environment=environment)


def has_rust(changed: list[str]) -> bool:
    return any(path.startswith(("crates/", "Cargo.")) for path in changed)


def main() -> int:
    """Run the steps until one fails; return its code."""
    parser = argparse.ArgumentParser(description="Check what a change of a few files can break.")
    parser.add_argument("files", nargs="*", help="files that changed; without, those that git sees")
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
