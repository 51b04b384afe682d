"""A job for spark-submit: show the session, run a verb while an executor is killed, then do docs/spark/job.py.

    spark-submit [OPTION ...] tests/cluster_job.py DOCS.jsonl VERB AT PAGES.parquet KEPT.parquet

AT is after how many tables that the run keeps. Prints the master, the number of parts of a shuffle and the megabytes of
the memory of Java; the digest of the run; and what the job prints.
"""

import os
import runpy
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import neardup
from neardup.spark.engine import SparkEngine
from neardup.spark.session import open_session

JOB = Path(__file__).resolve().parent.parent / "docs" / "spark" / "job.py"


class Losing(SparkEngine):
    """An engine that loses an executor, with all that it had."""

    def __init__(self, session: Any, at: int) -> None:
        super().__init__(session, family=20)
        self._left = at

    def keep(self, table: Any, **totals: Any) -> Any:
        """Keep a table; after some of them, kill an executor."""
        kept = super().keep(table, **totals)
        self._left -= 1
        if self._left == 0:
            os.kill(executors()[0], signal.SIGKILL)
        return kept


def executors() -> list[int]:
    """Return the processes of the executors that this process' cluster started."""
    command = ["pgrep", "-f", f"neardup.cluster={os.environ['NEARDUP_CLUSTER']}.*CoarseGrainedExecutorBackend"]
    return [int(process) for process in subprocess.run(command, capture_output=True, check=True).stdout.split()]


def main() -> None:
    """Run."""
    path, verb, at, pages, kept = sys.argv[1:]
    with open_session() as session:
        java = session.sparkContext._jvm.java.lang.Runtime.getRuntime()  # type: ignore[union-attr]
        shown = (session.sparkContext.master, session.conf.get("spark.sql.shuffle.partitions"), java.maxMemory() >> 20)
        sys.stdout.write(" ".join(map(str, shown)) + "\n")
        engine = Losing(session, int(at))
        result = getattr(neardup, verb)(path, id_field="id", threshold="0.3", engine=engine)
        sys.stdout.write(f"{result.digest}\n")
        if engine._left > 0:
            sys.exit("nothing was killed")
        # It takes the session that runs, and stops it.
        sys.argv = [str(JOB), pages, kept]
        runpy.run_path(str(JOB), run_name="__main__")


if __name__ == "__main__":
    main()
