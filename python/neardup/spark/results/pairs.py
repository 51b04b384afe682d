"""Pairs and verdicts of documents, with those of exact copies, which were compared only once."""

from typing import TYPE_CHECKING

from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from neardup.spark.frames.documents import INPUT, Documents, Names

if TYPE_CHECKING:
    from neardup.spark.passes.passes import PassFindings
EVIDENCE = ("rule", "shared", "left_size", "right_size", "value")


def find_drops(found: "PassFindings", pass_number: int) -> DataFrame:
    """Return the dropped documents of a pass with their originals.

    Columns: number, original, rule, shared, left_size, right_size, value, pass.
    """
    drops = found.rows.where("kind = 'drop'").select(
        sf.col("left").alias("number"), sf.col("right").alias("original"), *EVIDENCE
    )
    inputs = found.members.where(sf.col("side") == INPUT)
    representatives = inputs.where("represents").select("number", sf.col("first.number").alias("group"))
    fate = representatives.join(drops, "number").select("group", sf.struct("original", *EVIDENCE).alias("fate"))
    others = inputs.where("number != first.number").join(drops.select("number"), "number", "left_anti")
    others = others.withColumn("group", sf.col("first.number")).join(fate, "group", "left")
    # A copy is dropped like its representative; or for the first copy, if the representative is kept or dropped for it.
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
    return drops.unionByName(copied).withColumn("pass", sf.lit(pass_number))


def add_leaders(drops: DataFrame, passes: int) -> DataFrame:
    """Add the finally kept document of each dropped one: its original, or that for which this was dropped later."""
    with_leaders = drops.withColumn("leader", sf.col("original"))
    later = drops.select(sf.col("number").alias("leader"), sf.col("original").alias("later"))
    for _ in range(passes - 1):
        with_leaders = (
            with_leaders.join(later, "leader", "left")
            .withColumn("leader", sf.coalesce("later", "leader"))
            .drop("later")
        )
    return with_leaders


def expand(found: "PassFindings", documents: Documents, max_family: int, pass_number: int) -> DataFrame:
    """Return all pairs that a pass found, in any orientation.

    Columns: left, right, rule, shared, left_size, right_size, value, pass.

    A pair of documents that represent others becomes the pairs of all of these, each on its own side; a group of copies
    becomes all its pairs. In a group of more than `max_family`, only pairs with the first count.
    """
    members = found.members.withColumn("group", sf.col("first.number"))
    wide = members.where((sf.col("members") <= max_family) | (sf.col("number") == sf.col("group")))
    representatives = members.where("represents").select(sf.col("number").alias("end"), "group", "side")
    represented = representatives.join(
        wide.select("group", "side", sf.col("number").alias("member")), ["group", "side"], "left"
    )
    near = found.rows.where("kind = 'pair'").drop("kind")
    for end in ("left", "right"):
        of_end = represented.select(sf.col("end").alias(end), sf.col("group").alias(f"{end}_group"), "member")
        near = near.join(of_end, end, "left")
        # The representative of a group with no member on its side represents no document.
        near = near.where(sf.col(f"{end}_group").isNull() | sf.col("member").isNotNull())
        near = near.withColumn(end, sf.coalesce("member", end)).drop("member")
    near = near.where("left_group is null or right_group is null or left_group != right_group")
    inner = members.alias("one").join(members.alias("other"), "group")
    first = [sf.col(f"{end}.number") == sf.col("group") for end in ("one", "other")]
    inner = inner.where((sf.col("one.members") <= max_family) | first[0] | first[1])
    if documents.against:
        inner = inner.where((sf.col("one.side") == INPUT) & (sf.col("other.side") != INPUT))
    else:
        inner = inner.where(sf.col("one.number") < sf.col("other.number"))
    rule = sf.when(sf.col("one.raw") == sf.col("other.raw"), 0).otherwise(1)
    size = sf.col("one.first.size").cast("bigint")
    inner = inner.select(
        sf.col("one.number").alias("left"),
        sf.col("other.number").alias("right"),
        rule.alias("rule"),
        *[size.alias(name) for name in ("shared", "left_size", "right_size")],
        sf.lit(None).cast("double").alias("value"),
    )
    return near.drop("left_group", "right_group").unionByName(inner).withColumn("pass", sf.lit(pass_number))


def orient(pairs: DataFrame, names: "Names") -> DataFrame:
    """Add the ids of both ends, and put the smaller on the left; with a reference, the input is there already."""
    pairs = names.attach(names.attach(pairs, "left", "left_id"), "right", "right_id")
    ends = {
        end: sf.struct(
            sf.col(names.order(end, f"{end}_id")).alias("order"),
            sf.col(f"{end}_id").alias("id"),
            sf.col(end).alias("number"),
            sf.col(f"{end}_size").alias("size"),
        )
        for end in ("left", "right")
    }
    turned = sf.lit(False) if names.documents.against else ends["left"]["order"] > ends["right"]["order"]
    left = sf.when(turned, ends["right"]).otherwise(ends["left"]).alias("left")
    right = sf.when(turned, ends["left"]).otherwise(ends["right"]).alias("right")
    return pairs.select(left, right, "rule", "shared", "value", "pass")
