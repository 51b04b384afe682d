"""The tables of a result, made from the findings of the passes."""

from dataclasses import dataclass
from functools import reduce

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as sf

from neardup.schemes.rule import RULES
from neardup.spark.frames.documents import INPUT, Documents, Names


@dataclass(frozen=True)
class Table:
    """A table of a result, before its rows are sorted."""

    rows: DataFrame
    """The findings, with the columns that order and group them."""
    columns: tuple[str | Column, ...]
    """Columns that are computed after the rows are sorted: those of the result, and those of its digest."""
    order: tuple[str, ...]
    """The columns by which rows are ordered."""


@dataclass(frozen=True)
class Rules:
    """How the passes decide their pairs."""

    verified: list[bool]
    """Whether each pass checks every pair on its features."""
    decides: bool
    """Whether a number other than shared features decides in some pass."""

    @property
    def value(self) -> list[str]:
        """The column of this number, if there is one."""
        return ["value"] if self.decides else []


def decisions(documents: Documents, names: Names, signed: DataFrame, with_leaders: DataFrame, rules: Rules) -> Table:
    """Return the verdict on every document of the input."""
    rows = _with_leaders(names, signed, with_leaders, len(rules.verified))
    place = ["source", "row"] if documents.are_numbered else []
    if place:
        rows = names.attach_place(rows, "number", *place)
    several = len(rules.verified) > 1
    rows = rows.select(
        "number",
        sf.col("leader").alias("group"),
        "id",
        *place,
        sf.col("original_id").alias("original"),
        sf.col("rule").alias("rule_number"),
        "shared",
        sf.col("left_size").alias("id_size"),
        sf.col("right_size").alias("original_size"),
        "group_size",
        *rules.value,
        *_side(documents, "original"),
        *([sf.col("leader_id").alias("duplicate_id")] if several else []),
        *_pass(several=several),
    )
    is_kept = sf.col("rule_number").isNull()
    columns: tuple[str | Column, ...] = (
        "id",
        *place,
        sf.when(is_kept, "keep").otherwise("drop").alias("verdict"),
        "original",
        _rule(),
        "shared",
        "id_size",
        "original_size",
        *_shares("id_size", "original_size", "in_original", "of_original"),
        # With one pass the leader is the original.
        sf.col("duplicate_id" if several else "original").alias("duplicate_id"),
        "group_size",
        sf.when(~is_kept, _is_verified(rules.verified)).alias("verified"),
        *rules.value,
        *(["original_in"] if documents.against else []),
        *_pass(several=several),
        "rule_number",
    )
    return Table(rows, columns, (names.input_order,))


def clusters(
    documents: Documents, names: Names, signed: DataFrame, with_leaders: DataFrame, roots: DataFrame, passes: int
) -> Table:
    """Return the cluster of every document of the input."""
    with_ids = names.attach(roots, "number", "id").withColumn("order", sf.col(names.order("number", "id")))
    named = with_ids.groupBy("root").agg(sf.min(sf.struct("order", "id")).alias("first"), sf.count("*").alias("size"))
    of = roots.join(named, "root").select("number", "root", sf.col("first.id").alias("cluster_id"), "size")
    rows = _with_leaders(names, signed, with_leaders, passes).join(of, "number", "left")
    is_final = sf.col("leader") == sf.col("original")
    rows = rows.select(
        "number",
        sf.coalesce("root", "number").alias("group"),
        sf.col("rule").alias("rule_number"),
        "id",
        sf.coalesce("cluster_id", "id").alias("cluster"),
        sf.col("leader_id").alias("leader"),
        sf.coalesce("size", sf.lit(1)).alias("size"),
        *[
            sf.when(is_final, sf.col(name)).alias(alias)
            for name, alias in (("shared", "shared"), ("left_size", "id_size"), ("right_size", "leader_size"))
        ],
        *_side(documents, "leader"),
        *_pass(several=passes > 1),
    )
    columns = tuple(name for name in rows.columns if name not in ("number", "group", "rule_number"))
    return Table(rows, columns, (names.input_order,))


