"""One Spark session for all tests of a process."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

NO_JAVA = "there is no Java, which Spark runs on: install a runtime of version 17 or newer (openjdk-17-jre-headless)"


def need_java() -> None:
    """Skip the test without Java, but fail it in CI."""
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        if os.environ.get("CI"):
            pytest.fail(NO_JAVA)
        pytest.skip(NO_JAVA)


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
