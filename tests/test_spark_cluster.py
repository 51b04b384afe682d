"""Spark with executors of their own: what one of them had is made again, and neardup comes to them as an archive."""

import json
import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pyarrow.parquet as pq
import pytest

import neardup
from command import PATIENCE
from neardup import _core
from neardup.spark.session import LEAST
from spark_session import JAVA, need_java
from test_spark import ALL, table_of

JOB = Path(__file__).parents[1] / "docs" / "spark" / "job.py"
SUBMIT = [shutil.which("spark-submit", path=str(Path(sys.executable).parent)) or "spark-submit"]
SHOWS = """
from neardup.spark.session import open_session
with open_session() as spark:
    java = spark.sparkContext._jvm.java.lang.Runtime.getRuntime()
    print(spark.sparkContext.master, spark.conf.get("spark.sql.shuffle.partitions"), java.maxMemory() >> 20)
"""
"""A program that says what master a session has, into how many parts it shuffles, and the MB of memory of its Java."""
LIBRARIES = ["pyspark", "py4j", "pyarrow", "numpy", "numpy.libs", "pandas", "pytz", "dateutil", "six.py"]


@pytest.fixture(autouse=True)
def _java() -> None:
    need_java()


@pytest.mark.parametrize(
    ("verb", "at"),
    [("dedup", 10), pytest.param("cluster", 5, marks=pytest.mark.deep("tables are made again as for dedup"))],
)
def test_a_lost_executor_changes_nothing(verb: str, at: int, tmp_path: Path) -> None:
    path = tmp_path / "docs.jsonl"
    path.write_text("".join(json.dumps({"id": doc.id, "text": doc.text}) + "\n" for doc in ALL[:40]), encoding="utf-8")
    command = [sys.executable, str(Path(__file__).parent / "lose_executor.py"), str(path), verb, str(at)]
    environment = {**os.environ, "NEARDUP_CLUSTER": f"{tmp_path.name}-{os.getpid()}"}
    run = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    assert run.stdout.split()[-1] == getattr(neardup, verb)(str(path), id_field="id", threshold="0.3").digest


def test_neardup_comes_to_the_executors(tmp_path: Path) -> None:
    """With no more than Python, Arrow and Spark there."""
    python = bare_python(tmp_path / "bare")
    pq.write_table(table_of(ALL).drop_columns(["time"]), tmp_path / "pages.parquet")
    package = tmp_path / "package"
    shutil.copytree(Path(neardup.__file__).parent, package / "neardup", ignore=shutil.ignore_patterns("__pycache__"))
    archive = shutil.make_archive(str(tmp_path / "neardup"), "zip", package)
    submit = [*SUBMIT, "--master", "local-cluster[2,1,1024]", "--conf", "spark.log.level=OFF"]
    submit += ["--conf", "spark.sql.shuffle.partitions=3", "--conf", f"spark.driver.extraJavaOptions={JAVA}"]
    submit += ["--conf", f"spark.executor.extraJavaOptions={JAVA}"]
    sends = ["--archives", f"{archive}#package", "--conf", "spark.executorEnv.PYTHONPATH=package"]
    job = [str(JOB), str(tmp_path / "pages.parquet"), str(tmp_path / "kept")]
    environment = {**os.environ, "PYSPARK_PYTHON": str(python), "PYSPARK_DRIVER_PYTHON": sys.executable}
    without = subprocess.run([python, "-c", "import neardup"], capture_output=True, text=True, check=False)
    assert "No module named 'neardup'" in without.stderr
    command = [*submit, *sends, *job]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    local = neardup.dedup(table_of(ALL).sort_by("id"), id_field="id")
    assert run.stdout.strip().endswith(local.digest)
    assert len(pq.read_table(tmp_path / "kept")) == local.summary["counts"]["kept"]


def test_spark_submit_says_where_a_session_runs(tmp_path: Path) -> None:
    settings = ["--conf", "spark.sql.shuffle.partitions=7", "--driver-memory", "900m"]
    submit = [*SUBMIT, "--master", "local-cluster[1,1,1024]", *settings]
    master, parts, megabytes = shown_session(submit, tmp_path)
    assert (master, parts) == ("local-cluster[1,1,1024]", 7)
    assert megabytes == pytest.approx(900, rel=0.1)


def test_a_session_of_one_machine_has_a_quarter_of_its_memory(tmp_path: Path) -> None:
    memory = _core.machine_memory
    assert memory is not None
    master, parts, megabytes = shown_session([sys.executable], tmp_path)
    assert (master, parts) == ("local[*]", 4 * (os.cpu_count() or 1))
    assert megabytes == pytest.approx(max(memory // 4, LEAST) >> 20, rel=0.1)


def shown_session(start: list[str], folder: Path) -> tuple[str, int, int]:
    """Start a program that opens a session with nothing said, and give what it shows of that."""
    program = folder / "shows.py"
    program.write_text(SHOWS, encoding="utf-8")
    environment = {name: value for name, value in os.environ.items() if name != "SPARK_DRIVER_MEMORY"}
    environment |= {"PYSPARK_PYTHON": sys.executable, "PYSPARK_DRIVER_PYTHON": sys.executable}
    run = subprocess.run(
        [*start, str(program)], env=environment, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr
    master, parts, megabytes = run.stdout.split()
    return master, int(parts), int(megabytes)


def bare_python(folder: Path) -> Path:
    """Make an environment that has what tasks need, but no neardup."""
    venv.create(folder, symlinks=True)
    here = Path(pq.__file__).parents[2]
    there = next(folder.glob("lib/python*/site-packages"))
    for name in LIBRARIES:
        if (here / name).exists():
            (there / name).symlink_to(here / name)
    return folder / "bin" / "python"
