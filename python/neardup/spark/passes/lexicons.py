"""Lexicons: the counts that a pass makes over its documents before it signs them."""

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
from pyspark import Broadcast
from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as sf

from neardup import _core
from neardup.errors import UsageError
from neardup.spark.frames.documents import Documents
from neardup.spark.passes.tasks import Options
from neardup.spark.session.batches import Batches

if TYPE_CHECKING:
    from neardup.spark.session.operations import SparkOperations

SALTS = 64
"""Number of parts of a host that are sampled separately first, so that no task does a large host alone."""


def count_lexicon(engine: "SparkOperations", documents: Documents, options: Options) -> Broadcast[bytes]:
    """Count the lexicon of a pass, and send its file to all executors."""
    line = options.core["scheme"]
    counts = _core.what_counts(line)
    if counts is None:
        raise UsageError("scheme: it counts nothing")
    if counts == (0, 0):
        rows = engine.keep(count(engine, documents.table.withColumn("group", sf.lit(0).cast("bigint")), options))
        total = rows.where("term is null").agg(sf.sum("documents")).first()
        documents_by_term = rows.where("term is not null").groupBy("term").agg(sf.sum("documents").alias("documents"))
        number = 0 if total is None else int(total[0] or 0)
    else:
        number, documents_by_term = find_frames(engine, documents, options, *counts)
    terms = documents_by_term.toArrow()
    columns = [terms[column].combine_chunks() for column in ("term", "documents")]
    with tempfile.NamedTemporaryFile(suffix=".parquet") as file:
        _core.write_lexicon(line, number, columns[0], columns[1], file.name)
        return engine.session.sparkContext.broadcast(Path(file.name).read_bytes())


def count(engine: "SparkOperations", documents: DataFrame, options: Options) -> DataFrame:
    """Count the documents of each group in which a term occurs, part by part; a null term counts all documents."""
    return engine.map(documents, Count(options), "group bigint, term bigint, documents bigint")


def find_frames(
    engine: "SparkOperations", documents: Documents, options: Options, numerator: int, denominator: int
) -> tuple[int, DataFrame]:
    """Return the number of sampled documents, and (term, documents) for terms above a share of a host's documents."""
    why = "scheme: frame= finds hosts by their URLs, and"
    if not options.core.get("url_field"):
        raise UsageError(f"{why} no field with URLs is named: name it, as --url-field url")
    pages = documents.map(engine, Hosts(options), f"number {documents.number}, host bigint, text bigint")
    texts = engine.keep(pages.groupBy("host", "text").agg(sf.min("number").alias("number")))
    if engine.count(texts) == 0 and not documents.table.isEmpty():
        raise UsageError(f"{why} no document has a URL with a host: is another field that of the URLs?")
    hosts = texts.groupBy("host").agg(sf.count("*").alias("texts")).where(sf.col("texts") >= _core.frame_least)
    sample = texts
    for parts in ([sf.col("host"), sf.pmod("text", sf.lit(SALTS))], [sf.col("host")]):
        place = sf.row_number().over(Window.partitionBy(*parts).orderBy("text"))
        sample = sample.withColumn("place", place).where(sf.col("place") <= _core.frame_most).drop("place")
    sample = engine.keep(sample.join(hosts, "host").select(sf.col("host").alias("group"), "texts", "number"))
    sizes = sample.groupBy("group", "texts").agg(sf.count("*").alias("sample"))
    counted = count(engine, documents.table.join(sample.drop("texts"), "number"), options).where("term is not null")
    counted = counted.groupBy("group", "term").agg(sf.sum("documents").alias("documents")).join(sizes, "group")
    above = sf.col("documents") * denominator > sf.col("sample") * numerator
    known = sf.col("documents") * sf.col("texts") >= _core.frame_least * sf.col("sample")
    frame = counted.where(above & known).groupBy("term").agg(sf.sum("documents").alias("documents"))
    return engine.count(sample), frame


@dataclass(frozen=True)
class Count:
    """Kernel that counts, for each group, the documents and those that contain each term."""

    options: Options

    def __call__(self, batches: Batches) -> Batches:
        tasks = self.options.tasks()
        for batch in batches:
            yield from pa.table(tasks.count([batch], batch["group"])).to_batches()


@dataclass(frozen=True)
class Hosts:
    """Kernel that returns the hosts and texts of documents as hashes; documents without a host are left out."""

    options: Options

    def __call__(self, batches: Batches) -> Batches:
        tasks = self.options.tasks()
        for batch in batches:
            hosts = pa.table(tasks.hosts([batch]))
            numbers = pa.chunked_array([batch["number"]]).take(hosts["row"])
            yield from pa.table({"number": numbers, "host": hosts["host"], "text": hosts["text"]}).to_batches()
