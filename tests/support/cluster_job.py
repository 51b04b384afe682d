"""A job for spark-submit: show the session, and lose an executor in the middle of a run.

    cluster_job.py job AT PAGES.parquet KEPT.parquet    runs docs/spark/job.py
    cluster_job.py VERB AT DOCS.jsonl                   runs a verb over a file

The executor is killed after AT steps. Spark replaces it, except in a job, where the remaining executor
computes everything again. The program prints one line with the master, the number of shuffle partitions and the memory
of Java in megabytes, and a line that ends with the digest.
"""

import os
import runpy
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any
from unittest.mock import patch

import neardup
from neardup.spark import SparkEngine
from neardup.spark.session.session import open_session
from neardup.spark.session.steps import KeptSteps

JOB = Path(__file__).resolve().parents[2] / "docs" / "spark" / "job.py"


class Losing(KeptSteps):
    """Steps of a run that loses an executor and all data on it."""

    left = 0
    """Number of steps before the executor is killed."""
    is_last = False
    """Whether the lost executor is not replaced."""

    def tallies(self, name: str) -> list[bytes]:
        """Return the tallies of a finished step; kill an executor when `left` reaches 0."""
        found = super().tallies(name)
        Losing.left -= 1
        if Losing.left == 0:
            if Losing.is_last:
                want_executors(self._session, 1)
            os.kill(executors()[0], signal.SIGKILL)
        return found


def executors() -> list[int]:
    """Return the process ids of the executors of this process's cluster."""
    command = ["pgrep", "-f", f"neardup.cluster={os.environ['NEARDUP_CLUSTER']}.*CoarseGrainedExecutorBackend"]
    return [int(process) for process in subprocess.run(command, capture_output=True, check=True).stdout.split()]


def want_executors(session: Any, count: int) -> None:
    """Ask the cluster to run at most `count` executors from now on."""
    nowhere = session._jvm.PythonUtils.toScalaMap({})
    assert session._jsc.sc().requestTotalExecutors(count, 0, nowhere)


def main() -> None:
    """Run the job or the verb that the command line names."""
    what, at, path, *kept = sys.argv[1:]
    with open_session() as session:
        java = session.sparkContext._jvm.java.lang.Runtime.getRuntime()  # type: ignore[union-attr]
        shown = (session.sparkContext.master, session.conf.get("spark.sql.shuffle.partitions"), java.maxMemory() >> 20)
        sys.stdout.write(" ".join(map(str, shown)) + "\n")
        Losing.left = int(at)
        Losing.is_last = what == "job"
        with patch("neardup.spark.cluster.KeptSteps", Losing):
            if what == "job":
                sys.argv = [str(JOB), path, *kept]
                runpy.run_path(str(JOB), run_name="__main__")
            else:
                result = getattr(neardup, what)(path, id_field="id", threshold="0.3", engine=SparkEngine(session))
                sys.stdout.write(f"{result.digest}\n")
    if Losing.left > 0:
        sys.exit("nothing was killed")


if __name__ == "__main__":
    main()
