"""Orphans: the documents of a gate whose index is gone."""

from pathlib import Path

from neardup import _core
from neardup.errors import DamagedIndex
from neardup.stores.salvage import read_owner

DOCUMENTS = "documents.sqlite"
"""File of the store of a gate, beside its index or in it."""


def refuse_orphans(index: Path) -> None:
    """Raise `DamagedIndex` if an index or its manifest is gone, while its documents or files are still there.

    A new, empty index in its place would be another one, and would exclude the documents.
    """
    if has_lost_its_manifest(index):
        raise DamagedIndex(
            f"{index}: damaged: manifest.json and its copy are missing: run neardup index repair {index}; "
            "an index that is not of a gate needs --scheme there, as it was created with"
        )
    store = index.parent / DOCUMENTS
    # another process may be making the gate: its index exists before its store has an owner
    if not index_exists(index) and read_owner(store) is not None and not index_exists(index):
        raise DamagedIndex(
            f"{index}: there is no index here, but its documents are in {store}: "
            f"`neardup index repair {index.parent}` makes it anew from them"
        )


def has_lost_its_manifest(index: Path) -> bool:
    """Whether files of an index are there without a manifest, which says how it was made."""
    return _core.Repair.remains_in(str(index))


def has_index_or_remains(index: Path) -> bool:
    """Whether an index is there, with its manifest or without."""
    return index_exists(index) or has_lost_its_manifest(index)


def index_exists(index: Path) -> bool:
    """Whether an index is there, however damaged."""
    return _core.Repair.exists_in(str(index))
