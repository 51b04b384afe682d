"""Progress: on a terminal one bar a phase, with rate and time left; for programs lines of JSON."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from neardup.options.values import ProgressCallback


@contextmanager
def show_progress(*, quiet: bool, progress: str = "auto") -> Iterator[ProgressCallback | None]:
    """Show progress on stderr while the block runs, and return the callable that moves it; None if none is shown.

    `progress` is `json` for lines of JSON, `none`, or `auto` for bars on a terminal unless `quiet`.
    """
    if progress == "json":
        lines = ProgressLines()
        yield lines.move
        lines.end()
        return
    if progress == "none" or quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, TaskID, TaskProgressColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bars

    bars = Bars(
        TextColumn("{task.description:<8}"),
        BarColumn(),
        TaskProgressColumn(show_speed=True),
        TextColumn("{task.fields[documents]:>12,} documents"),
        TimeRemainingColumn(elapsed_when_finished=True),
        console=Console(stderr=True),
        transient=True,
    )
    tasks: dict[str, TaskID] = {}

    def move(phase: str, done: int, total: int, documents: int) -> None:
        if len(tasks) > 1 and phase == next(iter(tasks)):
            # the first phase again: the next of several runs, whose bars begin anew; others repeat with every batch
            for task in tasks.values():
                bars.remove_task(task)
            tasks.clear()
        if phase not in tasks:
            for bar in bars.tasks:
                bars.update(bar.id, completed=bar.total)
            tasks[phase] = bars.add_task(phase, total=None, documents=0)
        bars.update(tasks[phase], completed=done, total=total or None, documents=documents)

    with bars:
        yield move


class ProgressLines:
    """Progress as events on stderr: the first and the last state of each stage, and one state a second between.

    An event has stage, done and total (bytes or documents, as the stage counts; total is null if it is not known),
    documents (read so far), rate (done in a second since the stage began) and seconds_left (null if it is not known).
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._stage: str | None = None
        self._began = self._written = 0.0
        self._state = (0, 0, 0)
        self._is_shown = True

    def move(self, phase: str, done: int, total: int, documents: int) -> None:
        """Take a state; it is written if it is the first of its stage, or a second after the last line."""
        now = self._clock()
        begins = phase != self._stage or done < self._state[0]
        if begins:
            self.end()
            self._stage, self._began = phase, now
        self._state, self._is_shown = (done, total, documents), False
        if begins or now >= self._written + 1:
            self._write(now)

    def end(self) -> None:
        """Write the last state, unless it is written."""
        if not self._is_shown:
            self._write(self._clock())

    def _write(self, now: float) -> None:
        from neardup.cli.shown.events import write_event

        done, total, documents = self._state
        seconds = now - self._began
        rate = done / seconds if seconds > 0 else None
        left = (total - done) / rate if rate and total >= done else None
        write_event(
            "progress",
            stage=self._stage,
            done=done,
            total=total or None,
            documents=documents,
            rate=None if rate is None else round(rate, 3),
            seconds_left=None if left is None else round(left, 3),
        )
        self._written, self._is_shown = now, True
