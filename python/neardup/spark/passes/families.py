"""Families: the documents that keys connect; each is compared in one task, or in many if it is too large."""

from bisect import bisect_right
from collections import defaultdict
from dataclasses import dataclass
from functools import reduce
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from pyspark.sql import DataFrame, Row, Window
from pyspark.sql import functions as sf

from neardup.spark.frames.documents import INPUT, REFERENCE
from neardup.spark.session.batches import table_of

if TYPE_CHECKING:
    from neardup.spark.passes.comparison import Comparing
    from neardup.spark.session.operations import SparkOperations
SAMPLED = 64
"""Number of sampled documents per block, by which it is cut: its size is right to within about an eighth."""


def compare_large(work: "Comparing", placed: DataFrame) -> DataFrame:
    """Run the verbs of a pass over documents (number, side, place, root), and return rows of `Compare`."""
    blocks = work.engine.keep(cut_blocks(placed, work.engine.family))
    found = []
    if {"dedup", "cluster"} & set(work.one.verbs):
        drops = find_dropped(work, blocks)
        found.append(drops)
        if "cluster" in work.one.verbs:
            found.append(drops.withColumn("kind", sf.lit("link")))
            found.append(link_leaders(work, blocks, drops))
    if "pairs" in work.one.verbs:
        found.append(list_pairs(work, blocks))
    return reduce(DataFrame.unionByName, found)


