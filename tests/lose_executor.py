"""Run on a cluster of two executors, one of which is killed at the time that is asked for.

    python tests/lose_executor.py DOCS.jsonl VERB AT

AT is after how many tables that the run keeps. Prints the digest.
"""

import os
import signal
import subprocess
import sys
from typing import Any

import neardup
from neardup.spark.engine import SparkEngine
from neardup.spark.session import open_session
from spark_session import JAVA

SETTINGS = {
    "spark.driver.extraJavaOptions": JAVA,
    "spark.log.level": "OFF",
    "spark.sql.shuffle.partitions": "3",
    "spark.ui.enabled": "false",
}


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
    """Give the processes of the executors that this process' cluster started."""
    command = ["pgrep", "-f", f"neardup.cluster={os.environ['NEARDUP_CLUSTER']}.*CoarseGrainedExecutorBackend"]
    return [int(process) for process in subprocess.run(command, capture_output=True, check=True).stdout.split()]


def main() -> None:
    """Run."""
    path, verb, at = sys.argv[1:]
    name = f"{JAVA} -Dneardup.cluster={os.environ['NEARDUP_CLUSTER']}"
    with open_session(
        "local-cluster[2,1,1024]", settings={**SETTINGS, "spark.executor.extraJavaOptions": name}
    ) as spark:
        engine = Losing(spark, int(at))
        result = getattr(neardup, verb)(path, id_field="id", threshold="0.3", engine=engine)
        sys.stdout.write(f"{result.digest}\n")
        if engine._left > 0:
            sys.exit("nothing was killed")


if __name__ == "__main__":
    main()
