"""Lexicons: what a pass counts of the documents it sees, before it signs them."""

from typing import TYPE_CHECKING

from neardup import _core

if TYPE_CHECKING:
    from neardup.spark.documents import Documents
    from neardup.spark.engine import SparkEngine
    from neardup.spark.tasks import Options


def count_lexicon(engine: "SparkEngine", documents: "Documents", options: "Options") -> str | None:
    """Count what a pass has to count; give the name by which executors find the file, None when it is nothing."""
    del engine, documents
    if _core.what_counts(options.core["scheme"]) is None:
        return None
    raise NotImplementedError