def pairs(oriented: DataFrame, names: Names, rules: Rules) -> Table:
    """Return all pairs."""
    ends, of_pass = ("left", "right"), _pass(several=len(rules.verified) > 1)
    order = tuple(names.order(f"{end}_number", end) for end in ends)
    rows = oriented.select(
        *[sf.col(f"{end}.number").alias(f"{end}_number") for end in ends],
        *[sf.col(f"{end}.id").alias(end) for end in ends],
        sf.col("rule").alias("rule_number"),
        "shared",
        *[sf.col(f"{end}.size").alias(f"{end}_size") for end in ends],
        *rules.value,
        *of_pass,
    )
    sizes = ("left_size", "right_size")
    columns: tuple[str | Column, ...] = (
        *ends,
        _rule(),
        "shared",
        *sizes,
        *_shares(*sizes, "left_in_right", "right_in_left"),
        _is_verified(rules.verified).alias("verified"),
        *rules.value,
        *of_pass,
        "rule_number",
    )
    return Table(rows, columns, order)


def _with_leaders(names: Names, signed: DataFrame, with_leaders: DataFrame, passes: int) -> DataFrame:
    """Return all documents of the input: id, verdict, original, leader, the ids of these, and the size of the group."""
    sizes = with_leaders.groupBy("leader").agg((sf.count("*") + 1).alias("led"))
    named = names.attach(with_leaders.join(sizes, "leader"), "original", "original_id")
    if passes == 1:
        named = named.withColumn("leader_id", sf.col("original_id"))
    else:
        named = names.attach(named, "leader", "leader_id")
    rows = names.select_ids(signed.where((sf.col("side") == INPUT) & sf.col("reason").isNull()))
    own = sizes.select(sf.col("leader").alias("number"), sf.col("led").alias("leads"))
    rows = rows.join(named, "number", "left").join(own, "number", "left")
    for end in ("original", "leader"):
        rows = rows.withColumns({end: sf.coalesce(end, "number"), f"{end}_id": sf.coalesce(f"{end}_id", "id")})
    return rows.withColumn("group_size", sf.coalesce("led", "leads", sf.lit(1)))


def _rule() -> Column:
    """Return the name of a rule by its number."""
    first, *others = ((sf.col("rule_number") == number, sf.lit(name)) for number, name in enumerate(RULES))
    return reduce(lambda column, case: column.when(*case), others, sf.when(*first)).alias("rule")


def _is_verified(verified: list[bool]) -> Column:
    """Return whether a pair was checked: its digests are equal, or its pass checks every pair on its features."""
    several = len(verified) > 1
    checks = sf.element_at(sf.array(*map(sf.lit, verified)), sf.col("pass")) if several else sf.lit(verified[0])
    return (sf.col("rule_number") < RULES.index("shingles")) | checks


def _shares(left: str, right: str, left_in: str, right_in: str) -> list[Column]:
    """Return resemblance and both containments of two documents by their sizes; without features they are 1."""
    shared, left_size, right_size = sf.col("shared"), sf.col(left), sf.col(right)

    def share(whole: Column) -> Column:
        return sf.when(whole == 0, sf.lit(1.0)).otherwise(shared / whole)

    return [
        share(left_size + right_size - shared).alias("resemblance"),
        share(left_size).alias(left_in),
        share(right_size).alias(right_in),
    ]


def _side(documents: Documents, number: str) -> list[Column]:
    """Return the column with the side of a document, if there is a reference."""
    if not documents.against:
        return []
    return [sf.when(documents.is_input(number), "input").otherwise("reference").alias("original_in")]


def _pass(*, several: bool) -> list[str]:
    """Return the column with the pass, if there are several."""
    return ["pass"] if several else []
