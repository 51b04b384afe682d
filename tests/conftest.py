"""Fixtures that all tests share."""

import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from command import Cli, run_neardup
from neardup.inputs.sources import Engine
from neardup.spark import SparkEngine
from neardup.stores.sql import SqlStore
from neardup.sweeps import SweepStore
from postgres_server import run_server
from spark_session import run_session
from stores import Place, open_store
from systems import need_linux, pytest_pycollect_makemodule  # noqa: F401 - pytest asks for it here

# A shell that runs tests in the background ignores SIGINT, and every process that a test starts would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)

_SCHEMAS = count()


@pytest.fixture(scope="session")
def deep(request: pytest.FixtureRequest) -> bool:
    """Whether the deep tier runs, which has larger corpora and kills processes more often."""
    return bool(request.config.getoption("deep"))


@pytest.fixture
def cli() -> Cli:
    return run_neardup


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """Run a PostgreSQL server for the whole session, and yield its connection string."""
    with run_server() as conninfo:
        yield conninfo


@pytest.fixture(scope="session")
def chromium() -> Iterator[str]:
    """Run one browser for the whole session, and yield its address."""
    from browser import run_chromium

    with run_chromium() as address:
        yield address


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Any]:
    """Connect to the browser for the tests of one file.

    Meanwhile this thread has an event loop and cannot start another.
    """
    from browser import connect

    with connect(chromium) as browser:
        yield browser


@pytest.fixture(scope="session")
def spark() -> Iterator[Any]:
    """Run one Spark session for all tests of this process."""
    need_linux("Spark")
    with run_session() as session:
        yield session


@pytest.fixture(params=["local", pytest.param("spark", marks=pytest.mark.spark)])
def engine(request: pytest.FixtureRequest) -> Engine | None:
    """The engine that runs a verb: this machine, or Spark for a few of the parameters of each test."""
    return SparkEngine(request.getfixturevalue("spark")) if request.param == "spark" else None


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    """A place that has no store yet."""
    kind: str = request.param
    if kind == "sqlite":
        return kind, str(tmp_path / "store.db")
    return kind, f'{request.getfixturevalue("postgres")}|my "schema" %s? {next(_SCHEMAS)}'


@pytest.fixture
def store(place: Place) -> Iterator[SqlStore]:
    with closing(open_store(*place)) as store:
        yield store


@pytest.fixture
def sweep_store(tmp_path: Path) -> Iterator[SweepStore]:
    """An empty store in which texts are near at a resemblance of at least 0.5."""
    with SweepStore.create(tmp_path / "store", threshold="0.5") as store:
        yield store


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[tuple[Path, Callable[[int], None]]]:
    """A separate small disk, and a function that sets its size in bytes."""
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=4k", "tmpfs", str(place)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("only an administrator can mount a small disk")

    def resize(size: int) -> None:
        # a disk cannot be smaller than its contents
        size = max(size, sum(path.stat().st_blocks * 512 for path in place.rglob("*")) + 4096)
        subprocess.run(["mount", "-o", f"remount,size={size}", str(place)], check=True)

    yield place, resize
    # A failed test may still have files open on this disk.
    subprocess.run(["umount", "--lazy", str(place)], check=True)
