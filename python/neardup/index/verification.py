"""Comparison of a document store with its index."""

from neardup._core import Index, to_micros
from neardup.errors import DamagedStore
from neardup.inputs.document import iterate_rows
from neardup.stores.sql import SqlStore
from neardup.stores.stored_document import StoredDocument


def verify_store(index: Index, store: SqlStore) -> None:
    """Check that a store contains the documents of its index, with their roles, and that its search has them.

    Nothing may be written meanwhile. `DamagedStore` names the first document that differs.
    """
    store.verify()
    count = 0
    for _, name, text, url, time, original in iterate_rows(index):
        found = store.get(name)
        if found is None or _fields(found) != (text, url, _micros(time), original):
            raise DamagedStore(f"{store.place}: damaged: document {name!r} is not what the index says: {store.cure}")
        count += 1
    if len(store) != count:
        difference = f"it has {len(store):,} documents, and its index {count:,}"
        raise DamagedStore(f"{store.place}: damaged: {difference}: {store.cure}")


def _fields(document: StoredDocument) -> tuple[str, str | None, int | None, str]:
    return document.text, document.url, _micros(document.time), document.original


def _micros(time: int | str | None) -> int | None:
    return None if time is None else to_micros(time)
