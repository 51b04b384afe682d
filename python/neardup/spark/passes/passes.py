"""A pass: documents are signed, those that may meet are brought together, and each family is compared in one task."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as sf

from neardup import _core
from neardup.spark.frames.documents import INPUT, REFERENCE, Documents
from neardup.spark.frames.rejects import NEVER
from neardup.spark.passes.comparison import Comparing
from neardup.spark.passes.components import connect
from neardup.spark.passes.families import compare
from neardup.spark.passes.key_groups import link
from neardup.spark.passes.lexicons import count_lexicon
from neardup.spark.passes.one_pass import Common, Pass, find_common
from neardup.spark.passes.tasks import Sign
from neardup.spark.session.batches import table_of

if TYPE_CHECKING:
    from neardup.spark.session.operations import SparkOperations


def find_copies(signed: DataFrame) -> DataFrame:
    """Return all documents that have exact copies: number, side, raw, first, members, `represents`.

    Copies have an equal digest of their tokens. `first` (number, raw, size, side) is the first of them in policy order,
    `members` their number. When documents are compared, the first represents the others (`represents`); if it is of the
    reference, the first of the input does so, too.
    """
    named = signed.where("lexical is not null").select("lexical", "number", "side", "place", "raw", "size")
    alike = Window.partitionBy("lexical")
    groups = {
        "first": sf.min(sf.struct("place", "number", "raw", "size", "side")),
        "first_input": sf.min(sf.when(sf.col("side") == INPUT, sf.struct("place", "number"))),
        "members": sf.count("*"),
    }
    members = named.withColumns({name: aggregate.over(alike) for name, aggregate in groups.items()}).where(
        "members > 1"
    )
    is_second = (sf.col("first.side") == REFERENCE) & (sf.col("number") == sf.col("first_input.number"))
    represents = (sf.col("number") == sf.col("first.number")) | sf.coalesce(is_second, sf.lit(False))
    first = sf.struct("first.number", "first.raw", "first.size", "first.side")
    return members.select("number", "side", "raw", first.alias("first"), "members", represents.alias("represents"))


BY_LENGTH = ("longest", "shortest")
"""Policies that count tokens, which may differ from pass to pass."""


@dataclass(frozen=True)
class PassFindings:
    """The findings of a pass."""

    signed: DataFrame
    """A row for every document: the columns of `Sign` except keys, and its `place` in policy order."""
    members: DataFrame
    """The groups of exact copies, see `find_copies`."""
    common: Common
    """The common keys of these documents."""
    rows: DataFrame
    """The findings among documents, without exact copies, see `Compare`."""


def sign_documents(
    engine: "SparkOperations", documents: Documents, one: Pass, first: DataFrame | None
) -> tuple[Pass, DataFrame]:
    """Count the lexicon of a pass if it needs one, then sign, see `sign`; return the pass with its lexicon, too."""
    if _core.what_counts(one.options.core["scheme"]) is not None:
        with engine.watch.phase("count", one.number):
            one = replace(one, options=replace(one.options, lexicon=count_lexicon(engine, documents, one.options)))
    with engine.watch.phase("sign", one.number):
        signed = keep_signed(engine, sign(engine, documents, one, first))
        engine.watch.documents = engine.count(signed)
        return one, signed


def keep_signed(engine: "SparkOperations", signed: DataFrame) -> DataFrame:
    """Keep signed documents, with the totals of `bad` ones, of those that are `lacking` something, and of `keys`."""
    totals = {"bad": sf.count("reason"), "lacking": sf.count_if(sf.col("lacks") > 0), "keys": sf.sum(sf.size("keys"))}
    return engine.keep(signed, **totals)


def find(engine: "SparkOperations", documents: Documents, signed: DataFrame, one: Pass) -> PassFindings:
    """Run the verbs of a pass over signed documents."""
    with engine.watch.phase("arrange", one.number):
        keyed, signed = signed, engine.keep(signed.drop("keys", "sketch"))
        members = engine.keep(find_copies(signed))
        linked = engine.keep(link(engine, documents, keyed, members, one))
        engine.release(keyed)
        common = find_common(linked, one)
        links = linked.where("right is not null")
        if common.dropped:
            keys = table_of(engine.session, [(key,) for key in common.dropped], "key bigint")
            links = links.join(keys, "key", "left_anti")
        families = connect(engine, links.select("left", "right"))
    with engine.watch.phase("compare", one.number):
        rows = engine.keep(compare(Comparing(engine, documents, one, common), families, signed))
    return PassFindings(signed, members, common, rows)


def sign(engine: "SparkOperations", documents: Documents, one: Pass, first: DataFrame | None) -> DataFrame:
    """Sign documents, and add their places in policy order.

    For a later pass, `first` has the signed documents of the first: its tokens are the length of a document in all
    passes.
    """
    columns = f"number {documents.number}, side int, {Sign.columns}"
    signed = documents.map(engine, Sign(one.options, documents.are_read, documents.has_archives), columns)
    if first is not None and one.keep in BY_LENGTH:
        return signed.join(first.select("number", "place"), "number").drop("time", "rank")
    by_id = one.keep != "first" and documents.are_numbered and documents.has_ids
    return signed.withColumn("place", place(one.keep, "id" if by_id else "number")).drop("time", "rank")


def place(keep: str, tie: str) -> Column:
    """Return the place in policy order: the reference first, then by rank, policy and tie."""
    keys = {
        "first": sf.lit(0).cast("bigint"),
        "earliest": sf.coalesce("time", sf.lit(NEVER)),
        "latest": sf.coalesce(-sf.col("time"), sf.lit(NEVER)),
        "longest": -sf.col("tokens").cast("bigint"),
        "shortest": sf.col("tokens").cast("bigint"),
    }
    return sf.struct("side", "rank", keys[keep].alias("key"), sf.col(tie).alias("tie"))
