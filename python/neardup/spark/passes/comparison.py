"""Comparing: texts are sent to the tasks that need them, which run the verbs of the pass."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pyspark.sql import DataFrame

from neardup.spark.passes.one_pass import Common
from neardup.spark.passes.tasks import Compare

if TYPE_CHECKING:
    from neardup.spark.frames.documents import Documents
    from neardup.spark.passes.one_pass import Pass, Verb
    from neardup.spark.session.operations import SparkOperations

FIELDS = ("scheme", "text_field", "html_field", "main_content", "extractor", "max_family", "memory")
"""Options that matter here: documents are in policy order already, so that no field decides it."""


@dataclass(frozen=True)
class Comparing:
    """Comparison of the documents of one pass."""

    engine: "SparkOperations"
    documents: "Documents"
    one: "Pass"
    common: Common

    def families(self, placed: DataFrame) -> DataFrame:
        """Compare whole families (number, place, root). Any number of them may share a task."""
        texts = self._texts(placed, "root").drop("root")
        return self._run(texts, self.one.verbs, self.common.dropped, across=False)

    def tasks(self, rows: DataFrame, verbs: "tuple[Verb, ...]", *, across: bool = False) -> DataFrame:
        """Compare the documents of each task (number, side, place, task). Several tasks may have the same document.

        With `across`, each side is compared with the other only, wherever the documents come from.
        """
        # A key that is common among all documents may be rare in a task.
        foreseen = sorted([*self.common.dropped, *self.common.giving_way])
        return self._run(self._texts(rows, "task"), verbs, foreseen, across=across)

    def _texts(self, rows: DataFrame, by: str) -> DataFrame:
        """Attach texts, and bring the rows of one task together."""
        core = self.one.options.core
        text = core.get("html_field") or core.get("text_field") or "text"
        sides = [] if "side" in rows.columns else ["side"]
        texts = self.documents.table.select("number", *sides, f"`{text}`").join(rows, "number")
        return self.engine.arrange(texts, by, by, "place").drop("place")

    def _run(self, texts: DataFrame, verbs: "tuple[Verb, ...]", foreseen: list[int], *, across: bool) -> DataFrame:
        core = {name: value for name, value in self.one.options.core.items() if name in FIELDS}
        options = replace(self.one.options, core=core | {"threads": 1, "foreseen": foreseen})
        columns = Compare.columns.format(number=self.documents.number)
        return self.engine.map(texts, Compare(verbs, options, self.documents.against, across), columns)
