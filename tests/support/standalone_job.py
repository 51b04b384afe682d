"""A driver on a standalone cluster whose runs lose an executor each.

    standalone_job.py MASTER FOLDER OUT MARKS STAGE...    runs a verb over FOLDER once for each stage

The first task of the stage to compute its rows kills its executor, before it returns any. The results are OUT/STAGE.
MARKS is a folder of this machine for files that say that an executor was killed.
"""

import os
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any
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
class Run:
    """A run of a verb."""

    verb: Callable[..., Any]
    scheme: str | None = None
    limits: dict[str, int] = field(default_factory=dict)
    """What the engine takes in one task."""


FRAMED = "words | shingles:3 frame=0.2 | minhash:60 | bands:20x3 | resemblance>=0.5"
COUNTED = "words | terms:0.1,0.9 weight=idf:corpus | lexicons:4 | each | equal & resemblance>=0.5"
FIELDS = {"id_field": "id", "url_field": "url"}
RUNS = {
    "sign link connect gather fetch compare write": Run(neardup.dedup),
    "small-star large-star": Run(neardup.dedup, limits={"forest": 0}),
    "weigh large divide lead chase expand follow group learn": Run(neardup.dedup, limits={"forest": 0, "family": 20}),
    "hosts texts sample shingles frame": Run(neardup.dedup, FRAMED),
    "count sum pair tie settle join": Run(neardup.cluster, f"{COUNTED} ; {FRAMED}", {"family": 20}),
    "route list": Run(neardup.find_pairs),
}
"""Runs, each by the stages that are tested with it."""


def run_of(stage: str) -> Run:
    """Return the run with which a stage is tested."""
    return next(run for stages, run in RUNS.items() if stage in stages.split())


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
            run = run_of(stage)
            engine = SparkEngine(session, **run.limits)
            with patch("neardup.spark.cluster.Task", losing):
                run.verb(folder, **FIELDS, scheme=run.scheme, output=f"{out}/{stage}", engine=engine)
            if not mark.exists():
                sys.exit(f"no executor was killed in {stage}")


if __name__ == "__main__":
    main()
