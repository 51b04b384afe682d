"""Long jobs in the background, of which one is under way at a time."""

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from os import cpu_count
from typing import Generic, TypeVar

from neardup.errors import NeardupError, UsageError
from neardup.options.values import ProgressCallback
from neardup.service.answers import problem_of

T = TypeVar("T")
WORKERS = 32
"""Number of threads. Those that write at the same time share one write to the disk."""


class ThreadPool:
    """Threads for work that waits for the disk, or takes more than a moment."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(WORKERS, "work")

    async def do(self, work: Callable[[], T]) -> T:
        """Run work in a thread, and wait for it. It continues to its end if no request waits any more."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)

    async def close(self) -> None:
        """Wait for all work that has begun."""
        await asyncio.to_thread(self._threads.shutdown)


THREADS = max(1, (cpu_count() or 1) // 2)
"""Number of threads that a long job takes; the other cores continue to answer."""
_log = logging.getLogger(__name__)


class Background(Generic[T]):
    """A job that is started, watched and started again; its last result is kept."""

    def __init__(self, threads: ThreadPool) -> None:
        self._threads = threads
        self._task: asyncio.Task[None] | None = None
        self._is_closed = False
        self.result: T | None = None
        """Result of the last job that succeeded."""
        self.problem = ""
        """Why the last job failed; empty if it did not."""
        self.phase = ""
        """Phase of the job under way."""
        self.done, self.total = 0, 0
        """Amount of the phase that is done, and its total; both 0 while they are not known."""

    @property
    def is_busy(self) -> bool:
        """Whether a job is under way."""
        return self._task is not None and not self._task.done()

    def start(self, job: Callable[[ProgressCallback], T]) -> None:
        """Start a job. Raises `UsageError` while another is under way."""
        if self.is_busy:
            raise UsageError("this is under way already")
        self.problem, self.phase, self.done, self.total = "", "", 0, 0
        self._task = asyncio.create_task(self._do(job))

    async def close(self) -> None:
        """Stop the job under way at its next report of progress, and wait for it."""
        self._is_closed = True
        if self._task is not None:
            await self._task

    async def _do(self, job: Callable[[ProgressCallback], T]) -> None:
        try:
            self.result = await self._threads.do(lambda: job(self._report))
        except NeardupError as error:
            self.problem = problem_of(error).detail
        except Exception:  # noqa: BLE001 - no caller waits for this task: the page shows the error
            _log.exception("work in the background failed")
            self.problem = "this failed; the log of the service says why"

    def _report(self, phase: str, done: int, total: int, _: int) -> None:
        if self._is_closed:
            raise UsageError("the service was stopped")
        self.phase, self.done, self.total = phase, done, total
