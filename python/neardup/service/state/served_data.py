"""The data of a service: an index, and what is beside it in its folder."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Generator, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from os import PathLike
from pathlib import Path
from typing import TypeVar

from neardup.errors import DamagedIndex, DataError, NeardupError
from neardup.gate.gate import Gate
from neardup.index.index import Index
from neardup.index.verdict import Admission, Check, Removal
from neardup.inputs.document import Document
from neardup.service.answers import Refusal
from neardup.service.work.background import ThreadPool
from neardup.stores.sql import SqlStore
from neardup.stores.sqlite import SqliteStore
from neardup.sweeps.store import SweepStore, is_store

T = TypeVar("T")


class LazySweepStore:
    """A store of sweeps that is opened when it is first used."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._thread = ThreadPoolExecutor(1, "sweeps")
        self._store: SweepStore | None = None

    @property
    def exists(self) -> bool:
        """Whether there is a store."""
        return is_store(self._folder)

    async def ask(self, question: Callable[[SweepStore], T]) -> T:
        """Query the store; 404 if there is none, and for a URL that is in no sweep."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._ask, question)

    async def stream(self, pieces: Iterator[T]) -> AsyncIterator[T]:
        """Yield what an answer of the store yields, piece by piece, between other queries."""
        try:
            while (piece := await self.ask(lambda _: next(pieces, None))) is not None:
                yield piece
        finally:
            # a reader that leaves cancels this; the database of the answer is closed all the same
            if isinstance(pieces, Generator):
                await asyncio.shield(self.ask(lambda _: pieces.close()))

    async def close(self) -> None:
        """Close the store after the queries under way."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._close)
        self._thread.shutdown()

    def _close(self) -> None:
        if self._store is not None:
            self._store.close()

    def _ask(self, question: Callable[[SweepStore], T]) -> T:
        if self._store is None:
            if not self.exists:
                raise Refusal(404, "there are no sweeps here: `neardup sweep add STORE/sweeps ...` makes them")
            self._store = SweepStore(self._folder)
        try:
            return question(self._store)
        except DamagedIndex:
            raise
        except DataError as error:
            raise Refusal(404, str(error)) from None


DOCUMENTS = "documents.sqlite"
SWEEPS = "sweeps"
REVIEWS = "reviews"
LABELS = "labels.jsonl"


class ServedData:
    """The contents of a folder: the index, in it or in `index`; the documents of a gate; sweeps; reviews.

    Several threads may use it at once.
    """

    def __init__(self, index: Index, folder: Path, gate: Gate | None = None) -> None:
        """Take an index and its gate; without one, open the gate in the folder if there is one."""
        self.index = index
        """Decides about documents, and returns them."""
        self.folder = folder
        store = folder / DOCUMENTS
        self.gate = gate or (Gate(index, SqliteStore(store)) if store.exists() else None)
        """Keeps the document store in step with the index; None if there is no gate."""

    @classmethod
    def open(cls, folder: str | PathLike[str], *, scheme: str | None = None, parts: str | None = None) -> "ServedData":
        """Open the folder of an index, a gate or a run. Raises the errors of `Index.open`."""
        return cls.of(Index.open(folder, scheme=scheme, parts=parts), folder)

    @classmethod
    def of(cls, opened: Index | Gate, folder: str | PathLike[str]) -> "ServedData":
        """Take what was opened of a folder: its index, or its gate."""
        if isinstance(opened, Gate):
            return cls(opened.index, Path(folder), opened)
        return cls(opened, Path(folder))

    @property
    def searched_store(self) -> SqlStore | None:
        """The store of the gate, if it has a search."""
        return self.gate.store if self.gate is not None and isinstance(self.gate.store, SqlStore) else None

    @property
    def sweeps(self) -> Path:
        """The folder of the store of sweeps, if there is one."""
        return self.folder / SWEEPS

    @property
    def reviews(self) -> Path:
        """The folder of reviews, each in a folder of its own."""
        return self.folder / REVIEWS

    @property
    def labels(self) -> Path:
        """The file of labels of pairs in clusters, once there are any."""
        return self.folder / LABELS

    def check(self, document: Document) -> Check:
        """Return what the index would decide about a document."""
        return self.index.check(document)

    def admit(self, documents: Iterable[Document]) -> list[Admission]:
        """Admit documents, in this order; they are on the disk when this returns."""
        return self.index.add(documents) if self.gate is None else self.gate.admit_all(documents)

    def remove(self, ids: Iterable[str]) -> Removal:
        """Remove documents."""
        return (self.gate or self.index).remove(ids)

    def refresh(self) -> None:
        """Read what other processes have written since."""
        self.index.refresh()
        if self.gate is not None:
            self.gate.sync()

    def close(self) -> None:
        """Close what is open."""
        if self.gate is not None:
            self.gate.close()


SECONDS = 2.0
"""Number of seconds between two refreshes."""
_log = logging.getLogger(__name__)


@asynccontextmanager
async def refreshing(served: ServedData, threads: ThreadPool) -> AsyncIterator[None]:
    """Refresh the data again and again during the block."""
    refresh_task = asyncio.create_task(_refresh_regularly(served, threads))
    try:
        yield
    finally:
        refresh_task.cancel()
        with suppress(asyncio.CancelledError):
            await refresh_task


async def _refresh_regularly(served: ServedData, threads: ThreadPool) -> None:
    while True:
        await asyncio.sleep(SECONDS)
        try:
            await threads.do(served.refresh)
        except NeardupError as error:
            # requests are answered that the data is not available now
            _log.error("the index cannot be looked at again: %s", error)
