"""The distinct texts of a store: kept, grouped into clusters, and found again by what they share."""

import sqlite3
from collections.abc import Collection, Iterable, Sequence
from functools import cached_property
from pathlib import Path

from neardup.document import Document
from neardup.errors import DataError
from neardup.pipeline import cluster, find_pairs


class Texts:
    """Texts by their ids, under one scheme.

    Clusters are made when they are asked for, from all texts.
    """

    def __init__(self, folder: Path, scheme: str) -> None:
        """Open the texts in a folder; they are made when there are none."""
        folder.mkdir(exist_ok=True)
        self._scheme = scheme
        self._rows = sqlite3.connect(folder / "texts.sqlite", isolation_level=None)
        self._rows.execute("CREATE TABLE IF NOT EXISTS text (id TEXT PRIMARY KEY, text TEXT NOT NULL) WITHOUT ROWID")

    def close(self) -> None:
        """Close the files."""
        self._rows.close()

    def add(self, documents: Iterable[Document]) -> None:
        """Add documents with ids; those that are there already change nothing."""
        rows = [(document.id, document.text) for document in documents]
        self._change("INSERT OR IGNORE INTO text VALUES (?, ?)", rows)

    def remove(self, ids: Collection[str]) -> None:
        """Remove texts by their ids."""
        self._change("DELETE FROM text WHERE id = ?", [(one,) for one in ids])

    def _change(self, statement: str, rows: Sequence[tuple[str | None, ...]]) -> None:
        if rows:
            self._rows.execute("BEGIN IMMEDIATE")
            self._rows.executemany(statement, rows)
            self._rows.execute("COMMIT")
            self.__dict__.pop("_clusters", None)

    def __len__(self) -> int:
        return int(self._rows.execute("SELECT count(*) FROM text").fetchone()[0])

    def ids(self) -> set[str]:
        """Give the ids of all texts."""
        return {row[0] for row in self._rows.execute("SELECT id FROM text")}

    def get(self, name: str) -> str:
        """Give a text by its id."""
        row = self._rows.execute("SELECT text FROM text WHERE id = ?", (name,)).fetchone()
        if row is None:
            raise DataError(f"the text {name} is missing from the store")
        return str(row[0])

    def find(self, text: str, threshold: str) -> set[str]:
        """Give the ids of texts that hold at least this share of a text's features, or whose features it holds."""
        documents = self._documents()
        if not documents:
            return set()
        tokens, features, *_ = self._scheme.split(" | ")
        keys = "whole | each cap=1000 over=drop"
        line = f"{tokens} | {features} | {keys} | containment>={threshold}"
        return set(find_pairs([Document(text, "")], against=documents, scheme=line).pairs.column("right"))

    def cluster_of(self, name: str) -> str:
        """Give the cluster of a text: the smallest id in it."""
        return self._clusters.get(name, name)

    def cluster(self, name: str) -> list[str]:
        """Give the ids of a cluster by its smallest id, in order."""
        return sorted({name, *(one for one, other in self._clusters.items() if other == name)})

    @cached_property
    def _clusters(self) -> dict[str, str]:
        documents = self._documents()
        if not documents:
            return {}
        found = cluster(documents, scheme=self._scheme).clusters
        return dict(zip(found.column("id"), found.column("cluster"), strict=True))

    def _documents(self) -> list[Document]:
        return [Document(text, name) for name, text in self._rows.execute("SELECT id, text FROM text ORDER BY id")]
