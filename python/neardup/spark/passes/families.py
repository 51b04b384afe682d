"""Families: the documents that keys connect; each is compared in one task, or in many where it is too large."""

from typing import TYPE_CHECKING

from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from neardup.spark.passes.large import compare_large

if TYPE_CHECKING:
    from neardup.spark.passes.comparing import Comparing


def compare(work: "Comparing", families: DataFrame, signed: DataFrame) -> DataFrame:
    """Compare the documents of all families (number, root), as `Compare` tells of them."""
    engine = work.engine
    placed = engine.keep(engine.sent(families).join(signed.select("number", "place"), "number"))
    if not engine.is_small(placed):
        engine.watch.tell(
            f"{engine.count(placed):,} documents may have a near-duplicate: of so many, the texts of all documents are"
            " sent through the cluster"
        )
    divided = find_divided(work, families) if engine.count(placed) > engine.family else None
    if divided is None:
        return work.families(engine.sent(placed))
    whole = work.families(placed.join(divided, "root", "left_anti"))
    large = placed.join(sf.broadcast(divided), "root").join(signed.select("number", "side"), "number")
    return whole.unionByName(compare_large(work, engine.keep(large)))


def find_divided(work: "Comparing", families: DataFrame) -> DataFrame | None:
    """Return the roots of families too large for one task; None if there is none.

    Where a key bounds whom its documents meet, by the first of all, a family stays whole: it costs no square.
    """
    sizes = families.groupBy("root").agg(sf.count("*").alias("size"))
    large = work.engine.keep(sizes.where(sf.col("size") > work.engine.family).select("root"))
    if work.engine.count(large) == 0:
        return None
    if not work.common.bounding:
        return large
    bound = work.common.holders(work.common.bounding).join(families, "number").select("root")
    divided = work.engine.keep(large.join(bound, "root", "left_anti"))
    return divided if work.engine.count(divided) else None
