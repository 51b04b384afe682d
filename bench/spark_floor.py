#!/usr/bin/env python3
"""Do with Spark's own operations what a run on Spark cannot do without: the floor of `dedup --engine spark`.

usage: spark_floor.py DOCS.jsonl OUT [--keys N] [--copies N] [--cores N]

No text is looked at. One kernel makes --keys rows of fixed width for each document, as many as the scheme has; of every
--copies documents, one shares all its keys with the document before it. Spark groups the rows by key, joins the
documents of each group to their texts, brings those of a group together, joins one verdict a document back to its row,
and writes the verdicts and the kept lines as Parquet, below OUT.
"""

import argparse
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from neardup.spark.session.session import open_session

MIX = 0x9E37_79B9_7F4A_7C15
"""Mixes the numbers of documents and keys: odd, by the golden ratio."""


def make_keys(keys: int, copies: int) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """Return a kernel that takes numbers of documents, and returns rows of key and number."""

    def kernel(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            numbers = batch["number"].to_numpy()
            # the last document of every `copies` has the keys of the one before it
            originals = numbers - (numbers % copies == copies - 1)
            mixed = originals.astype(np.uint64)[:, None] * np.uint64(keys) + np.arange(keys, dtype=np.uint64)
            made = (mixed * np.uint64(MIX)).astype(np.int64).ravel()
            yield pa.record_batch({"key": made, "number": np.repeat(numbers, keys)})

    return kernel


def decide(docs: DataFrame, keys: int, copies: int) -> DataFrame:
    """Return the verdict on each document that shares a key: number, family."""
    rows = docs.select("number").mapInArrow(make_keys(keys, copies), "key bigint, number bigint")
    groups = rows.groupBy("key").agg(sf.collect_list("number").alias("members")).where("size(members) > 1")
    members = groups.select(sf.array_min("members").alias("family"), sf.explode("members").alias("number"))
    candidates = members.groupBy("number").agg(sf.min("family").alias("family"))
    texts = candidates.join(docs, "number")
    families = texts.groupBy("family").agg(sf.collect_list(sf.struct("number", "value")).alias("members"))
    return families.select("family", sf.explode("members.number").alias("number"))


def main() -> None:
    """Run the job."""
    arguments = argparse.ArgumentParser(usage=__doc__)
    arguments.add_argument("docs", type=Path)
    arguments.add_argument("out", type=Path)
    arguments.add_argument("--keys", type=int, default=16)
    arguments.add_argument("--copies", type=int, default=4)
    arguments.add_argument("--cores", type=int, default=2)
    options = arguments.parse_args()
    settings = {"spark.driver.memory": "8g", "spark.log.level": "OFF", "spark.ui.enabled": "false"}
    with open_session(f"local[{options.cores}]", settings=settings) as session:
        docs = session.read.text(str(options.docs)).withColumn("number", sf.monotonically_increasing_id())
        verdicts = decide(docs, options.keys, options.copies)
        original = sf.coalesce("family", "number")
        kept = sf.when(original == sf.col("number"), sf.col("value"))
        rows = docs.join(verdicts, "number", "left").select("number", original.alias("original"), kept.alias("kept"))
        rows.write.parquet(str(options.out))


if __name__ == "__main__":
    main()
