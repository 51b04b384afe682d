"""A standalone cluster of Spark on this machine, from pyspark's jars: a master and workers, each its own process."""

import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from spark_session import JAVA, need_java

HOST = "127.0.0.1"
SCALA = "2.13"
"""The version of Scala that Spark 4 has."""
SECONDS = 120
"""Seconds until a process that does not answer counts as hanging."""


@dataclass(frozen=True)
class StandaloneCluster:
    """A running cluster."""

    master: str
    """Its address, for `--master`."""
    processes: list[int]
    """The process ids of the master and of the workers, in this order. Executors are children of the workers."""
    folder: Path
    """Folder of logs and local files."""


def driver_environment(folder: Path, settings: Mapping[str, str]) -> dict[str, str]:
    """Return the environment of a driver that works in `folder`, and whose session has `settings`."""
    conf = folder / "conf"
    conf.mkdir(parents=True, exist_ok=True)
    here = {"spark.driver.host": HOST, "spark.driver.bindAddress": HOST, "spark.ui.enabled": "false"}
    lines = [f"{name} {value}\n" for name, value in {**here, **settings}.items()]
    (conf / "spark-defaults.conf").write_text("".join(lines), encoding="utf-8")
    local = {"SPARK_CONF_DIR": str(conf), "SPARK_LOCAL_DIRS": str(folder), "SPARK_LOCAL_IP": HOST}
    return {**os.environ, **local, "PYSPARK_PYTHON": sys.executable}


@contextmanager
def run_cluster(workers: int = 1, cores: int = 2, memory: str = "2g", java: str = JAVA) -> Iterator[StandaloneCluster]:
    """Run a cluster; each worker has some cores, and this memory for executors.

    The settings of a session say how many executors there are: `spark.executor.cores` and `spark.executor.memory`.
    """
    need_java()
    folder = Path(tempfile.mkdtemp(prefix="standalone-"))
    with ExitStack() as stack:
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        daemons = Daemons(folder, java)
        stack.callback(daemons.stop)
        master = daemons.start("master", ["master.Master"], r"Starting Spark master at (spark://\S+)")
        for number in range(workers):
            room = ["--cores", str(cores), "--memory", memory, "--work-dir", str(folder / "work")]
            daemons.start(f"worker-{number}", ["worker.Worker", *room, master], f"(registered) with master {master}")
        yield StandaloneCluster(master, daemons.ids, folder)


class Daemons:
    """The processes of a cluster."""

    def __init__(self, folder: Path, java: str) -> None:
        self._folder = folder
        self._java = java
        self._running: list[subprocess.Popen[bytes]] = []

    @property
    def ids(self) -> list[int]:
        """The process ids."""
        return [process.pid for process in self._running]

    def start(self, name: str, words: list[str], answer: str) -> str:
        """Start a process, wait until its log has the pattern `answer`, and return the group of the pattern."""
        spec = find_spec("pyspark")
        assert spec is not None
        assert spec.origin is not None
        package, log = Path(spec.origin).parent, self._folder / f"{name}.log"
        kind, *rest = words
        java = [f"{os.environ['JAVA_HOME']}/bin/java", "-Xmx256m", *shlex.split(self._java), "-cp", f"{package}/jars/*"]
        command = [*java, f"org.apache.spark.deploy.{kind}", "--host", HOST, "--port", "0", "--webui-port", "0", *rest]
        # Workers look for the jars of executors in the folder of this version.
        local = {"SPARK_HOME": str(package), "SPARK_SCALA_VERSION": SCALA, "SPARK_LOCAL_DIRS": str(self._folder)}
        environment = {**os.environ, "SPARK_LOCAL_IP": HOST, **local}
        with log.open("wb") as output:
            # A group of its own, with which its executors end.
            process = subprocess.Popen(
                command, env=environment, cwd=self._folder, stdout=output, stderr=output, start_new_session=True
            )
        self._running.append(process)
        return wait_for(process, log, answer)

    def stop(self) -> None:
        """Stop all processes, the workers first: they end their executors."""
        for process in reversed(self._running):
            process.terminate()
            try:
                process.wait(SECONDS)
            finally:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)


def wait_for(process: subprocess.Popen[bytes], log: Path, answer: str) -> str:
    """Wait until a log has a pattern, and return its group."""
    last = time.monotonic() + SECONDS
    while (found := re.search(answer, log.read_text(encoding="utf-8"))) is None:
        assert process.poll() is None, log.read_text(encoding="utf-8")
        assert time.monotonic() < last, log.read_text(encoding="utf-8")
        time.sleep(0.02)
    return found[1]
