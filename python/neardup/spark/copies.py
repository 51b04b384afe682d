"""Exact copies: documents of one token sequence are compared as one, and share its fate."""

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as sf

from neardup.spark.documents import INPUT, REFERENCE


def find_copies(signed: DataFrame) -> DataFrame:
    """Give all documents that have exact copies: number, side, raw, first, members, stands.

    Equal are documents with one digest of tokens, the `first` of them (number, raw, size, side) comes first in policy
    order, and there are so many `members`. The first `stands` for the others where documents are compared; if it is of
    the reference, so does the first of the input.
    """
    named = signed.where("lexical is not null").select("lexical", "number", "side", "place", "raw", "size")
    alike = Window.partitionBy("lexical")
    first = sf.min(sf.struct("place", "number", "raw", "size", "side")).over(alike)
    first_input = sf.min(sf.when(sf.col("side") == INPUT, sf.struct("place", "number"))).over(alike)
    counted = named.withColumns({"one": first, "one_input": first_input, "members": sf.count("*").over(alike)})
    is_second = (sf.col("one.side") == REFERENCE) & (sf.col("number") == sf.col("one_input.number"))
    stands = (sf.col("number") == sf.col("one.number")) | sf.coalesce(is_second, sf.lit(False))
    first = sf.struct("one.number", "one.raw", "one.size", "one.side")
    members = counted.where("members > 1")
    return members.select("number", "side", "raw", first.alias("first"), "members", stands.alias("stands"))
