"""What the tests share."""

import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from command import Cli, run_neardup
from neardup.inputs.sources import Engine
from neardup.spark import SparkEngine
from neardup.stores.sql import SqlStore
from neardup.sweeps import SweepStore
from postgres_server import run_server
from spark_session import run_session
from stores import Place, open_store
from systems import need_linux, pytest_pycollect_makemodule  # noqa: F401 - pytest asks for it here

# No test is timed: a busy machine is slow now and then.
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")


# Who runs tests in the background leaves SIGINT ignored, and so would be all that the tests start.
signal.signal(signal.SIGINT, signal.default_int_handler)

_SCHEMAS = count()


@pytest.fixture(scope="session")
def deep(request: pytest.FixtureRequest) -> bool:
    """Whether the deep tier runs, whose corpora are larger and whose kills are more."""
    return bool(request.config.getoption("deep"))


@pytest.fixture
def cli() -> Cli:
    return run_neardup


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """Run a PostgreSQL server while there are tests; return its connection string."""
    with run_server() as conninfo:
        yield conninfo


@pytest.fixture(scope="session")
def chromium() -> Iterator[str]:
    """Run one browser while there are tests; return its address."""
    from browser import run_chromium

    with run_chromium() as address:
        yield address


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Any]:
    """Talk to the browser for the tests of a file: meanwhile this thread has a loop, and nobody can start another."""
    from browser import connect

    with connect(chromium) as browser:
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


@pytest.fixture
def sweep_store(tmp_path: Path) -> Iterator[SweepStore]:
    """An empty store in which texts are near from a resemblance of a half on."""
    with SweepStore.create(tmp_path / "store", threshold="0.5") as store:
        yield store


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[tuple[Path, Callable[[int], None]]]:
    """A disk of its own, and what makes it as large as is said."""
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=4k", "tmpfs", str(place)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("only an administrator can mount a small disk")

    def resize(size: int) -> None:
        # a disk is never smaller than what is on it
        size = max(size, sum(path.stat().st_blocks * 512 for path in place.rglob("*")) + 4096)
        subprocess.run(["mount", "-o", f"remount,size={size}", str(place)], check=True)

    yield place, resize
    # A failed test may still have files of it open.
    subprocess.run(["umount", "--lazy", str(place)], check=True)
