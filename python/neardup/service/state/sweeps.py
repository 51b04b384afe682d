"""The sweeps of a service, which one thread asks, as a store of sweeps wants it."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from neardup.errors import DamagedIndex, DataError
from neardup.service.answers.problem import Refusal
from neardup.sweeps.store import SweepStore, is_store

T = TypeVar("T")


class SweepRoom:
    """A store of sweeps that is opened when it is first asked."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._thread = ThreadPoolExecutor(1, "sweeps")
        self._store: SweepStore | None = None

    @property
    def is_there(self) -> bool:
        """Whether there is a store."""
        return is_store(self._folder)

    async def ask(self, question: Callable[[SweepStore], T]) -> T:
        """Ask the store; 404 where there is none, and for a URL that no sweep saw."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._ask, question)

    async def close(self) -> None:
        """Close the store when what was asked is answered."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._close)
        self._thread.shutdown()

    def _close(self) -> None:
        if self._store is not None:
            self._store.close()

    def _ask(self, question: Callable[[SweepStore], T]) -> T:
        if self._store is None:
            if not self.is_there:
                raise Refusal(404, "there are no sweeps here: `neardup sweep add STORE/sweeps ...` makes them")
            self._store = SweepStore(self._folder)
        try:
            return question(self._store)
        except DamagedIndex:
            raise
        except DataError as error:
            raise Refusal(404, str(error)) from None
