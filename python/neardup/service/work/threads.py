"""Work that takes a while, in threads beside the one that answers."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")
THREADS = 32
"""At once; those that write share the writing to the disk."""


class Workroom:
    """Threads for work that waits for the disk, or takes more than a moment."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(THREADS, "work")

    async def do(self, work: Callable[[], T]) -> T:
        """Do it, and wait for it; what has begun goes on when nobody waits any more."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)

    async def close(self) -> None:
        """Wait for all that has begun."""
        await asyncio.to_thread(self._threads.shutdown)
