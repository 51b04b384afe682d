"""One Spark session for all tests of a process."""

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

NO_JAVA = "there is no Java, which Spark runs on: install a runtime of version 17 or newer (openjdk-17-jre-headless)"


@contextmanager
def run_session(cores: int = 2) -> Iterator["SparkSession"]:
    """Start a session whose executors share this process's machine; without Java it is skipped, but never in CI."""
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        if os.environ.get("CI"):
            pytest.fail(NO_JAVA)
        pytest.skip(NO_JAVA)
    os.environ["PYSPARK_PYTHON"] = sys.executable
    from pyspark.sql import SparkSession

    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.memory": "1g",
        "spark.sql.shuffle.partitions": str(cores),
    }
    builder = SparkSession.builder.master(f"local[{cores}]").appName("neardup tests")
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    try:
        yield session
    finally:
        session.stop()
