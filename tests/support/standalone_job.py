"""A driver on a standalone cluster whose runs lose an executor each.

    standalone_job.py MASTER FOLDER OUT MARKS STAGE...    runs dedup of FOLDER once for each stage

The first task of the stage to compute its rows kills its executor, before it returns any. The results are OUT/STAGE.
MARKS is a folder of this machine for files that say that an executor was killed.
For the stages of stars, the links of a run are connected by rounds of stars.
"""

import os
import signal
import sys
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from unittest.mock import patch

import neardup
from neardup.spark import SparkEngine
from neardup.spark.session.batches import Batches
from neardup.spark.session.exchange import Task
from neardup.spark.session.session import open_session

STAGES = ["driver", "home", "describe", "count", "sum", "hosts", "texts", "sample", "shingles", "frame"]
STAGES += ["sign", "link", "connect", "small-star", "large-star", "gather", "fetch", "compare"]
STAGES += ["weigh", "large", "divide", "lead", "chase", "pair", "tie", "expand"]
STAGES += ["settle", "follow", "join", "group", "learn", "route", "list", "write"]
"""The names of the stages, at their numbers."""


@dataclass(frozen=True)
class LosingTask(Task):
    """A task that may kill its executor."""

    at: int = -1
    """The stage in which it does so."""
    mark: str = ""
    """A file that says that an executor was killed."""

    def __call__(self, batches: Batches) -> Batches:
        rows = list(super().__call__(batches))
        if self.task.stage == self.at and make_mark(Path(self.mark)):
            os.kill(parent(os.getppid()), signal.SIGKILL)
        yield from rows


def make_mark(mark: Path) -> bool:
    """Make a file, and return whether there was none."""
    try:
        mark.touch(exist_ok=False)
    except FileExistsError:
        return False
    return True


def parent(process: int) -> int:
    """Return the parent of a process: that of the process that forks Spark's workers of Python is the executor."""
    status = Path(f"/proc/{process}/status").read_text(encoding="utf-8")
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("PPid:"))


def main() -> None:
    """Run all runs, and fail if nothing was killed in one of them."""
    master, folder, out, marks, *stages = sys.argv[1:]
    with open_session(master) as session:
        for stage in stages:
            mark = Path(marks) / f"{stage}-lost"
            losing = partial(LosingTask, at=STAGES.index(stage), mark=str(mark))
            engine = SparkEngine(session, forest=0) if stage.endswith("star") else SparkEngine(session)
            with patch("neardup.spark.cluster.Task", losing):
                neardup.dedup(folder, id_field="id", output=f"{out}/{stage}", engine=engine)
            if not mark.exists():
                sys.exit(f"no executor was killed in {stage}")


if __name__ == "__main__":
    main()
