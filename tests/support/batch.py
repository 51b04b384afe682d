"""The results that an index must return, computed by the batch jobs `dedup` and `cluster` over its documents."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from neardup import Document, Index, _core, cluster, dedup

EVIDENCE = ("rule", "shared", "id_size", "original_size", "verified")


def reopen(index: Index, flush_at: int) -> Index:
    """Reopen an index so that it flushes a segment after `flush_at` documents."""
    return Index(_core.Index.open(index.folder, flush_at=flush_at), index.folder)


def create(folder: Path, flush_at: int = 5, **options: Any) -> Index:
    return reopen(Index.create(folder, **options), flush_at)


def held_by(index: Index) -> dict[str, Document]:
    """Return the documents of an index by name, in order of arrival; those that were added without an id have none."""
    documents = {str(document.id): document for document in index}
    return {name: document._replace(id=None) if name[0] == "#" else document for name, document in documents.items()}


def check_same(index: Index, held: dict[str, Document], keep: str) -> None:
    """Compare every verdict, group and cluster of an index with the batch jobs over the same documents.

    `held` contains the documents by name, in order of arrival. Under `first` that order decides, so the names serve as
    ids. Under `earliest` either all documents have an id or none has.
    """
    options: dict[str, Any] = {"scheme": index.scheme, "keep": keep}
    decisions = decide(held, **options)
    assert [document.id for document in index] == list(held)
    sizes: dict[str, int] = {}
    for name, row in decisions.items():
        verdict = index.verdict(name)
        assert (verdict.id, verdict.original) == (name, row["original"]), (name, row)
        if not verdict.kept:
            assert [getattr(verdict, key) for key in EVIDENCE] == [row[key] for key in EVIDENCE], (name, row)
        assert verdict.rule == row["rule"]
        sizes[row["original"]] = sizes.get(row["original"], 0) + 1
        assert len(index.group(name)) == row["group_size"]
    for original in sizes:
        members = sorted(name for name, row in decisions.items() if row["original"] == original and name != original)
        assert index.group(original) == [original, *members]
    named = [document._replace(id=name) for name, document in held.items()]
    components = rows_of(cluster(named, **options).clusters, list(held))
    for name, row in components.items():
        members = index.cluster(name)
        assert (members[0], len(members)) == (row["cluster"], row["size"])
        assert name in members


def decide(held: dict[str, Document], **options: Any) -> dict[str, dict[str, Any]]:
    """Return the rows of a batch run by the names of the documents; `held` is as in `check_same`."""
    documents: Iterable[Document] = held.values()
    if options["keep"] == "first" or all(document.id is not None for document in held.values()):
        documents = [document._replace(id=name) for name, document in held.items()]
    return rows_of(dedup(list(documents), **options).decisions, list(held))


def count_kept(held: dict[str, Document], **options: Any) -> int:
    """Return the number of documents that a batch run keeps; the arguments are as in `decide`."""
    return sum(row["original"] == name for name, row in decide(held, **options).items())


def rows_of(table: Any, names: list[str]) -> dict[str, dict[str, Any]]:
    """Return the rows of a result by document name, in order of arrival; ids in the rows become names, too."""
    columns = {column: table.column(column) for column in table.column_names}
    rows = [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]
    # Cluster rows are in input order already; decisions have a row number to sort by.
    if rows and "row" in rows[0]:
        rows.sort(key=lambda row: row["row"])
    name_of = {row["id"]: name for row, name in zip(rows, names, strict=True)}
    for row in rows:
        for column in ("id", "original", "cluster", "leader"):
            if column in row:
                row[column] = name_of[row[column]]
    return {row["id"]: row for row in rows}
