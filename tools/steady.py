"""Run the tests that could fail by chance until each has passed many times in a row, beside busy loops.

    steady.py [--times 20] [--load 2] [--minutes M] [--whole] [--list]

They are the tests that start a process, wait or listen, and those that ever failed here. tests/steady.tsv says of each
how often in a row it passed, up to which commit, and how often it failed; `*` is the whole default tier in random
order. It is written after each run, so that the next call continues from there. A test that a later change can affect
starts again.
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
"""How the default tier is run."""
PART = 60
"""Tests that are run by one pytest. The table is written after each part."""
WORKERS = ["-n", "6", "--dist", "worksteal"]
"""Processes of that pytest: many tests wait, and all have more to wait for beside others. Those of a file need not stay
together, since nothing of a file is kept from one time to the next."""

UNSTEADY = (
    *("subprocess.run", "subprocess.Popen", "subprocess.call", "subprocess.check_call", "subprocess.check_output"),
    *("os.fork", "os.posix_spawn", "multiprocessing", "concurrent.futures", "asyncio", "threading"),
    *("socket", "playwright", "time.sleep", "pyspark", "python/neardup/spark/session/session.py"),
)
"""What starts a process, waits or listens. Of the package itself only what tests start through it is named here."""

LOOP = "import os\nparent = os.getppid()\nwhile os.getppid() == parent: pass"
"""A busy loop that ends with the process that started it."""


class Row(NamedTuple):
    """What is known of a test."""

    commit: str
    passes: int = 0
    failures: int = 0

    def after(self, passed: bool, commit: str, times: int = 1) -> "Row":
        """Return what is known after this many more runs, of which all passed or some failed."""
        return Row(commit, self.passes + times if passed else 0, self.failures + (not passed))


Rows = dict[str, Row]


def read(path: Path) -> Rows:
    """Read the table; there need not be one."""
    lines = path.read_text(encoding="utf-8").splitlines()[1:] if path.exists() else []
    return {name: Row(commit, int(passes), int(failures)) for name, commit, passes, failures in map(split, lines)}


def split(line: str) -> list[str]:
    return line.split("\t")


def write(path: Path, rows: Rows) -> None:
    """Write the table anew, at once."""
    lines = [HEAD, *("\t".join([name, *map(str, row)]) for name, row in sorted(rows.items()))]
    new = path.with_suffix(".new")
    new.write_text("\n".join(lines) + "\n", encoding="utf-8")
    new.replace(path)


def carry(rows: Rows, chosen: Iterable[str], commit: str, affected: Callable[[str, str], bool]) -> Rows:
    """Return the rows of the chosen tests and of those that ever failed; what a change affects starts again.

    `affected` says whether what changed since a commit can affect a test.
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
    """Whether a node uses what UNSTEADY names; the package is not looked into."""
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
    """Whether there is a test of this name."""
    path, _, name = test.partition("::")
    return path in graph.sources and name in graph.tests_of(path)


class Changes:
    """What changed since the commits of the table."""

    def __init__(self, map_: Map) -> None:
        self._map = map_
        self._nodes: dict[str, set[str] | None] = {}

    def affect(self, commit: str, test: str) -> bool:
        """Whether what changed since a commit can affect a test; a commit that is not there any more can affect all."""
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
    """Keep processors busy."""
    started = [subprocess.Popen([sys.executable, "-c", LOOP]) for _ in range(loops)]
    try:
        yield
    finally:
        for one in started:
            one.kill()
            one.wait()


def run(*words: str) -> tuple[dict[str, bool], str]:
    """Run pytest; return which tests passed, with all their parameters and each time, and what it wrote.

    Tests that were skipped or deselected are not among them. Where none could run, that is an error.
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
    """Read from a report which tests passed."""
    passed: dict[str, bool] = {}
    for case in ElementTree.fromstring(report).iter("testcase"):
        kinds = {one.tag for one in case}
        if "skipped" not in kinds:
            name = f"{case.get('file')}::{case.get('name', '').partition('[')[0]}"
            passed[name] = passed.get(name, True) and not kinds & {"failure", "error"}
    return passed


class Steady:
    """The runs, and the table that they go into."""

    def __init__(self, rows: Rows, commit: str, end: float) -> None:
        self._rows, self._commit, self._end = rows, commit, end
        self.failed: set[str] = set()

    def repeat(self, tests: list[str], times: int) -> None:
        """Run tests until each has passed this many times in a row, has failed, or the time is over."""
        while left := [test for test in tests if self._rows[test].passes < times and test not in self.failed]:
            if time.monotonic() > self._end:
                return
            part = left[:PART]
            more = max(times - self._rows[test].passes for test in part)
            passed, output = run("-p", "repeated", "--times", str(more), *WORKERS, *part)
            # what does not run by default is no part of this
            tests = [test for test in tests if test in passed or test not in part]
            self._note({test: passed[test] for test in part if test in passed}, output, more)
            done = sum(self._rows[test].passes >= times for test in tests)
            print(f"{len(part)} tests ran {more} times; {done} of {len(tests)} have passed so often", flush=True)

    def whole(self) -> None:
        """Run the whole default tier in random orders."""
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
    """Run what is left to be run; return 1 if something failed."""
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
