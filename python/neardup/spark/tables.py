"""The tables of a result, made of what the passes found."""

from functools import reduce

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as sf

from neardup.spark.documents import INPUT, Documents, Names
from neardup.spark.tasks import RULES


def rule_name(rule: str) -> Column:
    """Name the rule of a column of numbers."""
    first, *others = ((sf.col(rule) == number, sf.lit(name)) for number, name in enumerate(RULES))
    return reduce(lambda told, one: told.when(*one), others, sf.when(*first))


def is_verified(rule: str, of_pass: str, verified: list[bool]) -> Column:
    """Tell whether a pair was checked: of equal digests, or found by a pass that checks every pair on its features."""
    passes = sf.element_at(sf.array(*[sf.lit(one) for one in verified]), sf.col(of_pass))
    return (sf.col(rule) < RULES.index("shingles")) | passes


def decisions(documents: Documents, names: Names, signed: DataFrame, led: DataFrame, verified: list[bool]) -> DataFrame:
    """Give the verdict on every document of the input, with its number and what its id is ordered by."""
    rows = _with_leaders(names, signed, led, len(verified))
    if documents.are_numbered:
        rows = names.attach_place(rows, "number", "source", "row")
    shared, id_size, original_size = (sf.col(name) for name in ("shared", "left_size", "right_size"))
    place = ["source", "row"] if documents.are_numbered else []
    return rows.select(
        "number",
        names.order("number", "id").alias("order"),
        sf.col("rule").alias("rule_number"),
        sf.col("leader").alias("group"),
        "id",
        *place,
        sf.when(sf.col("rule").isNull(), "keep").otherwise("drop").alias("verdict"),
        sf.col("original_id").alias("original"),
        rule_name("rule").alias("rule"),
        "shared",
        id_size.alias("id_size"),
        original_size.alias("original_size"),
        *_shares(shared, id_size, original_size, "in_original", "of_original"),
        sf.col("leader_id").alias("duplicate_id"),
        "group_size",
        sf.when(sf.col("rule").isNotNull(), is_verified("rule", "pass", verified)).alias("verified"),
        *_origin(documents, "original"),
        *(["pass"] if len(verified) > 1 else []),
    )


def clusters(
    documents: Documents, names: Names, signed: DataFrame, led: DataFrame, roots: DataFrame, passes: int
) -> DataFrame:
    """Give the cluster of every document of the input, with its number and what its id is ordered by."""
    everybody = names.attach(roots, "number", "id").withColumn("order", names.order("number", "id"))
    named = everybody.groupBy("root").agg(sf.min(sf.struct("order", "id")).alias("first"), sf.count("*").alias("size"))
    of = roots.join(named, "root").select("number", "root", sf.col("first.id").alias("cluster_id"), "size")
    rows = _with_leaders(names, signed, led, passes).join(of, "number", "left")
    met = sf.col("leader") == sf.col("original")
    return rows.select(
        "number",
        names.order("number", "id").alias("order"),
        sf.col("rule").alias("rule_number"),
        sf.coalesce("root", "number").alias("group"),
        "id",
        sf.coalesce("cluster_id", "id").alias("cluster"),
        sf.col("leader_id").alias("leader"),
        sf.coalesce("size", sf.lit(1)).alias("size"),
        *[
            sf.when(met, sf.col(name)).alias(alias)
            for name, alias in (("shared", "shared"), ("left_size", "id_size"), ("right_size", "leader_size"))
        ],
        *_origin(documents, "leader"),
        *(["pass"] if passes > 1 else []),
    )


def pairs(oriented: DataFrame, verified: list[bool]) -> DataFrame:
    """Give pairs, with what they are ordered by."""
    shared, left, right = sf.col("shared"), sf.col("left.size"), sf.col("right.size")
    return oriented.select(
        sf.struct(sf.col("left.order").alias("left"), sf.col("right.order").alias("right")).alias("order"),
        sf.col("rule").alias("rule_number"),
        sf.col("left.id").alias("left"),
        sf.col("right.id").alias("right"),
        rule_name("rule").alias("rule"),
        "shared",
        left.alias("left_size"),
        right.alias("right_size"),
        *_shares(shared, left, right, "left_in_right", "right_in_left"),
        is_verified("rule", "pass", verified).alias("verified"),
        *(["pass"] if len(verified) > 1 else []),
    )


def _with_leaders(names: Names, signed: DataFrame, led: DataFrame, passes: int) -> DataFrame:
    """Give all documents of the input: id, verdict, original, leader, the ids of these, and the size of the group."""
    sizes = led.groupBy("leader").agg((sf.count("*") + 1).alias("led"))
    gone = names.attach(led.join(sizes, "leader"), "original", "original_id")
    if passes == 1:
        gone = gone.withColumn("leader_id", sf.col("original_id"))
    else:
        gone = names.attach(gone, "leader", "leader_id")
    rows = names.told(signed.where((sf.col("side") == INPUT) & sf.col("reason").isNull()))
    own = sizes.select(sf.col("leader").alias("number"), sf.col("led").alias("leads"))
    rows = rows.join(gone, "number", "left").join(own, "number", "left")
    for who in ("original", "leader"):
        rows = rows.withColumns({who: sf.coalesce(who, "number"), f"{who}_id": sf.coalesce(f"{who}_id", "id")})
    return rows.withColumn("group_size", sf.coalesce("led", "leads", sf.lit(1)))


def _shares(shared: Column, left: Column, right: Column, left_in: str, right_in: str) -> list[Column]:
    """Give resemblance and both containments; of two without features they are 1."""

    def share(part: Column, whole: Column) -> Column:
        return sf.when(whole == 0, sf.lit(1.0)).otherwise(part / whole)

    return [
        share(shared, left + right - shared).alias("resemblance"),
        share(shared, left).alias(left_in),
        share(shared, right).alias(right_in),
    ]


def _origin(documents: Documents, number: str) -> list[Column]:
    """Tell on which side a document is, where there is a reference."""
    if not documents.against:
        return []
    return [sf.when(documents.is_input(number), "input").otherwise("reference").alias("original_in")]
