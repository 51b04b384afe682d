"""Long work in the background, of which one is under way at a time."""

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
"""At once; those that write share the writing to the disk."""


class Workroom:
    """Threads for work that waits for the disk, or takes more than a moment."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(WORKERS, "work")

    async def do(self, work: Callable[[], T]) -> T:
        """Do it, and wait for it; what has begun continues when no request waits any more."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)

    async def close(self) -> None:
        """Wait for all that has begun."""
        await asyncio.to_thread(self._threads.shutdown)


THREADS = max(1, (cpu_count() or 1) // 2)
"""That long work takes; the others continue answering."""
_log = logging.getLogger(__name__)


class Background(Generic[T]):
    """A job that is started, watched and started again; what it came to last is kept."""

    def __init__(self, workroom: Workroom) -> None:
        self._workroom = workroom
        self._task: asyncio.Task[None] | None = None
        self._is_closed = False
        self.result: T | None = None
        """What the last one came to that ended well."""
        self.problem = ""
        """Why the last one failed; empty when it did not."""
        self.phase = ""
        """What the one under way does."""
        self.done, self.total = 0, 0
        """How much of the phase is done, and of how much; 0 of 0 while nothing is known."""

    @property
    def is_busy(self) -> bool:
        """Whether one is under way."""
        return self._task is not None and not self._task.done()

    def start(self, job: Callable[[ProgressCallback], T]) -> None:
        """Start one; `UsageError` while another is under way."""
        if self.is_busy:
            raise UsageError("this is under way already")
        self.problem, self.phase, self.done, self.total = "", "", 0, 0
        self._task = asyncio.create_task(self._do(job))

    async def close(self) -> None:
        """Stop the one under way, as soon as it says how far it is."""
        self._is_closed = True
        if self._task is not None:
            await self._task

    async def _do(self, job: Callable[[ProgressCallback], T]) -> None:
        try:
            self.result = await self._workroom.do(lambda: job(self._move))
        except NeardupError as error:
            self.problem = problem_of(error).detail
        except Exception:  # noqa: BLE001 - no caller waits for this task: the page shows the error
            _log.exception("work in the background failed")
            self.problem = "this failed; the log of the service says why"

    def _move(self, phase: str, done: int, total: int, _: int) -> None:
        if self._is_closed:
            raise UsageError("the service was stopped")
        self.phase, self.done, self.total = phase, done, total
