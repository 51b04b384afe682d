"""A document store that fails on demand, like one with a full disk or a killed process."""

from neardup import EnvironmentFault
from neardup.stores.sql import SqlStore
from neardup.stores.stored_document import Changes


class Failing:
    """Forwards all calls to a store, and refuses steps while `fails` is set."""

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
