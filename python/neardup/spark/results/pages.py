"""Columns that name the page of a document: its URL, host and date, and its place in an archive."""

from collections.abc import Mapping
from dataclasses import replace

from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from neardup.spark.frames.documents import Documents
from neardup.spark.results.tables import Table

ARCHIVED = ("date", "offset", "length")


def add_pages(table: Table, ends: Mapping[str, str], documents: Documents, signed: DataFrame) -> Table:
    """Add the page of each of the documents whose numbers are in the columns `ends`, with the prefix of each."""
    if not documents.has_urls:
        return table
    rows, added = table.rows, []
    for number, prefix in ends.items():
        pages = [sf.col(name).alias(f"{prefix}{name}") for name in ("url", "host")]
        if documents.has_archives:
            archived = documents.is_archived("number")
            pages += [sf.when(archived, sf.col(name)).alias(f"{prefix}{name}") for name in ARCHIVED]
        named = signed.select(sf.col("number").alias(number), *pages)
        added += [name for name in named.columns if name != number]
        rows = rows.join(named, number, "left")
    return replace(table, rows=rows, columns=(*table.columns, *added))
