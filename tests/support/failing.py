"""A document store that can be told to fail, as one does whose disk is full or whose process is killed."""

from neardup import EnvironmentFault
from neardup.stores.sql import SqlStore
from neardup.stores.stored_document import Changes


class Failing:
    """Passes everything on but the steps that it is to refuse."""

    def __init__(self, store: SqlStore) -> None:
        self.store, self.fails = store, False

    def __getattr__(self, name: str) -> object:
        return getattr(self.store, name)

    def __len__(self) -> int:
        return len(self.store)

    def apply(self, changes: Changes) -> None:
        if self.fails:
            raise EnvironmentFault("the disk is full")
        self.store.apply(changes)
