"""`pytest tests/quality --data FOLDER`: quality on labelled real texts, with floors.

The run prints a table at the end, and fails if a figure is under its floor in floors.toml. Without --data all tests are
skipped.
"""

import json
import sys
from collections.abc import Callable, Generator
from dataclasses import astuple
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from floors import Score, Scores, lay_out

from command import run_neardup

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench"))  # for the modules `exact` and `figures`

PROPERTY = "score"
"""Name under which a figure is sent with the report of its test, which may come from another process."""

Run = Callable[..., Path]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--data", type=Path, help="folder of labelled sets, one folder each")
    parser.addoption("--quality-work", type=Path, help="keep exact truths here for the next run")


def pytest_terminal_summary(terminalreporter: Any) -> None:
    reports = [report for kind in ("passed", "failed") for report in terminalreporter.getreports(kind)]
    called = [report for report in reports if report.when == "call"]
    rows = [Score(*cells) for report in called for name, cells in report.user_properties if name == PROPERTY]
    if rows:
        terminalreporter.section("quality")
        for line in lay_out(rows):
            terminalreporter.write_line(line)


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Generator[None, object, object]:
    """Compare the figures of a test with their floors after the test, so that the table contains all of them."""
    try:
        result = yield
    finally:
        scores = pyfuncitem.funcargs.get("scores")
        rows = scores.rows if isinstance(scores, Scores) else []
        pyfuncitem.user_properties += [(PROPERTY, astuple(row)) for row in rows]
    low = [f"{row.name}: {row.figure} {row.value:.6f}, floor {row.floor}" for row in rows if not row.holds]
    if low:
        pytest.fail("; ".join(low), pytrace=False)
    return result


@pytest.fixture
def scores() -> Scores:
    """The collection to which a test adds its figures."""
    return Scores()


@pytest.fixture(scope="session")
def data(request: pytest.FixtureRequest) -> Path:
    """The data folder; the test is skipped without one."""
    folder: Path | None = request.config.getoption("--data")
    if folder is None:
        pytest.skip("no labelled sets: give their folder with --data FOLDER")
    if not folder.is_dir():
        pytest.skip(f"no labelled sets: {folder} is no folder")
    return folder.resolve()


@pytest.fixture(scope="session")
def work(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of plain files, exact truths and results."""
    chosen: Path | None = request.config.getoption("--quality-work")
    if chosen is None:
        return tmp_path_factory.mktemp("quality")
    chosen.mkdir(parents=True, exist_ok=True)
    return chosen.resolve()


@pytest.fixture(scope="session")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A function that runs a command of neardup on a file, once for the same arguments, and returns its result."""

    @cache
    def run_command(verb: str, docs: Path, *options: str) -> Path:
        out = tmp_path_factory.mktemp(verb) / "out"
        done = run_neardup(verb, docs, "-o", out, "--id-field", "id", "--json", "--quiet", *options)
        json.loads(done.stdout)
        return out

    return run_command


@pytest.fixture(scope="session")
def rows() -> Callable[[Path], list[dict[str, Any]]]:
    """A function that reads a Parquet file as a list of rows."""

    def read(path: Path) -> list[dict[str, Any]]:
        import pyarrow.parquet

        found: list[dict[str, Any]] = pyarrow.parquet.read_table(path).to_pylist()
        return found

    return read
