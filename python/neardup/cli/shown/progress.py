"""Progress on a terminal: one bar a phase, with rate and time left. In a pipe there is none."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from neardup.options.values import ProgressCallback


@contextmanager
def show_progress(*, quiet: bool) -> Iterator[ProgressCallback | None]:
    """Show bars on stderr while the block runs, and return the callable that moves them; None without a terminal."""
    if quiet or not sys.stderr.isatty():
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
