"""Verdicts: who goes and for whom, when exact copies share the fate of those that were compared."""

from typing import TYPE_CHECKING

from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from neardup.spark.frames.documents import INPUT

if TYPE_CHECKING:
    from neardup.spark.passes.passes import Found

EVIDENCE = ("rule", "shared", "left_size", "right_size", "value")


def find_drops(found: "Found", pass_number: int) -> DataFrame:
    """Return who goes for whom in a pass: number, original, rule, shared, left_size, right_size, value, pass."""
    told = found.rows.where("kind = 'drop'").select(
        sf.col("left").alias("number"), sf.col("right").alias("original"), *EVIDENCE
    )
    inputs = found.members.where(sf.col("side") == INPUT)
    standing = inputs.where("stands").select("number", sf.col("first.number").alias("group"))
    fate = standing.join(told, "number").select("group", sf.struct("original", *EVIDENCE).alias("fate"))
    others = inputs.where("number != first.number").join(told.select("number"), "number", "left_anti")
    others = others.withColumn("group", sf.col("first.number")).join(fate, "group", "left")
    # A copy goes with whoever stands for it; for the first, where that stays or where he goes for it himself.
    for_first = sf.col("fate").isNull() | (sf.col("fate.original") == sf.col("first.number"))
    rule = sf.when(sf.col("raw") == sf.col("first.raw"), 0).otherwise(1)
    size = sf.col("first.size").cast("bigint")
    own = (sf.col("first.number"), rule, size, size, size, sf.lit(None).cast("double"))
    names = ("original", *EVIDENCE)
    copied = others.select(
        "number",
        *[
            sf.when(for_first, value).otherwise(sf.col(f"fate.{name}")).alias(name)
            for name, value in zip(names, own, strict=True)
        ],
    )
    return told.unionByName(copied).withColumn("pass", sf.lit(pass_number))


def add_leaders(drops: DataFrame, passes: int) -> DataFrame:
    """Add who stays in the end for each dropped document: the original, or what that was dropped for later."""
    led = drops.withColumn("leader", sf.col("original"))
    later = drops.select(sf.col("number").alias("leader"), sf.col("original").alias("later"))
    for _ in range(passes - 1):
        led = led.join(later, "leader", "left").withColumn("leader", sf.coalesce("later", "leader")).drop("later")
    return led
