"""Phases: their times, and reports of their progress."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Event, Thread
from time import monotonic

Progress = Callable[[str, int, int, int], None]
"""Called as progress(phase, tasks done, all tasks so far, documents); the number of documents is not known: 0."""
Notice = Callable[[str], None]
INTERVAL = 0.5
"""Seconds between two progress reports."""


@dataclass
class Phases:
    """The phases of a run."""

    count: Callable[[], tuple[int, int]]
    """Returns the numbers of the tasks of the phase under way: those that are done, and all so far."""
    progress: Progress | None
    times: list[tuple[str, float]] = field(default_factory=list)
    """Finished phases, each with its seconds."""

    @contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """Report the progress of a phase, and note its time, while the block runs."""
        start, over = monotonic(), Event()
        reporter = Thread(target=self._report, args=(name, over), daemon=True)
        reporter.start()
        try:
            yield
        finally:
            over.set()
            reporter.join()
            self.times.append((name, monotonic() - start))

    def _report(self, name: str, over: Event) -> None:
        while self.progress is not None:
            done, total = self.count()
            self.progress(name, done, total, 0)
            if over.wait(INTERVAL):
                self.progress(name, total, total, 0)
                return
