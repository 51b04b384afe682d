"""Dropped documents that differ from their original in signs only."""

from dataclasses import replace
from typing import TYPE_CHECKING

from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from neardup import _core
from neardup.schemes.rule import RULES
from neardup.spark.passes.tasks import Sign

if TYPE_CHECKING:
    from neardup.spark.frames.documents import Documents
    from neardup.spark.passes.one_pass import Pass
    from neardup.spark.session.operations import SparkOperations


def count_signs_only(
    engine: "SparkOperations", documents: "Documents", passes: "list[Pass]", dropped: DataFrame
) -> int | None:
    """Count the dropped documents with the tokens of their original and other signs; None if no pass ignores signs.

    Only the texts of documents whose tokens are those of their original are read again.
    """
    total = None
    for one in passes:
        [scheme] = _core.Scheme(one.options.core["scheme"]).keeping_signs
        if scheme is None:
            continue
        total = total or 0
        alike = (sf.col("pass") == one.number) & (sf.col("rule") == RULES.index("lexical"))
        pairs = dropped.where(alike).select("number", "original")
        if pairs.isEmpty():
            continue
        core = {**one.options.core, "scheme": scheme}
        kernel = Sign(replace(one.options, core=core, lexicon=None), documents.are_read, documents.has_archives)
        numbers = pairs.select("number").union(pairs.select("original")).distinct()
        columns = f"number {documents.number}, side int, {Sign.columns}"
        # kept, because both ends of a pair look it up
        signed = engine.keep(documents.only(numbers).map(engine, kernel, columns).select("number", "lexical"))
        originals = signed.select(sf.col("number").alias("original"), sf.col("lexical").alias("other"))
        both = pairs.join(signed, "number").join(originals, "original")
        total += both.where("lexical != other").count()
        engine.release(signed)
    return total
