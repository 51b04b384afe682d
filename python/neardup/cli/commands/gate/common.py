"""Code that the commands of a gate share."""

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from neardup.errors import EnvironmentFault

if TYPE_CHECKING:
    from neardup.gate.gate import Gate
    from neardup.index.index import Index
    from neardup.stores.sql import SqlStore


def open_gate(folder: str, scheme: str | None, parts_scheme: str | None, store: str | None, schema: str) -> "Gate":
    """Open the gate in a folder; `EnvironmentFault` if there is none."""
    require_gate(folder)
    return join_gate(folder, store, schema, scheme=scheme, parts=parts_scheme)


def join_gate(folder: str, store: str | None, schema: str, **setup: Any) -> "Gate":
    """Open the gate of a folder, or make one."""
    from neardup.gate.gate import Gate

    if store is None:
        return Gate.open(folder, **setup)
    database = open_database(store, schema)
    try:
        return Gate.open(folder, store=database, **setup)
    except BaseException:
        database.close()
        raise


def open_index_of(folder: str, scheme: str | None, parts_scheme: str | None) -> "Index":
    """Open the index of a gate."""
    from neardup.index.index import Index
    from neardup.index.orphans import refuse_orphans

    place = Path(folder) / "index"
    refuse_orphans(place)
    require_gate(folder)
    return Index.open(place, scheme=scheme, parts=parts_scheme)


def require_gate(folder: str) -> None:
    """Raise `EnvironmentFault` if there is no gate in a folder, nor its documents."""
    from neardup.index.orphans import has_index_or_remains

    if not has_index_or_remains(Path(folder) / "index") and not store_of(folder).exists():
        raise EnvironmentFault(f"{folder}: there is no gate here: `neardup gate create {folder}` makes one")


def store_of(folder: str) -> Path:
    """Return the file of the store in the folder of a gate; `UsageError` for the database of another program."""
    from neardup.index.orphans import DOCUMENTS
    from neardup.stores.others import refuse_others

    store = Path(folder) / DOCUMENTS
    refuse_others(store)
    return store


def open_database(store: str, schema: str) -> "SqlStore":
    """Open the store in a database of PostgreSQL; `EnvironmentFault` if its library is missing."""
    try:
        from neardup.stores.postgres import open_store
    except ImportError as error:
        raise EnvironmentFault("PostgreSQL needs an extra library: pip install 'neardup[postgres]'") from error
    return open_store(store, schema)


def describe_store(index: "Index", store: "SqlStore") -> dict[str, Any]:
    """Return the place of a store, its number of documents, and the number of steps of the index that it lacks."""
    with closing(store):
        behind = index.position - store.position()
        return {"place": store.place, "documents": len(store), "behind": behind}
