"""Watching a run: its jobs are labelled with the phase, and their finished tasks are counted."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import cast

from pyspark import SparkContext

from neardup.spread.phases import Phases, Progress


class Watch:
    """The observer of the jobs of a run on a cluster."""

    def __init__(self, context: SparkContext, progress: Progress | None) -> None:
        self._context = context
        self._group = ""
        self._phases = Phases(self._tasks, progress)

    @property
    def times(self) -> list[tuple[str, float]]:
        """Finished phases, each with its seconds."""
        return self._phases.times

    @contextmanager
    def phase(self, name: str, number: int | None = None) -> Iterator[None]:
        """Label Spark's jobs with the phase and the pass while the block runs, and report its progress."""
        self._group = f"neardup {name} {len(self.times)}"
        self._context.setJobGroup(self._group, f"neardup: {name}" + ("" if number is None else f", pass {number}"))
        try:
            with self._phases.phase(name):
                yield
        finally:
            for local in ("spark.jobGroup.id", "spark.job.description"):
                self._context.setLocalProperty(local, cast(str, None))

    def _tasks(self) -> tuple[int, int]:
        """Count the tasks of the stages of the job group: those that are done, and all that are planned."""
        tracker = self._context.statusTracker()
        jobs = [tracker.getJobInfo(job) for job in tracker.getJobIdsForGroup(self._group)]
        stages = {stage for job in jobs if job is not None for stage in job.stageIds}
        infos = [info for info in map(tracker.getStageInfo, stages) if info is not None]
        return sum(info.numCompletedTasks for info in infos), sum(info.numTasks for info in infos)
