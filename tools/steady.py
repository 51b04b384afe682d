"""Run the tests that could fail by chance until each has passed many times in a row, while busy loops run.

    steady.py [--times 20] [--load 2] [--minutes M] [--whole] [--list]

They are the tests that start a process, wait or listen, and those that ever failed here. tests/steady.tsv contains for
each the number of passes in a row, up to which commit, and the number of failures; `*` is the whole default tier in
random order. The table is written after each run, so that the next call continues from there. A test that a later
change can affect starts again.
"""

import argparse
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple
from xml.etree import ElementTree

from affected import NO_TESTS, ROOT, Map, changed_files, git
from python_graph import OUTSIDE, PythonGraph

TABLE = ROOT / "tests" / "steady.tsv"
HEAD = "test\tcommit\tpasses\tfailures"
WHOLE, TIMES_WHOLE = "*", 3
TIER = ["-n", "3", "--dist", "loadfile", "--no-loadscope-reorder", "tests", "bench"]
"""Options of pytest for the default tier."""
PART = 60
"""Most tests of one pytest run. The table is written after each run."""
WORKERS = ["-n", "6", "--dist", "worksteal"]
"""Processes of that run: many tests wait, and wait longer beside others. The tests of a file need not stay together,
since no fixture of a file is kept between two runs of a test."""

UNSTEADY = (
    *("subprocess.run", "subprocess.Popen", "subprocess.call", "subprocess.check_call", "subprocess.check_output"),
    *("os.fork", "os.posix_spawn", "multiprocessing", "concurrent.futures", "asyncio", "threading"),
    *("socket", "playwright", "time.sleep", "pyspark", "python/neardup/spark/session/session.py"),
)
"""Code that starts a process, waits or listens; of the package itself, only the session that starts Spark."""

LOOP = "import os\nparent = os.getppid()\nwhile os.getppid() == parent: pass"
"""A busy loop that ends with the process that started it."""


class Row(NamedTuple):
    """The record of a test."""

    commit: str
    passes: int = 0
    failures: int = 0

    def after(self, passed: bool, commit: str, times: int = 1) -> "Row":
        """Return the record after `times` more runs, which all passed, or of which some failed."""
        return Row(commit, self.passes + times if passed else 0, self.failures + (not passed))


Rows = dict[str, Row]


def read(path: Path) -> Rows:
    """Read the table; a missing file is an empty table."""
    lines = path.read_text(encoding="utf-8").splitlines()[1:] if path.exists() else []
    return {name: Row(commit, int(passes), int(failures)) for name, commit, passes, failures in map(split, lines)}


def split(line: str) -> list[str]:
    return line.split("\t")


def write(path: Path, rows: Rows) -> None:
    """Replace the table atomically."""
    lines = [HEAD, *("\t".join([name, *map(str, row)]) for name, row in sorted(rows.items()))]
    new = path.with_suffix(".new")
    new.write_text("\n".join(lines) + "\n", encoding="utf-8")
    new.replace(path)


def carry(rows: Rows, chosen: Iterable[str], commit: str, affected: Callable[[str, str], bool]) -> Rows:
    """Return the rows of the chosen tests and of those that ever failed; a test that a change affects starts again.

    `affected(commit, test)` returns whether a change since a commit can affect a test.
    """
    carried: Rows = {}
    for name in {*chosen, *(name for name, row in rows.items() if row.failures), *({WHOLE} & rows.keys())}:
        row = rows.get(name, Row(commit))
        carried[name] = row._replace(commit=commit, passes=0) if affected(row.commit, name) else row
    return carried


def choose(graph: PythonGraph, tests: Iterable[str]) -> list[str]:
    """Return the tests of some files that start a process, wait or listen, by themselves or through helpers."""
    return [f"{path}::{name}" for path in tests for name in graph.tests_of(path) if unsteady(graph, f"{path}::{name}")]


def unsteady(graph: PythonGraph, node: str) -> bool:
    """Return whether a node uses something in UNSTEADY, without following uses inside the package."""
    seen: set[str] = set()
    left = [node]
    while left:
        node = left.pop()
        if any(f"{node.removeprefix(OUTSIDE)}.".startswith(f"{name}.") for name in UNSTEADY):
            return True
        if node not in seen and "::" in node:
            seen.add(node)
            left += graph.edges.get(node, ())
    return False


def exists(graph: PythonGraph, test: str) -> bool:
    """Return whether there is a test of a name."""
    path, _, name = test.partition("::")
    return path in graph.sources and name in graph.tests_of(path)


class Changes:
    """The changes since the commits of the table."""

    def __init__(self, map_: Map) -> None:
        self._map = map_
        self._nodes: dict[str, set[str] | None] = {}

    def affect(self, commit: str, test: str) -> bool:
        """Return whether a change since a commit can affect a test; if the commit no longer exists, it can."""
        if commit not in self._nodes:
            try:
                changed = [path for path in changed_files(commit) if ROOT / path != TABLE]
                self._nodes[commit] = self._map.affected(changed).nodes
            except subprocess.CalledProcessError:
                self._nodes[commit] = None
        nodes = self._nodes[commit]
        return nodes is None or test in nodes or (test == WHOLE and any("::test_" in node for node in nodes))