def cut_blocks(placed: DataFrame, size: int) -> DataFrame:
    """Cut every family into blocks of about `size` documents, numbered in policy order."""
    sampled = min(SAMPLED, size)
    some = placed.where(sf.pmod(sf.xxhash64("number"), sf.lit(size // sampled)) == 0)
    rank = sf.row_number().over(Window.partitionBy("root").orderBy("place"))
    starts = some.withColumn("rank", rank).where(sf.col("rank") % sampled == 0)
    starts = starts.groupBy("root").agg(sf.array_sort(sf.collect_list("place")).alias("starts"))
    block = sf.size(sf.filter(sf.coalesce("starts", sf.array()), lambda start: start <= sf.col("place")))
    return placed.join(sf.broadcast(starts), "root", "left").withColumn("block", block).drop("starts")


def find_dropped(work: "Comparing", blocks: DataFrame) -> DataFrame:
    """Return the dropped documents, and their originals."""
    engine, drops, undecided = work.engine, list[DataFrame](), blocks
    while plan := _plan(engine, undecided):
        planned = undecided.join(sf.broadcast(plan.table), "root")
        now, later = planned.where("block <= last"), planned.where("block > last")
        drops.append(engine.keep(work.tasks(now.select("number", "side", "place", "task"), ("dedup",))))
        if not plan.has_later:
            break
        leaders = now.join(drops[-1].select(sf.col("left").alias("number")), "number", "left_anti")
        known = leaders.where("parts > 0").select(
            "number",
            sf.lit(REFERENCE).alias("side"),
            "place",
            sf.explode(sf.sequence("first", sf.col("first") + sf.col("parts") - 1)).alias("task"),
        )
        part = sf.col("first") + sf.pmod(sf.xxhash64("number"), sf.col("parts"))
        queries = later.where(sf.col("side") == INPUT).select("number", "side", "place", part.alias("task"))
        drops.append(engine.keep(work.tasks(queries.unionByName(known), ("dedup",), across=True)))
        left = later.join(drops[-1].select(sf.col("left").alias("number")), "number", "left_anti")
        undecided = engine.keep(left.select(*blocks.columns))
    return reduce(DataFrame.unionByName, drops)


@dataclass(frozen=True)
class Plan:
    """The next step of every family."""

    table: DataFrame
    """For each root the task that decides its documents up to the block `last`, and the `parts` tasks from `first` on,
    which compare the later documents with the leaders."""
    has_later: bool
    """Whether there are later documents to compare."""


def _plan(engine: "SparkOperations", undecided: DataFrame) -> Plan | None:
    """Plan the next blocks of every family, as many as fit one task and at least one; None if all is decided."""
    inputs = sf.count(sf.when(sf.col("side") == INPUT, 1))
    rows = undecided.groupBy("root", "block").agg(sf.count("*").alias("size"), inputs.alias("inputs"))
    blocks = defaultdict[Any, list[Row]](list)
    for row in rows.orderBy("root", "block").collect():
        blocks[row["root"]].append(row)
    plans, first = list[tuple[Any, int, int, int, int]](), 0
    for root, of_root in blocks.items():
        if not any(row["inputs"] for row in of_root):
            continue
        sums = list(accumulate(row["size"] for row in of_root))
        taken = max(1, bisect_right(sums, engine.family))
        parts = -(-sum(row["inputs"] for row in of_root[taken:]) // engine.family)
        plans.append((root, of_root[taken - 1]["block"], len(plans), first, parts))
        first += parts
    if not plans:
        return None
    kind = undecided.schema["root"].dataType.simpleString()
    columns = f"root {kind}, last int, task bigint, first bigint, parts bigint"
    return Plan(table_of(engine.session, plans, columns), first > 0)


def link_leaders(work: "Comparing", blocks: DataFrame, drops: DataFrame) -> DataFrame:
    """Return links of documents that belong together, in addition to those of dropped ones with their originals."""
    leaders = blocks.join(drops.select(sf.col("left").alias("number")), "number", "left_anti")
    several = leaders.groupBy("root").agg(sf.count("*").alias("leaders")).where("leaders > 1").select("root")
    rows = pair_blocks(work, blocks.join(several, "root", "left_semi"))
    return work.tasks(rows.drop("low", "high", "block"), ("cluster",)).where("kind = 'link'")


def list_pairs(work: "Comparing", blocks: DataFrame) -> DataFrame:
    """Return all pairs, each found by one task."""
    rows = work.engine.keep(pair_blocks(work, blocks))
    inner, outer = rows.where("low = high"), rows.where("low < high")
    is_query = sf.col("block") == sf.col("high")
    if work.documents.against:
        # The reference comes first in policy order.
        outer = outer.where(is_query == (sf.col("side") == INPUT))
    outer = outer.withColumn("side", sf.when(is_query, INPUT).otherwise(REFERENCE))
    found = [
        work.tasks(inner.drop("low", "high", "block"), ("pairs",)),
        work.tasks(outer.drop("low", "high", "block"), ("pairs",), across=True),
    ]
    return found[0].unionByName(found[1])


def pair_blocks(work: "Comparing", blocks: DataFrame) -> DataFrame:
    """Return the documents of a task for every two blocks of a family (`low` and `high`), and for each block."""
    ends = blocks.groupBy("root").agg((sf.max("block") + 1).alias("blocks")).orderBy("root").collect()
    counts = [row["blocks"] for row in ends]
    firsts = accumulate((count * (count + 1) // 2 for count in counts), initial=0)
    plans = [(row["root"], first, count) for row, first, count in zip(ends, firsts, counts, strict=False)]
    kind = blocks.schema["root"].dataType.simpleString()
    plan = table_of(work.engine.session, plans, f"root {kind}, first bigint, blocks int")
    rows = blocks.join(sf.broadcast(plan), "root")
    rows = rows.withColumn("other", sf.explode(sf.sequence(sf.lit(0), sf.col("blocks") - 1)))
    low, high = sf.least("block", "other").cast("bigint"), sf.greatest("block", "other").cast("bigint")
    task = sf.col("first") + sf.shiftright(high * (high + 1), 1) + low
    return rows.select("number", "side", "place", "block", low.alias("low"), high.alias("high"), task.alias("task"))


def compare(work: "Comparing", families: DataFrame, signed: DataFrame) -> DataFrame:
    """Compare the documents of all families (number, root), and return rows of `Compare`."""
    engine = work.engine
    placed = engine.keep(engine.sent(families).join(signed.select("number", "place"), "number"))
    if not engine.is_small(placed):
        engine.watch.notify(
            f"{engine.count(placed):,} documents may have a near-duplicate, so many that the texts of all documents are"
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

    A family with a bounding key stays whole: its documents are compared with the first only, so the cost is not
    quadratic.
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
