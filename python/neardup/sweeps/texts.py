"""The distinct texts of a store, in an index that groups them into clusters and finds overlapping ones."""

from collections.abc import Collection, Iterable
from os import fspath
from pathlib import Path
from typing import NamedTuple

from neardup import _core
from neardup.errors import UsageError
from neardup.index.index import By, Index
from neardup.inputs.document import Document
from neardup.jobs.cluster import cluster
from neardup.schemes.number import Number
from neardup.sweeps.sightings import Sightings

_LOGGED = 512
"""Number of texts from which the index writes a segment; it compares those of its log again whenever it is opened. Of a
large index, a sixteenth of all texts."""
_MOST = 100_000
"""Largest number of texts that one query finds."""


class Matches(NamedTuple):
    """Ids of the texts that were found.

    `incomplete` says that some may be missing, because the text is short or very common.
    """

    ids: set[str]
    incomplete: bool


class Texts:
    """Texts by their ids, under one scheme; added texts are on the disk."""

    def __init__(self, folder: Path) -> None:
        """Open the texts in a folder."""
        path = fspath(folder)
        self._index = Index(_core.Index.open(path, flush_at=_LOGGED), path)

    @classmethod
    def create(cls, folder: Path, scheme: str) -> None:
        """Create a folder without texts. Raises `UsageError` for a scheme that an index cannot have."""
        tokens, features, *_ = scheme.split(" | ")
        # a text is found in another one that contains 16 of its shingles with probability 1 - (3/4)^16 = 0.99
        parts = f"{tokens} | {features} | moduli:4 | each cap=10000 over=star | containment>=0.5"
        try:
            Index.create(folder, scheme=scheme, parts=parts)
        except UsageError:
            # the creation of a store may have stopped here: an empty folder of the same scheme is used
            if not folder.is_dir() or (left := Index.open(folder)).scheme != scheme or len(left):
                raise

    def refresh(self) -> None:
        """Read what other processes have added since."""
        self._index.refresh()

    def settle(self) -> None:
        """Read all that is on the disk, as a writer.

        Of what a killed process left, a writer may see more than a reader.
        """
        self._index.expire()

    def add(self, documents: Iterable[Document]) -> int:
        """Add the documents with ids that are not there yet, and return their number.

        They have no URLs: of two texts of one URL the index would keep only the later one.
        """
        return len(self._index.add(one for one in documents if one.id not in self._index))

    def keep(self, ids: Collection[str]) -> None:
        """Remove all texts except those with these ids."""
        self._index.remove(str(one.id) for one in self._index if one.id not in ids)

    def get(self, name: str) -> str:
        """Return a text by its id."""
        return self._index.get(name).text

    def find(self, text: str, threshold: Number) -> Matches:
        """Find the texts that overlap with `text`.

        These are the texts near to it, those that contain at least a share `threshold` of its features, and those of
        whose features it contains at least that share.
        """
        questions: tuple[tuple[By, Number | None], ...] = (
            ("resemblance", None),
            ("containment", threshold),
            ("contained-by", threshold),
        )
        ids: set[str] = set()
        incomplete = False
        for by, least in questions:
            hits = self._index.query(text, by=by, threshold=least, limit=_MOST)
            ids.update(hit.id for hit in hits)
            incomplete |= hits.thin or hits.cut or len(hits) == _MOST
        return Matches(ids, incomplete)

    def cluster(self, name: str) -> list[str]:
        """Return the ids of all texts in the cluster of a text, ascending."""
        return self._index.cluster(name)

    def cluster_among(self, names: Iterable[str], name: str) -> list[str]:
        """Return the cluster that a text has if only the texts `names` exist, ascending."""
        documents = [Document(self.get(one), one) for one in names]
        table = cluster(documents, scheme=self._index.scheme).clusters
        found = dict(zip(table.column("id"), table.column("cluster"), strict=True))
        # a text that is not in the table is a cluster of its own
        return sorted(one for one in found if found[one] == found.get(name)) or [name]

    def __len__(self) -> int:
        return len(self._index)


class Clusters:
    """Clusters as they are in one state of the database.

    The index may be ahead of it: it may contain texts that no sweep refers to, because a sweep is being added, or its
    addition was interrupted. These texts connect nothing.
    """

    def __init__(self, sightings: Sightings, texts: Texts) -> None:
        self._sightings = sightings
        self._texts = texts
        self._is_ahead = len(texts) > sightings.count("text")
        self._found: dict[str, list[str]] = {}

    def of(self, name: str) -> list[str]:
        """Return the ids of all texts in the cluster of a text, ascending; the first names the cluster."""
        if name not in self._found:
            cluster = self._texts.cluster(name)
            if self._is_ahead and len(named := self._sightings.named(cluster)) < len(cluster):
                cluster = self._texts.cluster_among(named, name)
            self._found.update(dict.fromkeys(cluster, cluster))
        return self._found[name]
