"""What a service serves: an index, and what stands beside it in its folder."""

from collections.abc import Iterable
from os import PathLike
from pathlib import Path

from neardup.gate.gate import Gate
from neardup.index.index import Index
from neardup.index.verdict import Admission, Check, Removal
from neardup.inputs.document import Document
from neardup.stores.sqlite import SqliteStore

DOCUMENTS = "documents.sqlite"
SWEEPS = "sweeps"
REVIEWS = "reviews"
LABELS = "labels.jsonl"


class Holdings:
    """The rooms of a folder: the index, in it or in `index`; the documents of a gate; sweeps; reviews.

    All may be asked by several threads at once.
    """

    def __init__(self, index: Index, folder: Path) -> None:
        """Hold an index, and whatever else stands in the folder."""
        self.index = index
        """Decides, and answers what documents there are."""
        self.folder = folder
        store = folder / DOCUMENTS
        self.gate = Gate(index, SqliteStore(store)) if store.exists() else None
        """Keeps the documents in step with the index, where there is a gate."""

    @classmethod
    def open(cls, folder: str | PathLike[str], *, scheme: str | None = None, parts: str | None = None) -> "Holdings":
        """Open the folder of an index, a gate or a run; errors as `Index.open` has them."""
        return cls(Index.open(folder, scheme=scheme, parts=parts), Path(folder))

    @property
    def sweeps(self) -> Path:
        """Where a store of sweeps stands, if there is one."""
        return self.folder / SWEEPS

    @property
    def reviews(self) -> Path:
        """Where reviews stand, a folder each."""
        return self.folder / REVIEWS

    @property
    def labels(self) -> Path:
        """Where labels of the pairs in clusters stand, once there are any."""
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
