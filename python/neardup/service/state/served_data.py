"""What a service serves: an index, and what is beside it in its folder."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Iterable
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
from neardup.service.work.background import Workroom
from neardup.stores.sqlite import SqliteStore
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


DOCUMENTS = "documents.sqlite"
SWEEPS = "sweeps"
REVIEWS = "reviews"
LABELS = "labels.jsonl"


class ServedData:
    """The rooms of a folder: the index, in it or in `index`; the documents of a gate; sweeps; reviews.

    All may be asked by several threads at once.
    """

    def __init__(self, index: Index, folder: Path) -> None:
        """Hold an index, and whatever else is in the folder."""
        self.index = index
        """Decides, and answers what documents there are."""
        self.folder = folder
        store = folder / DOCUMENTS
        self.gate = Gate(index, SqliteStore(store)) if store.exists() else None
        """Keeps the documents in step with the index, where there is a gate."""

    @classmethod
    def open(cls, folder: str | PathLike[str], *, scheme: str | None = None, parts: str | None = None) -> "ServedData":
        """Open the folder of an index, a gate or a run; errors as `Index.open` has them."""
        return cls(Index.open(folder, scheme=scheme, parts=parts), Path(folder))

    @property
    def sweeps(self) -> Path:
        """Where a store of sweeps is, if there is one."""
        return self.folder / SWEEPS

    @property
    def reviews(self) -> Path:
        """Where reviews are, a folder each."""
        return self.folder / REVIEWS

    @property
    def labels(self) -> Path:
        """Where labels of the pairs in clusters are, once there are any."""
        return self.folder / LABELS

    def check(self, document: Document) -> Check:
        """Return what would come of a document."""
        return self.index.check(document)

    def admit(self, documents: Iterable[Document]) -> list[Admission]:
        """Take documents in, in this order; what is returned is on the disk."""
        return self.index.add(documents) if self.gate is None else self.gate.admit_all(documents)

    def remove(self, ids: Iterable[str]) -> Removal:
        """Remove documents."""
        return (self.gate or self.index).remove(ids)

    def refresh(self) -> None:
        """See what other processes have written since."""
        self.index.refresh()
        if self.gate is not None:
            self.gate.sync()

    def close(self) -> None:
        """Close what is open."""
        if self.gate is not None:
            self.gate.close()


SECONDS = 2.0
"""Between two looks."""
_log = logging.getLogger(__name__)


@asynccontextmanager
async def refreshing(served: ServedData, workroom: Workroom) -> AsyncIterator[None]:
    """Look again and again during the block."""
    looking = asyncio.create_task(_look(served, workroom))
    try:
        yield
    finally:
        looking.cancel()
        with suppress(asyncio.CancelledError):
            await looking


async def _look(served: ServedData, workroom: Workroom) -> None:
    while True:
        await asyncio.sleep(SECONDS)
        try:
            await workroom.do(served.refresh)
        except NeardupError as error:
            # a request is answered that this is not available now
            _log.error("the index cannot be looked at again: %s", error)
