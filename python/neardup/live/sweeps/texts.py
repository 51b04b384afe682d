"""The distinct texts of a store, in an index: grouped into clusters, and found again by what they share."""

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any, NamedTuple, cast

from neardup import _core
from neardup.document import Document
from neardup.errors import DataError

_TOGETHER = 10_000
"""Texts that are listed at once."""
_MOST = 100_000
"""Texts that one question finds, at most."""

# the stub of the core has no index yet
_Index: Any = cast(Any, _core).Index


class Matches(NamedTuple):
    """The ids of texts that were found, and whether some may be missing: of a text of few words, or a very common one."""

    ids: set[str]
    incomplete: bool


class Texts:
    """Texts by their ids, under one scheme; what is added is on the disk."""

    def __init__(self, folder: Path) -> None:
        """Open the texts in a folder."""
        self._index = _Index.open(str(folder))

    @classmethod
    def create(cls, folder: Path, scheme: str) -> "Texts":
        """Make the folder of texts, none yet; `UsageError` for a scheme that an index cannot have."""
        tokens, features, *_ = scheme.split(" | ")
        # a text is found in another that has 16 of its shingles with probability 1 - (3/4)^16 = 0.99
        parts = f"{tokens} | {features} | moduli:4 | each cap=1000 over=star | containment>=0.5"
        _Index.create(str(folder), scheme, parts, "first", None, None)
        return cls(folder)

    def refresh(self) -> None:
        """See what other processes added since."""
        self._index.refresh()

    def add(self, documents: Sequence[Document]) -> int:
        """Add documents with ids, but those that are there; count what was added."""
        # without URLs: of two texts of a URL the index would keep the later one
        fresh = [(one.id, one.text, None, None) for one in documents if self._index.get(one.id) is None]
        if fresh:
            self._index.add(fresh, 0)
        return len(fresh)

    def remove(self, ids: Collection[str]) -> None:
        """Remove texts by their ids."""
        if ids:
            self._index.remove(sorted(ids))

    def __len__(self) -> int:
        return len(self._index)

    def ids(self) -> set[str]:
        """Give the ids of all texts."""
        found: set[str] = set()
        start = 0
        while held := self._index.held(start, _TOGETHER):
            found.update(row[1] for row in held)
            start = held[-1][0] + 1
        return found

    def get(self, name: str) -> str:
        """Give a text by its id."""
        held = self._index.get(name)
        if held is None:
            raise DataError(f"the text {name} is missing from the store")
        return str(held[2])

    def find(self, text: str, threshold: str) -> Matches:
        """Find texts near to a text, and those that hold this share of its features or whose features it holds."""
        ids: set[str] = set()
        incomplete = False
        for by, least in (("scheme", None), ("containment", threshold), ("contained_by", threshold)):
            hits, thin, cut = self._index.query(text, by, least, _MOST)
            ids.update(hit[0] for hit in hits)
            incomplete |= thin or cut or len(hits) == _MOST
        return Matches(ids, incomplete)

    def cluster_of(self, name: str) -> str:
        """Give the cluster of a text: the smallest id in it."""
        return min(self.cluster(name))

    def cluster(self, name: str) -> list[str]:
        """Give the ids of all texts in the cluster of a text."""
        return list(self._index.cluster(name) or [name])