@contextmanager
def busy(loops: int) -> Iterator[None]:
    """Run busy loops while the block runs."""
    started = [subprocess.Popen([sys.executable, "-c", LOOP]) for _ in range(loops)]
    try:
        yield
    finally:
        for one in started:
            one.kill()
            one.wait()


def run(*words: str) -> tuple[dict[str, bool], str]:
    """Run pytest; return whether each test passed, with all its parameters and every time, and the output.

    Skipped and deselected tests are left out.

    Raises: RuntimeError if pytest failed and no test ran.
    """
    with TemporaryDirectory() as folder:
        report = Path(folder, "report.xml")
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-o", "junit_family=xunit1"]
        done = subprocess.run(
            [*command, f"--junit-xml={report}", *words],
            cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT / "tools")}, check=False,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", errors="replace",
        )  # fmt: skip
        passed = outcomes(report.read_text(encoding="utf-8")) if report.exists() else {}
        if not passed and done.returncode not in (0, NO_TESTS):
            raise RuntimeError(f"pytest ended with code {done.returncode}\n{done.stdout}")
        return passed, done.stdout


def outcomes(report: str) -> dict[str, bool]:
    """Return from a report whether each test passed."""
    passed: dict[str, bool] = {}
    for case in ElementTree.fromstring(report).iter("testcase"):
        kinds = {one.tag for one in case}
        if "skipped" not in kinds:
            name = f"{case.get('file')}::{case.get('name', '').partition('[')[0]}"
            passed[name] = passed.get(name, True) and not kinds & {"failure", "error"}
    return passed


class Steady:
    """Runs of tests, and the table that records them."""

    def __init__(self, rows: Rows, commit: str, end: float) -> None:
        self._rows, self._commit, self._end = rows, commit, end
        self.failed: set[str] = set()

    def repeat(self, tests: list[str], times: int) -> None:
        """Run tests until each has passed `times` times in a row or has failed, or the time is over."""
        while left := [test for test in tests if self._rows[test].passes < times and test not in self.failed]:
            if time.monotonic() > self._end:
                return
            part = left[:PART]
            more = max(times - self._rows[test].passes for test in part)
            passed, output = run("-p", "repeated", "--times", str(more), *WORKERS, *part)
            # tests that do not run by default are left out
            tests = [test for test in tests if test in passed or test not in part]
            self._note({test: passed[test] for test in part if test in passed}, output, more)
            done = sum(self._rows[test].passes >= times for test in tests)
            print(f"{len(part)} tests ran {more} times; {done} of {len(tests)} have passed so often", flush=True)

    def whole(self) -> None:
        """Run the whole default tier, each time in another random order."""
        self._rows.setdefault(WHOLE, Row(self._commit))
        while self._rows[WHOLE].passes < TIMES_WHOLE and WHOLE not in self.failed and time.monotonic() < self._end:
            order = random.randrange(1 << 32)
            print(f"the whole tier, --order-by {order}", flush=True)
            passed, output = run("-p", "any_order", "--order-by", str(order), *TIER)
            failed = {test: False for test, passes in passed.items() if not passes}
            self._note({**failed, WHOLE: bool(passed) and not failed}, output)

    def _note(self, passed: dict[str, bool], output: str, times: int = 1) -> None:
        for test, passes in passed.items():
            self._rows[test] = self._rows.get(test, Row(self._commit)).after(passes, self._commit, times)
        write(TABLE, self._rows)
        if failed := [test for test, passes in passed.items() if not passes]:
            self.failed.update(failed)
            print(f"FAILED: {', '.join(failed)}\n{output}", flush=True)


def main() -> int:
    """Run the remaining tests; return 1 if any failed."""
    parser = argparse.ArgumentParser(
        description="Run tests that could fail by chance until each has passed many times."
    )
    parser.add_argument("--times", type=int, default=20, help="passes in a row")
    parser.add_argument("--load", type=int, default=2, help="busy loops beside the tests")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="begin no run after this many minutes")
    parser.add_argument("--whole", action="store_true", help=f"run the whole default tier, {TIMES_WHOLE} times")
    parser.add_argument(
        "--list", action="store_true", help="print the tests and what is known of them, and run nothing"
    )
    arguments = parser.parse_args()
    map_, commit = Map(), git("rev-parse", "--short=12", "HEAD").strip()
    known = {name: row for name, row in read(TABLE).items() if name == WHOLE or exists(map_.python, name)}
    rows = carry(known, choose(map_.python, map_.tests), commit, Changes(map_).affect)
    if arguments.list:
        for name, row in sorted(rows.items()):
            print(name, *row, sep="\t")
        return 0
    if changed := [path for path in changed_files() if ROOT / path != TABLE]:
        parser.error(f"the table names commits, and this is none yet: {', '.join(changed[:5])}")
    steady = Steady(rows, commit, time.monotonic() + 60 * arguments.minutes)
    with busy(arguments.load):
        if arguments.whole:
            steady.whole()
        else:
            steady.repeat(sorted(rows.keys() - {WHOLE}), arguments.times)
    return 1 if steady.failed else 0


if __name__ == "__main__":
    sys.exit(main())
