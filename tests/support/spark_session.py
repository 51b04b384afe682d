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
"""Options of Java: runs are short, and compiling for long ones takes more than it gives."""

MACHINE = 12 << 30
"""Bytes of the machine on which the session works, as it is told; Java takes what it may have."""

FEW_ROWS = {
    # Spark writes and compiles no classes for a query: on a few rows that costs more than it saves.
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.codegen.wholeStage": "false",
    # A page is the least that a join takes, and would have 64 MB.
    "spark.buffer.pageSize": "1m",
}
"""Settings by which Spark spends less on small tables."""


def need_java() -> None:
    """Name the Java that Spark runs on: the one that is installed, or else Debian's, unpacked below .cache."""
    script = ROOT / "packaging" / "java.sh"
    done = subprocess.run([script, ROOT / ".cache" / "java"], stdout=subprocess.PIPE, encoding="utf-8", check=True)
    os.environ["JAVA_HOME"] = done.stdout.strip()


@contextmanager
def run_session(cores: int = 2) -> Iterator["SparkSession"]:
    """Start a session whose executors share this process's machine; see `need_java`."""
    need_java()
    from neardup.spark.session.session import open_session

    settings = {
        "spark.driver.extraJavaOptions": JAVA,
        "spark.log.level": "OFF",
        # A few rows give Spark no reason to plan the rest anew; the tests of a cluster leave this on.
        "spark.sql.adaptive.enabled": "false",
        "spark.sql.shuffle.partitions": str(cores),
        **FEW_ROWS,
        "spark.ui.enabled": "false",
    }
    # Java's memory is what a session chooses by itself, on a machine that has this much.
    os.environ.pop("SPARK_DRIVER_MEMORY", None)
    with TemporaryDirectory() as folder, ExitStack() as stack:
        settings["spark.local.dir"] = folder
        # Java and its tasks keep the folder in which they start: a page of the docs has its files there
        with chdir(folder), patch("neardup._core.machine_memory", MACHINE):
            session = stack.enter_context(open_session(f"local[{cores}]", settings=settings))
        yield session


def folder_of(session: "SparkSession") -> Path:
    """Return the folder in which a session of `run_session` works."""
    folder = session.sparkContext.getConf().get("spark.local.dir")
    assert folder is not None
    return Path(folder)
