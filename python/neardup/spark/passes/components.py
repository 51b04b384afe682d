"""Components of a graph of links: forests of partitions, then one union, at the driver or by contracting stars."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as sf

from neardup import _core

if TYPE_CHECKING:
    from neardup.spark.session.operations import SparkOperations


def local_forest(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Reduce the links of a partition to a tree for each component: every end is tied to the smallest one."""
    tables = [pa.Table.from_batches([batch]) for batch in batches]
    if tables:
        yield from roots_of(pa.concat_tables(tables)).to_batches()


def roots_of(links: pa.Table) -> pa.Table:
    """Return every end that is not the smallest of its component (left), with that smallest one (right)."""
    ends = pa.chunked_array([*links["left"].chunks, *links["right"].chunks])
    numbers = pc.unique(ends)
    # The smallest end gets the smallest number, and the smallest number of a tree is its root.
    numbers = numbers.take(pc.sort_indices(numbers))
    places = [pc.index_in(links[side], numbers).combine_chunks().cast(pa.uint32()) for side in ("left", "right")]
    roots = pa.table(_core.families(places[0], places[1], len(numbers)))["root"].combine_chunks()
    inner = pc.not_equal(roots, pa.array(range(len(numbers)), pa.uint32()))
    return pa.table({"left": numbers.filter(inner), "right": numbers.take(roots.filter(inner))})


def connect(engine: "SparkOperations", links: DataFrame) -> DataFrame:
    """Return every end of the links (left, right) as number, with the smallest end of its component as root."""
    kind = links.schema["left"].dataType.simpleString()
    trees = engine.keep(engine.map(links, local_forest, f"left {kind}, right {kind}"))
    return connect_at_driver(engine, trees) if engine.count(trees) <= engine.forest else contract_stars(engine, trees)


def connect_at_driver(engine: "SparkOperations", trees: DataFrame) -> DataFrame:
    """Unite the trees of all partitions in the memory of the driver."""
    found = roots_of(trees.toArrow()).rename_columns(["number", "root"])
    roots = pa.table({"number": found["root"], "root": found["root"]}).group_by(["number", "root"]).aggregate([])
    kind = trees.schema["left"].dataType.simpleString()
    rows = pa.concat_tables([found, roots.select(["number", "root"])])
    return engine.create_table(rows, f"number {kind}, root {kind}")


def contract_stars(engine: "SparkOperations", trees: DataFrame) -> DataFrame:
    """Unite the trees without bringing them to one machine: stars are changed until each component is one star.

    A large star ties the larger neighbours of an end to its smallest neighbour, a small star the smaller ones and the
    end itself (Kiveris, Lattanzi, Mirrokni, Rastogi, Vassilvitskii 2014). In the end all are tied to the smallest.
    """
    links = trees.select(sf.col("left").alias("one"), sf.col("right").alias("other"))
    # Equal counts and equal XORs of hashes mean equal links, except with a probability of 2^-64.
    hashes, before = sf.expr("bit_xor(xxhash64(one, other))"), None
    while True:
        contracted = engine.keep(_small_star(_large_star(links)).distinct(), hashes=hashes)
        engine.release(links)
        links, now = contracted, (engine.count(contracted), engine.total(contracted, "hashes"))
        if now == before:
            break
        before = now
    linked = links.select(sf.col("one").alias("number"), sf.col("other").alias("root"))
    roots = linked.select("root").distinct().select(sf.col("root").alias("number"), "root")
    return engine.keep(linked.unionByName(roots))


def _large_star(links: DataFrame) -> DataFrame:
    """Tie the larger neighbours of every end to the smallest of them all and itself.

    In all links, those given and those returned, `one` is larger than `other`; some may occur twice.
    """
    turned = links.select(sf.col("other").alias("one"), sf.col("one").alias("other"))
    around = links.unionByName(turned).withColumn("least", sf.least("one", _least()))
    return around.where("other > one").select(sf.col("other").alias("one"), sf.col("least").alias("other"))


def _small_star(links: DataFrame) -> DataFrame:
    """Tie every end and its smaller neighbours to the smallest of these; its own link is that of the end."""
    around = links.withColumn("least", _least())
    end = sf.when(sf.col("other") == sf.col("least"), sf.col("one")).otherwise(sf.col("other"))
    return around.select(end.alias("one"), sf.col("least").alias("other"))


def _least() -> Column:
    """Return the smallest neighbour of an end."""
    return sf.min("other").over(Window.partitionBy("one"))
