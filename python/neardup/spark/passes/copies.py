"""Exact copies: documents of one token sequence are compared as one, and share its fate."""

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as sf

from neardup.spark.frames.documents import INPUT, REFERENCE


def find_copies(signed: DataFrame) -> DataFrame:
    """Return all documents that have exact copies: number, side, raw, first, members, stands.

    Equal are documents with one digest of tokens, the `first` of them (number, raw, size, side) comes first in policy
    order, and there are so many `members`. The first `stands` for the others where documents are compared; if it is of
    the reference, so does the first of the input.
    """
    named = signed.where("lexical is not null").select("lexical", "number", "side", "place", "raw", "size")
    alike = Window.partitionBy("lexical")
    groups = {
        "first": sf.min(sf.struct("place", "number", "raw", "size", "side")),
        "first_input": sf.min(sf.when(sf.col("side") == INPUT, sf.struct("place", "number"))),
        "members": sf.count("*"),
    }
    members = named.withColumns({name: told.over(alike) for name, told in groups.items()}).where("members > 1")
    is_second = (sf.col("first.side") == REFERENCE) & (sf.col("number") == sf.col("first_input.number"))
    stands = (sf.col("number") == sf.col("first.number")) | sf.coalesce(is_second, sf.lit(False))
    first = sf.struct("first.number", "first.raw", "first.size", "first.side")
    return members.select("number", "side", "raw", first.alias("first"), "members", stands.alias("stands"))
