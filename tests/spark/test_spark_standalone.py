"""Results on Spark are those of one machine if a standalone cluster loses executors, or a driver is killed."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import chain
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from command import PATIENCE
from families import Families, near
from records import write_records
from s3_server import run_s3
from spark_session import FEW_ROWS, JAVA, need_java
from standalone_cluster import StandaloneCluster, driver_environment, run_cluster
from standalone_job import FIELDS, run_of

pytestmark = pytest.mark.spark

JOB = Path(__file__).parents[1] / "support" / "standalone_job.py"
SETTINGS = {
    "spark.driver.extraJavaOptions": JAVA,
    "spark.driver.memory": "600m",
    "spark.executor.cores": "1",
    "spark.executor.extraJavaOptions": JAVA,
    "spark.executor.memory": "500m",
    "spark.log.level": "OFF",
    "spark.sql.shuffle.partitions": "2",
    **FEW_ROWS,
}
FILES, FAMILIES, WORDS, LARGE = 3, 50, 300, 60
"""Files, and in each of them families of five texts and their words: a file is large enough for a task of its own. One
further family is large."""


@pytest.fixture(scope="module")
def docs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of files with near-copies of documents of the same and of other files."""
    folder = tmp_path_factory.mktemp("docs")
    make = Families("standalone")
    stars = make.many(FAMILIES * FILES, lambda: make.star(5, WORDS, near(WORDS)))
    chains = make.many(FAMILIES * FILES // 2, lambda: make.chain(5, WORDS, near(WORDS)))
    texts = list(chain(stars, chains, make.star(LARGE, WORDS, near(WORDS))))
    make.random.shuffle(texts)
    for number in range(FILES):
        of_file = range(number, len(texts), FILES)
        records = [{"id": f"{at:05}", "url": f"https://{at % 2}.example/{at}", "text": texts[at]} for at in of_file]
        write_records(folder / f"{number}.jsonl", [*records, {"id": f"copy {number}", "text": texts[0]}])
    return folder


@pytest.fixture(scope="module")
def whole(docs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The results of one machine."""
    out = tmp_path_factory.mktemp("whole") / "out"
    run_of("write").verb(str(docs), **FIELDS, output=str(out))
    return out


@pytest.fixture
def cluster() -> Iterator[StandaloneCluster]:
    with run_cluster() as cluster:
        yield cluster


@pytest.mark.parametrize(
    "stages",
    [
        ["compare"],
        pytest.param(["sign", "link"], marks=pytest.mark.deep("stages lose their rows like those of comparisons")),
        pytest.param(["connect", "gather", "fetch"], marks=pytest.mark.deep("they are stages of the same step")),
        pytest.param(["small-star", "large-star"], marks=pytest.mark.deep("they are stages like the others")),
        pytest.param(["divide", "lead", "chase", "expand"], marks=pytest.mark.deep("they are stages like the others")),
        pytest.param(["weigh", "large", "follow", "group", "learn"], marks=pytest.mark.deep("so are these")),
        pytest.param(["write"], marks=pytest.mark.deep("a task that is tried twice writes its files twice")),
    ],
    ids=lambda stages: "+".join(stages),
)
def test_an_executor_is_lost_in_a_stage(
    stages: list[str], docs: Path, whole: Path, cluster: StandaloneCluster, tmp_path: Path
) -> None:
    lose(cluster, str(docs), str(tmp_path), tmp_path, stages, SETTINGS)
    for stage in stages:
        compare(tmp_path / stage, whole)
    assert names_in(tmp_path) == {*stages, *(f"{stage}-lost" for stage in stages)}


@pytest.mark.deep("they are stages like those of the default scheme")
@pytest.mark.parametrize(
    "stages",
    [
        ["count", "sum", "pair", "tie", "settle", "join"],
        ["hosts", "texts", "sample", "shingles", "frame"],
        ["route", "list"],
    ],
)
def test_an_executor_is_lost_in_a_stage_of_another_run(
    stages: list[str], docs: Path, cluster: StandaloneCluster, tmp_path: Path
) -> None:
    lose(cluster, str(docs), str(tmp_path), tmp_path, stages, SETTINGS)
    run = run_of(stages[0])
    whole = run.verb(str(docs), **FIELDS, scheme=run.scheme)
    assert [summary_of(tmp_path / stage)["digest"] for stage in stages] == [whole.digest] * len(stages)


def lose(
    cluster: StandaloneCluster, docs: str, out: str, marks: Path, stages: list[str], settings: dict[str, str]
) -> None:
    """Run a job that loses an executor in each stage."""
    command = [sys.executable, str(JOB), cluster.master, docs, out, str(marks), *stages]
    environment = driver_environment(cluster.folder, settings)
    run = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert run.returncode == 0, run.stdout + run.stderr


@pytest.mark.deep("test_spark_remote.py has files of an object store without losses")
def test_an_executor_is_lost_with_files_of_an_object_store(
    docs: Path, whole: Path, cluster: StandaloneCluster, tmp_path: Path
) -> None:
    stages = ["sign", "compare", "write"]
    with run_s3() as server:
        settings = {f"spark.hadoop.{name}": value for name, value in server.settings.items()}
        lose(cluster, server.put(docs, "in"), "s3a://docs", tmp_path, stages, SETTINGS | settings)
        assert names_in(tmp_path) == {f"{stage}-lost" for stage in stages}
        for stage in stages:
            for name, content in server.read(stage).items():
                (tmp_path / stage / name).parent.mkdir(parents=True, exist_ok=True)
                (tmp_path / stage / name).write_bytes(content)
            compare(tmp_path / stage, whole)
            assert server.read(f"{stage}.partial") == {}


def compare(out: Path, whole: Path) -> None:
    """Check that a finished result is that of one machine."""
    assert summary_of(out)["digest"] == summary_of(whole)["digest"]
    assert summary_of(out)["counts"]["kept"] == summary_of(whole)["counts"]["kept"]
    assert pq.read_table(out / "decisions.parquet").equals(pq.read_table(whole / "decisions.parquet"))
    assert kept_by(out) == kept_by(whole)
    # A run on Spark writes no report.
    assert names_in(out) == names_in(whole) - {"report.html"}


def summary_of(out: Path) -> dict[str, Any]:
    summary: dict[str, Any] = json.loads((out / "run.json").read_bytes())
    return summary


def kept_by(out: Path) -> dict[str, bytes]:
    """Return the files of the kept documents."""
    return {path.name: path.read_bytes() for path in (out / "kept").rglob("*") if path.is_file()}


def names_in(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


@pytest.mark.deep("test_spark_resume.py resumes in one process, in the same way")
@pytest.mark.parametrize(
    "killed",
    [["compare-1"], ["compare-1", "write"]],
)
def test_a_killed_driver_resumes(killed: list[str], docs: Path, whole: Path, tmp_path: Path) -> None:
    """The same command computes no step again that a killed one has kept, and leaves nothing but the result."""
    need_java()
    environment = driver_environment(tmp_path / "spark", SETTINGS)
    out, steps = tmp_path / "out", tmp_path / "out.partial" / "work" / "steps"
    command = [sys.executable, "-m", "neardup", "dedup", str(docs), "--id-field", "id", "--url-field", "url"]
    command += ["-o", str(out), "--quiet", "--engine", "spark", "--master", "local[2]"]
    kept: dict[Path, int] = {}
    for number, step in enumerate(killed):
        with started(command, environment) as process:
            wait_for_step(process, steps / step)
            os.killpg(process.pid, signal.SIGKILL)
        assert kept.items() <= inodes(steps).items()
        kept = inodes(steps)
        assert {file.parent.name for file in kept} == {"sign-1", *killed[:number]}
    with started(command, environment) as process:
        wait_for_step(process, steps / "write")
        assert kept.items() <= inodes(steps).items()
        assert process.wait(PATIENCE) == 0
    compare(out, whole)
    assert names_in(tmp_path) == {"out", "spark"}


@contextmanager
def started(command: list[str], environment: dict[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    """Start a process, with a group of its own, which must end while the block runs or soon after it."""
    process = subprocess.Popen(command, env=environment, start_new_session=True)
    try:
        yield process
        process.wait(PATIENCE)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def wait_for_step(process: subprocess.Popen[bytes], folder: Path) -> None:
    """Wait until a run has begun to keep the rows of a step."""
    while not folder.exists():
        assert process.poll() is None, f"the run ended before {folder.name}"
        time.sleep(0.005)


def inodes(steps: Path) -> dict[Path, int]:
    """Return the files of the finished steps, each with its number in the file system."""
    finished = [folder for folder in steps.iterdir() if (folder / "_SUCCESS").exists()]
    return {file: file.stat().st_ino for folder in finished for file in folder.glob("*.parquet")}
