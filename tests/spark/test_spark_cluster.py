"""Spark with separate executors: data of a lost one are computed again, and neardup comes as an archive."""

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path
from zipfile import ZipFile

import pyarrow.parquet as pq
import pytest
from test_spark import ALL, table_of

import neardup
from command import PATIENCE
from neardup.spark.session.session import session_settings
from records import write_records
from spark_session import FEW_ROWS, JAVA, need_java

JOB = Path(__file__).parents[1] / "support" / "cluster_job.py"
SUBMIT = shutil.which("spark-submit", path=str(Path(sys.executable).parent)) or "spark-submit"
CORES = os.cpu_count() or 1
LIBRARIES = ["pyspark", "py4j", "pyarrow", "numpy", "numpy.libs", "pandas", "pytz", "dateutil", "six.py"]


pytestmark = pytest.mark.spark


@pytest.fixture(autouse=True)
def _java() -> None:
    need_java()


@pytest.mark.parametrize(
    ("what", "at"),
    [
        ("job", 1),
        pytest.param("dedup", 2, marks=pytest.mark.deep("tables of files are like those of a DataFrame")),
        pytest.param("cluster", 1, marks=pytest.mark.deep("tables are computed again as for dedup")),
    ],
)
def test_separate_executors(what: str, at: int, tmp_path: Path) -> None:
    """Executors have only Python, Arrow and Spark; spark-submit sets the master; a lost executor changes nothing."""
    pages, docs, kept = (tmp_path / name for name in ("pages.parquet", "docs.jsonl", "kept"))
    pq.write_table(table_of(ALL).drop_columns(["time"]), pages)
    write_records(docs, ({"id": doc.id, "text": doc.text} for doc in ALL[:40]))
    python = bare_python(tmp_path / "bare")
    without = subprocess.run([python, "-c", "import neardup"], capture_output=True, text=True, check=False)
    assert "No module named 'neardup'" in without.stderr
    archive, name = pack(tmp_path / "neardup.zip"), f"{tmp_path.name}-{os.getpid()}"
    settings = {
        "spark.executor.extraJavaOptions": f"{JAVA} -Dneardup.cluster={name}",
        "spark.driver.extraJavaOptions": JAVA,
        "spark.executorEnv.PYTHONPATH": "package",
        "spark.log.level": "OFF",
        **FEW_ROWS,
        "spark.sql.shuffle.partitions": "3",
        "spark.ui.enabled": "false",
    }
    command = [SUBMIT, "--master", "local-cluster[2,1,1024]", "--driver-memory", "900m"]
    command += ["--archives", f"{archive}#package"]
    command += [word for key, value in settings.items() for word in ("--conf", f"{key}={value}")]
    command += [str(JOB), what, str(at), *map(str, [pages, kept] if what == "job" else [docs])]
    environment = {**os.environ, "PYSPARK_PYTHON": str(python), "PYSPARK_DRIVER_PYTHON": sys.executable}
    environment["NEARDUP_CLUSTER"] = name
    run = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    shown, done = run.stdout.splitlines()
    master, parts, megabytes = shown.split()
    assert (master, int(parts)) == ("local-cluster[2,1,1024]", 3)
    assert int(megabytes) == pytest.approx(900, rel=0.1)
    if what == "job":
        local = neardup.dedup(table_of(ALL).sort_by("id"), id_field="id")
        assert len(pq.read_table(kept)) == local.summary["counts"]["kept"]
    else:
        local = getattr(neardup, what)(str(docs), id_field="id", threshold="0.3")
    assert done.endswith(local.digest)


def test_a_session_of_one_machine_has_all_its_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = session_settings(None, None)
    assert (chosen["spark.master"], chosen["spark.sql.shuffle.partitions"]) == ("local[*]", str(4 * CORES))
    chosen = session_settings(None, 3)
    assert (chosen["spark.master"], chosen["spark.sql.shuffle.partitions"]) == ("local[3]", "12")
    monkeypatch.setenv("PYSPARK_GATEWAY_PORT", "1")
    chosen = session_settings(None, None)
    assert "spark.master" not in chosen
    assert "spark.sql.shuffle.partitions" not in chosen


def pack(archive: Path) -> Path:
    """Pack the installed neardup without compression."""
    package = Path(neardup.__file__).parent
    with ZipFile(archive, "w") as packed:
        for file in package.rglob("*"):
            if file.is_file() and file.parent.name != "__pycache__":
                packed.write(file, file.relative_to(package.parent))
    return archive


def bare_python(folder: Path) -> Path:
    """Make an environment with everything that tasks need except neardup; return its Python."""
    venv.create(folder, symlinks=True)
    here = Path(pq.__file__).parents[2]
    there = next(folder.glob("lib/python*/site-packages"))
    for name in LIBRARIES:
        if (here / name).exists():
            (there / name).symlink_to(here / name)
    return folder / "bin" / "python"
