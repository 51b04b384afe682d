"""One Spark session for all tests of a process."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

ROOT = Path(__file__).parent.parent


def need_java() -> None:
    """Name the Java that Spark runs on: the one that is installed, or else Debian's, unpacked below .cache."""
    script = ROOT / "packaging" / "java.sh"
    done = subprocess.run([script, ROOT / ".cache" / "java"], stdout=subprocess.PIPE, encoding="utf-8", check=True)
    os.environ["JAVA_HOME"] = done.stdout.strip()


@contextmanager
def run_session(cores: int = 2) -> Iterator["SparkSession"]:
    """Start a session whose executors share this process's machine; see `need_java`."""
    need_java()
    from neardup.spark.session import open_session

    settings = {
        # Runs are short and several processes make them: compiling for long ones takes more than it gives.
        "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
        "spark.driver.memory": "3g",
        "spark.log.level": "OFF",
        # Nor is there anything in a few rows by which to plan the rest anew; the tests of a cluster leave it on.
        "spark.sql.adaptive.enabled": "false",
        "spark.sql.shuffle.partitions": str(cores),
        "spark.ui.enabled": "false",
    }
    with TemporaryDirectory() as folder:
        settings["spark.local.dir"] = folder
        with open_session(f"local[{cores}]", settings=settings) as session:
            yield session
