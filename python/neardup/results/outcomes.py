"""Results of jobs, by verb."""

from typing import Generic, TypeVar, cast

from neardup.errors import DataError, UsageError
from neardup.inputs.form import TEXT, Form, Gap, KeptRows
from neardup.inputs.groups import TableGroup
from neardup.inputs.sources import RunResult
from neardup.results.finished import Finished, Outcome
from neardup.table import Table

K = TypeVar("K")


class Deduplication(Outcome, Generic[K]):
    """Kept and dropped documents, and the reasons."""

    main = "decisions"

    def __init__(self, result: RunResult, output: str | None, form: Form | None) -> None:
        super().__init__(result, output)
        self._form = form

    @property
    def decisions(self) -> Table:
        """One row a document: verdict, original and the evidence (docs/reference/outputs.md)."""
        return self._table("decisions")

    @property
    def kept_rows(self) -> list[int]:
        """Positions, from 0, of the kept items of a list or of one table, in input order.

        Raises `UsageError` for several tables: their decisions have source and row.
        """
        if isinstance(self._form, TableGroup):
            raise UsageError("there are several tables, each with rows of its own: see source and row of the decisions")
        rows = zip(self.decisions.column("row"), self.decisions.column("verdict"), strict=True)
        return sorted(row - 1 for row, verdict in rows if verdict == "keep")

    @property
    def kept(self) -> K:
        """The kept documents, in the form of the input.

        Texts, documents and records are returned as a list in input order; a table as a table of the same library with
        all its columns; several tables as a list or a mapping of these; files as the folder with the kept ones. None if
        there is no such folder, and for an index.
        """
        kept: object = None
        if self._form is not None:
            kept = self._form.keep(self._kept_rows())
        elif "kept" in self._result.tables:
            kept = self._result.table("kept")
        elif self.output is not None and (self.output / "kept").is_dir():
            kept = self.output / "kept"
        return cast(K, kept)

    def _kept_rows(self) -> dict[str, KeptRows]:
        rows: dict[str, list[int]] = {}
        columns = (self.decisions.column(name) for name in ("source", "row", "verdict"))
        for source, row, verdict in zip(*columns, strict=True):
            if verdict == "keep":
                rows.setdefault(source, []).append(row - 1)
        return {source: KeptRows(sorted(own)) for source, own in rows.items()}


class Clustering(Outcome):
    """Clusters of documents that belong together."""

    main = "clusters"

    @property
    def clusters(self) -> Table:
        """One row a document: cluster, leader and the evidence (docs/reference/outputs.md)."""
        return self._table("clusters")

    @property
    def forest(self) -> Table:
        """The maximum spanning forest of the pairs, in rows like theirs; `UsageError` if it was not requested."""
        return self._table("forest")

    @property
    def pairs(self) -> Table:
        """One row a pair, as `find_pairs` lists them; `UsageError` if they were not requested."""
        return self._table("pairs")


class Sketching(Outcome):
    """Values of a signature for every document."""

    main = "sketches"

    @property
    def sketches(self) -> Table:
        """One row a document: its features, and the values of the signature (docs/reference/outputs.md)."""
        return self._table("sketches")


class PairList(Outcome):
    """Pairs of documents that are alike."""

    main = "pairs"

    @property
    def pairs(self) -> Table:
        """One row a pair: rule, exact counts, resemblance and containments (docs/reference/outputs.md)."""
        return self._table("pairs")

    @property
    def passages(self) -> Table:
        """One row a passage that the documents of a pair share; `UsageError` if they were not requested."""
        return self._table("passages")


class Evidence(Outcome):
    """Passages that the documents of pairs share."""

    main = "passages"

    @property
    def passages(self) -> Table:
        """One row a passage that the documents of a pair share (docs/reference/outputs.md)."""
        return self._table("passages")


class PassageList(Finished, Generic[K]):
    """Passages that occur at several places, and the text that is cut."""

    main = "passages"

    def __init__(self, result: RunResult, output: str | None, form: Form | None, field: str = TEXT) -> None:
        super().__init__(result, output)
        self._form = form
        self._field = field
        """The field of the text."""

    @property
    def passages(self) -> Table:
        """One row a passage at a later place, with its original (docs/reference/outputs.md)."""
        return self._table("passages")

    @property
    def repeated(self) -> Table:
        """One row a distinct passage, the most repeated first: its number of occurrences, and its first place."""
        return self._table("repeated")

    @property
    def removed(self) -> Table:
        """One row a run of text that is cut."""
        return self._table("removed")

    @property
    def changed(self) -> Table:
        """One row a document that is cut or dropped."""
        return self._table("changed")

    @property
    def kept(self) -> K:
        """The kept documents, after the cut, in the form of the input.

        Texts, documents and records are returned as a list in input order; a table as a table of the same library;
        several tables as a list or a mapping of these; files as the folder with the kept ones. None if there is no such
        folder, for an index, and for texts that cannot be cut where they are, which only `no_kept` allows.
        """
        kept: object = None
        if self._form is not None:
            kept = self._form.keep(self._kept_rows(self._form))
        elif self.output is not None and (self.output / "kept").is_dir():
            kept = self.output / "kept"
        return cast(K, kept)

    def _kept_rows(self, form: Form) -> dict[str, KeptRows]:
        """Return the rows that stay, by source, with the texts that are left of those that were cut."""
        changed, removed = self.changed, self.removed
        gaps: dict[str, list[Gap]] = {}
        columns = (removed.column(name) for name in ("id", "char_start", "char_end", "line_feed"))
        for key, start, end, line_feed in zip(*columns, strict=True):
            gaps.setdefault(key, []).append(Gap(start, end, line_feed))
        cut: dict[str, dict[int, list[Gap]]] = {source: {} for source in form.counts}
        dropped: dict[str, set[int]] = {source: set() for source in form.counts}
        for source, row in self._rejected():
            dropped[source].add(row - 1)
        for key, source, row, verdict in zip(*map(changed.column, ("id", "source", "row", "verdict")), strict=True):
            if verdict == "drop":
                dropped[source].add(row - 1)
            else:
                cut[source][row - 1] = gaps[key]
        return {
            source: KeptRows([row for row in range(count) if row not in dropped[source]], self._field, cut[source])
            for source, count in form.counts.items()
        }

    def _rejected(self) -> list[tuple[str, int]]:
        """Return source and row, from 1, of the items that could not be used."""
        import json

        if self.output is None:
            rejects = self._table("rejects")
            return list(zip(rejects.column("source"), rejects.column("row"), strict=True))
        path = self.output / "rejects.jsonl"
        try:
            # not `splitlines`: an excerpt may have a line separator that JSON does not escape
            lines = path.read_text(encoding="utf-8").split("\n") if path.exists() else []
            rejected = [json.loads(line) for line in lines if line]
            return [(str(one["source"]), int(one["row"])) for one in rejected]
        except (OSError, ValueError, LookupError, TypeError) as error:
            raise DataError(f"{path} is not as the run wrote it: {error}") from None

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.summary['tokens']} {self.summary['unit']} {self.summary['counts']}>"
