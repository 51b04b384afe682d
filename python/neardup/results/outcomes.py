"""Results of jobs."""

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from neardup import _core
from neardup.errors import DataError
from neardup.inputs.document import Document
from neardup.inputs.sources import RunResult

if TYPE_CHECKING:
    from pathlib import Path

K = TypeVar("K")


class Finished:
    """Result of every run: its summary, and its folder if it has one."""

    def __init__(self, result: RunResult, output: str | None) -> None:
        self._result = result
        self._output = output
        self.json = result.summary
        """The text of run.json."""

    def _table(self, name: str) -> _core.Table:
        """Return a table of the core, or one of Spark that has the same attributes."""
        return cast(_core.Table, self._result.table(name))

    # pathlib and json are imported on first use: a quiet run needs neither
    @cached_property
    def output(self) -> "Path | None":
        """The folder with the result files."""
        from pathlib import Path

        return None if self._output is None else Path(self._output)

    @cached_property
    def summary(self) -> dict[str, Any]:
        """The content of run.json (docs/reference/outputs.md)."""
        import json

        content: dict[str, Any] = json.loads(self.json)
        return content

    @property
    def digest(self) -> str:
        """The digest of the result, the same for any threads, chunks and memory."""
        return str(self.summary["digest"])


class Outcome(Finished):
    """Result of every run of a scheme."""

    @property
    def scheme(self) -> str:
        """The canonical scheme line of the job."""
        return str(self.summary["scheme"])

    @property
    def verified(self) -> bool:
        """Whether every pair was checked on the full features."""
        return bool(self.summary["verified"])

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.scheme!r} {self.summary['counts']}>"


class Deduplication(Outcome, Generic[K]):
    """Kept and dropped documents, and the reasons."""

    def __init__(self, result: RunResult, output: str | None, items: Sequence[str | Document] | None) -> None:
        super().__init__(result, output)
        self._items = items

    @property
    def decisions(self) -> _core.Table:
        """One row a document: verdict, original and the evidence (docs/reference/outputs.md)."""
        return self._table("decisions")

    @property
    def kept_rows(self) -> list[int]:
        """Positions, from 0, of the kept items of a list or of one Arrow table, in input order."""
        rows, verdicts = self.decisions.column("row"), self.decisions.column("verdict")
        return sorted(row - 1 for row, verdict in zip(rows, verdicts, strict=True) if verdict == "keep")

    @property
    def kept(self) -> K:
        """The kept documents, in the form of the input.

        Texts and documents are returned as a list in input order, an Arrow table as a table with all its columns, files
        as the folder with the kept ones. None if there is no such folder, and for several tables.
        """
        kept: object = None
        if self._items is not None:
            kept = [self._items[row] for row in self.kept_rows]
        elif "kept" in self._result.tables:
            kept = self._result.table("kept")
        elif self.output is not None and (self.output / "kept").is_dir():
            kept = self.output / "kept"
        return cast(K, kept)


class Clustering(Outcome):
    """Clusters of documents that belong together."""

    @property
    def clusters(self) -> _core.Table:
        """One row a document: cluster, leader and the evidence (docs/reference/outputs.md)."""
        return self._table("clusters")

    @property
    def forest(self) -> _core.Table:
        """The maximum spanning forest of the pairs, in rows like theirs; `UsageError` if it was not requested."""
        return self._table("forest")

    @property
    def pairs(self) -> _core.Table:
        """One row a pair, as `find_pairs` lists them; `UsageError` if they were not requested."""
        return self._table("pairs")


class Sketching(Outcome):
    """Values of a signature for every document."""

    @property
    def sketches(self) -> _core.Table:
        """One row a document: its features, and the values of the signature (docs/reference/outputs.md)."""
        return self._table("sketches")


class PairList(Outcome):
    """Pairs of documents that are alike."""

    @property
    def pairs(self) -> _core.Table:
        """One row a pair: rule, exact counts, resemblance and containments (docs/reference/outputs.md)."""
        return self._table("pairs")

    @property
    def passages(self) -> _core.Table:
        """One row a passage that the documents of a pair share; `UsageError` if they were not requested."""
        return self._table("passages")


class Evidence(Outcome):
    """Passages that the documents of pairs share."""

    @property
    def passages(self) -> _core.Table:
        """One row a passage that the documents of a pair share (docs/reference/outputs.md)."""
        return self._table("passages")


class PassageList(Finished, Generic[K]):
    """Passages that occur at several places, and the text that is cut."""

    def __init__(self, result: RunResult, output: str | None, items: Sequence[str | Document] | None) -> None:
        super().__init__(result, output)
        self._items = items

    @property
    def passages(self) -> _core.Table:
        """One row a passage at a later place, with its original (docs/reference/outputs.md)."""
        return self._table("passages")

    @property
    def repeated(self) -> _core.Table:
        """One row a distinct passage, the most repeated first: its number of occurrences, and its first place."""
        return self._table("repeated")

    @property
    def removed(self) -> _core.Table:
        """One row a run of text that is cut."""
        return self._table("removed")

    @property
    def changed(self) -> _core.Table:
        """One row a document that is cut or dropped."""
        return self._table("changed")

    @property
    def kept(self) -> K:
        """The kept documents, after the cut, in the form of the input.

        Texts and documents are returned as a list in input order, files as the folder with the kept ones. None if there
        is no such folder, and for tables.
        """
        kept: object = None
        if self._items is not None:
            kept = self._cut_items(self._items)
        elif self.output is not None and (self.output / "kept").is_dir():
            kept = self.output / "kept"
        return cast(K, kept)

    def _cut_items(self, items: Sequence[str | Document]) -> list[str | Document]:
        changed, removed = self.changed, self.removed
        gaps: dict[str, list[tuple[int, int, bool]]] = {}
        columns = (removed.column(name) for name in ("id", "char_start", "char_end", "line_feed"))
        for key, start, end, feed in zip(*columns, strict=True):
            gaps.setdefault(key, []).append((start, end, feed))
        cut: dict[int, str | None] = {}
        for key, row, verdict in zip(*(changed.column(name) for name in ("id", "row", "verdict")), strict=True):
            item = items[row - 1]
            text = item if isinstance(item, str) else item.text
            cut[row - 1] = None if verdict == "drop" else _leave_out(text, gaps[key])
        cut |= dict.fromkeys(self._rejected())
        kept: list[str | Document] = []
        for row, item in enumerate(items):
            text_left = cut.get(row, "")
            if row not in cut:
                kept.append(item)
            elif text_left is not None:
                kept.append(text_left if isinstance(item, str) else item._replace(text=text_left))
        return kept

    def _rejected(self) -> list[int]:
        """Return the positions, from 0, of the items that could not be used."""
        import json

        if self.output is None:
            return [row - 1 for row in self._result.table("rejects").column("row")]
        path = self.output / "rejects.jsonl"
        try:
            # not `splitlines`: an excerpt may have a line separator that JSON does not escape
            lines = path.read_text(encoding="utf-8").split("\n") if path.exists() else []
            return [json.loads(line)["row"] - 1 for line in lines if line]
        except (OSError, ValueError, LookupError, TypeError) as error:
            raise DataError(f"{path} is not as the run wrote it: {error}") from None

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.summary['tokens']} {self.summary['unit']} {self.summary['counts']}>"


def _leave_out(text: str, gaps: list[tuple[int, int, bool]]) -> str:
    """Remove the gaps, which are in order, from a text; a line feed takes the place of one that asks for it."""
    left, done = "", 0
    for start, end, feed in gaps:
        left += text[done:start] + ("\n" if feed else "")
        done = end
    return left + text[done:]
