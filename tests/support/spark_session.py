"""One Spark session for all tests of a process."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, chdir, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING
from unittest.mock import patch

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

ROOT = Path(__file__).parents[2]
JAVA = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
"""Options of Java: runs are short, so thorough compilation costs more time than it saves."""

MACHINE = 12 << 30
"""Memory in bytes that the session believes the machine has; it sets the memory of Java."""

FEW_ROWS = {
    # Spark generates no code for a query: for a few rows that costs more than it saves.
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.codegen.wholeStage": "false",
    # A page is the minimum memory of a join; the default is 64 MB.
    "spark.buffer.pageSize": "1m",
}
"""Settings that reduce the overhead of Spark on small tables."""


def need_java() -> None:
    """Set the Java that Spark runs on: the installed one, or else Debian's, unpacked below .cache."""
    script = ROOT / "packaging" / "java.sh"
    done = subprocess.run([script, ROOT / ".cache" / "java"], stdout=subprocess.PIPE, encoding="utf-8", check=True)
    os.environ["JAVA_HOME"] = done.stdout.strip()


@contextmanager
def run_session(cores: int = 2) -> Iterator["SparkSession"]:
    """Run a session whose executors share the machine of this process; see `need_java`."""
    need_java()
    from neardup.spark.session.session import open_session

    settings = {
        "spark.driver.extraJavaOptions": JAVA,
        "spark.log.level": "OFF",
        # Replanning does not pay for a few rows; the tests of a cluster leave it on.
        "spark.sql.adaptive.enabled": "false",
        "spark.sql.shuffle.partitions": str(cores),
        **FEW_ROWS,
        "spark.ui.enabled": "false",
    }
    # The session chooses the memory of Java by itself, for a machine with `MACHINE` bytes.
    os.environ.pop("SPARK_DRIVER_MEMORY", None)
    with TemporaryDirectory() as folder, ExitStack() as stack:
        settings["spark.local.dir"] = folder
        # Java and its tasks keep the working folder in which they start; a page of the docs has its files there
        with chdir(folder), patch("neardup._core.machine_memory", MACHINE):
            session = stack.enter_context(open_session(f"local[{cores}]", settings=settings))
        yield session


def folder_of(session: "SparkSession") -> Path:
    """Return the folder in which a session of `run_session` works."""
    folder = session.sparkContext.getConf().get("spark.local.dir")
    assert folder is not None
    return Path(folder)
