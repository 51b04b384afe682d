"""What the tests share."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from xdist.scheduler import LoadFileScheduling

from neardup import SparkEngine, SweepStore
from neardup.engine import Engine
from neardup.live.stores.sql import SqlStore
from oracle import Doc
from postgres_server import run_server
from spark_session import run_session
from stores import Place, open_store
from systems import need_linux, pytest_pycollect_makemodule  # noqa: F401 - pytest asks for it here

# No test is timed: a busy machine is slow now and then.
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")

PATIENCE = 600
"""How many seconds a process may take until it is taken to hang."""

_SCHEMAS = count()
ON_SPARK = 1
"""Parameters of a test that run on Spark, where it does not say more."""
IN_SESSION = ("test_spark.py", "test_spark_tables.py")
"""Files of tests that run on Spark, all of them."""

Cli = Callable[..., subprocess.CompletedProcess[str]]


def run_neardup(*arguments: str | Path | int, code: int = 0, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run the command line in a process of its own and check its exit code."""
    done = subprocess.run(
        [sys.executable, "-m", "neardup", *map(str, arguments)],
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE,
        check=False,
        **options,
    )
    assert done.returncode == code, f"exit {done.returncode}\n{done.stdout}\n{done.stderr}"
    assert "Traceback" not in done.stderr
    return done


def enough(refusal: str) -> str:
    """Read from a refusal how much memory would do, as `--memory` takes it."""
    return refusal.partition("; give ")[2].partition(" ")[0]


@pytest.fixture
def cli() -> Cli:
    return run_neardup


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """Run a PostgreSQL server while there are tests; give its connection string."""
    with run_server() as conninfo:
        yield conninfo


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Run one browser for the tests of a file: while it runs, this thread has a loop, and nobody can start another."""
    from browser import run_browser

    with run_browser() as browser:
        yield browser


@pytest.fixture(scope="session")
def spark() -> Iterator[Any]:
    """Run one Spark session while there are tests."""
    need_linux("Spark")
    with run_session() as session:
        yield session


@pytest.fixture(params=["local", pytest.param("spark", marks=pytest.mark.spark)])
def engine(request: pytest.FixtureRequest) -> Engine | None:
    """What runs a verb: this machine, and for a few of the parameters of each test Spark."""
    return SparkEngine(request.getfixturevalue("spark")) if request.param == "spark" else None


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--all-on-spark", action="store_true", help="run every test that is marked so on Spark, too")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Have a file run by one process, and all tests that share the session on Spark."""
    if config.getoption("dist") != "loadfile":
        return None
    # The marks for groups change names of tests, which pytest 9.2 does not allow any more.
    scheduler = LoadFileScheduling(config, log)
    scheduler._split_scope = together
    return scheduler


def together(nodeid: str) -> str:
    """Tell by the name of a test with which others it is run."""
    path, _, test = nodeid.partition("::")
    return "spark" if Path(path).name in IN_SESSION or "[spark" in test else path


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave of the parameters of each test on Spark a few, spread over all: a run takes seconds there."""
    if config.getoption("all_on_spark"):
        return
    on_spark: dict[Any, list[pytest.Function]] = {}
    for item in items:
        if item.get_closest_marker("spark") and isinstance(item, pytest.Function):
            on_spark.setdefault((item.path, item.originalname), []).append(item)
    staying = {item for several in on_spark.values() for item in spread_over(several)}
    left_out = {item for several in on_spark.values() for item in several} - staying
    config.hook.pytest_deselected(items=[item for item in items if item in left_out])
    items[:] = [item for item in items if item not in left_out]


def spread_over(items: list[pytest.Function]) -> list[pytest.Function]:
    """Give a few of the items: each has as many values of parameters as can be that those before it have not."""
    marker = items[0].get_closest_marker("on_spark")
    count = marker.args[0] if marker else ON_SPARK
    left, staying, seen = list(items), list[pytest.Function](), set[tuple[str, str]]()
    while left and len(staying) < count:
        staying.append(max(left, key=lambda item: len(values_of(item) - seen)))
        left.remove(staying[-1])
        seen |= values_of(staying[-1])
    return staying


def values_of(item: pytest.Function) -> set[tuple[str, str]]:
    """Tell the values of the parameters of an item."""
    return {(name, repr(value)) for name, value in item.callspec.params.items()} if hasattr(item, "callspec") else set()


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    """A place where no store is yet."""
    kind: str = request.param
    if kind == "sqlite":
        return kind, str(tmp_path / "store.db")
    return kind, f'{request.getfixturevalue("postgres")}|my "schema" %s? {next(_SCHEMAS)}'


@pytest.fixture
def store(place: Place) -> Iterator[SqlStore]:
    with closing(open_store(*place)) as store:
        yield store


def write_records(path: Path, records: Iterable[dict[str, Any]], *, ascii_only: bool = True) -> Path:
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        file.writelines(json.dumps(record, ensure_ascii=ascii_only) + "\n" for record in records)
    return path


def write_jsonl(path: Path, docs: Iterable[Doc], *, ascii_only: bool = False) -> Path:
    records = ({"id": doc.id, "text": doc.text, "time": doc.time} for doc in docs)
    return write_records(path, records, ascii_only=ascii_only)


def read_rows(path: Path) -> list[dict[str, Any]]:
    """Read a Parquet file as a list of rows."""
    import pyarrow.parquet

    rows: list[dict[str, Any]] = pyarrow.parquet.read_table(path).to_pylist()
    return rows


def read_jsonl(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]


@pytest.fixture
def sweep_store(tmp_path: Path) -> Iterator[SweepStore]:
    """An empty store in which texts are near from a resemblance of a half on."""
    with SweepStore.create(tmp_path / "store", threshold="0.5") as store:
        yield store
