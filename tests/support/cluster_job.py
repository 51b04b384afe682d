"""A job for spark-submit: show the session, and lose an executor in the middle of a run.

    cluster_job.py job AT PAGES.parquet KEPT.parquet    what docs/spark/job.py does
    cluster_job.py VERB AT DOCS.jsonl                   a verb over a file

AT is after how many tables that the run keeps. Another executor comes in place of the lost one; not so in a job, where
the one that is left makes all again. Prints a line of the master, the number of parts of a shuffle and the megabytes of
the memory of Java, and a line that ends with the digest.
"""

import os
import runpy
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import neardup
from neardup import spark
from neardup.spark import SparkEngine
from neardup.spark.session.session import open_session

JOB = Path(__file__).resolve().parents[2] / "docs" / "spark" / "job.py"


class Losing(SparkEngine):
    """An engine that loses an executor, with all that it had."""

    left = 0
    """Tables that are kept until then."""
    is_last = False
    """Whether no executor comes in place of the lost one."""

    def __init__(self, session: Any) -> None:
        super().__init__(session, family=20)

    def keep(self, table: Any, **totals: Any) -> Any:
        """Keep a table; after some of them, kill an executor."""
        kept = super().keep(table, **totals)
        Losing.left -= 1
        if Losing.left == 0:
            if Losing.is_last:
                want_executors(self.session, 1)
            os.kill(executors()[0], signal.SIGKILL)
        return kept


def executors() -> list[int]:
    """Return the processes of the executors that this process' cluster started."""
    command = ["pgrep", "-f", f"neardup.cluster={os.environ['NEARDUP_CLUSTER']}.*CoarseGrainedExecutorBackend"]
    return [int(process) for process in subprocess.run(command, capture_output=True, check=True).stdout.split()]


def want_executors(session: Any, count: int) -> None:
    """Ask the cluster for no more executors than so many from now on."""
    nowhere = session._jvm.PythonUtils.toScalaMap({})
    assert session._jsc.sc().requestTotalExecutors(count, 0, nowhere)


def main() -> None:
    """Run."""
    what, at, path, *kept = sys.argv[1:]
    with open_session() as session:
        java = session.sparkContext._jvm.java.lang.Runtime.getRuntime()  # type: ignore[union-attr]
        shown = (session.sparkContext.master, session.conf.get("spark.sql.shuffle.partitions"), java.maxMemory() >> 20)
        sys.stdout.write(" ".join(map(str, shown)) + "\n")
        Losing.left = int(at)
        Losing.is_last = what == "job"
        if what == "job":
            # It takes the session that runs, and the engine of a caller that passes DataFrames.
            spark.SparkEngine = Losing  # type: ignore[misc, assignment]
            sys.argv = [str(JOB), path, *kept]
            runpy.run_path(str(JOB), run_name="__main__")
        else:
            result = getattr(neardup, what)(path, id_field="id", threshold="0.3", engine=Losing(session))
            sys.stdout.write(f"{result.digest}\n")
    if Losing.left > 0:
        sys.exit("nothing was killed")


if __name__ == "__main__":
    main()
