"""Watching a run: its phase, its number of finished tasks, and the time of each phase."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Event, Thread
from time import monotonic
from typing import cast

from pyspark import SparkContext

Progress = Callable[[str, int, int, int], None]
Notice = Callable[[str], None]
INTERVAL = 0.5
"""Seconds between two progress reports."""


@dataclass
class Watch:
    """The observer of the jobs of a run on a cluster."""

    context: SparkContext
    progress: Progress | None = None
    """Called as progress(phase, tasks done, all tasks so far, documents)."""
    documents: int = 0
    """Number of documents, as far as it is known."""
    times: list[tuple[str, float]] = field(default_factory=list)
    """Finished phases, each with its seconds."""

    @contextmanager
    def phase(self, name: str, number: int | None = None) -> Iterator[None]:
        """Label Spark's jobs with the phase and the pass while the block runs, and report its progress."""
        group = f"neardup {name} {len(self.times)}"
        self.context.setJobGroup(group, f"neardup: {name}" + ("" if number is None else f", pass {number}"))
        start, over = monotonic(), Event()
        reporter = Thread(target=self._report, args=(name, group, over), daemon=True)
        reporter.start()
        try:
            yield
        finally:
            over.set()
            reporter.join()
            self.times.append((name, monotonic() - start))
            for local in ("spark.jobGroup.id", "spark.job.description"):
                self.context.setLocalProperty(local, cast(str, None))

    def _report(self, name: str, group: str, over: Event) -> None:
        while self.progress is not None:
            done, total = self._tasks(group)
            self.progress(name, done, total, self.documents)
            if over.wait(INTERVAL):
                self.progress(name, total, total, self.documents)
                return

    def _tasks(self, group: str) -> tuple[int, int]:
        """Count the tasks of the stages of a job group: those that are done, and all that are planned."""
        tracker = self.context.statusTracker()
        jobs = [tracker.getJobInfo(job) for job in tracker.getJobIdsForGroup(group)]
        stages = {stage for job in jobs if job is not None for stage in job.stageIds}
        infos = [info for info in map(tracker.getStageInfo, stages) if info is not None]
        return sum(info.numCompletedTasks for info in infos), sum(info.numTasks for info in infos)
