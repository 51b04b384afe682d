"""A DataFrame as a stream: its rows come to this machine, a partition at a time."""

from collections.abc import Iterator
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame

from neardup.spark.frames.documents import take_frames
from neardup.spark.session.batches import Batches, pack, unpack


def stream_of(frame: DataFrame, options: dict[str, Any]) -> pa.RecordBatchReader:
    """Return the documents of a DataFrame in the order of their ids, as an Arrow stream of the columns asked for.

    `options` name the fields, as the core takes them; `UsageError` without a field of ids.
    """
    rows = take_frames([frame], (), options).table.orderBy("number").drop("number", "side")
    schema = rows.limit(0).toArrow().schema
    return pa.RecordBatchReader.from_batches(schema, unpack(values_of(rows.mapInArrow(pack_batches, "rows binary"))))


def pack_batches(batches: Batches) -> Batches:
    """Make one value of every batch, as Spark gives rows to the driver as rows alone."""
    for batch in batches:
        yield pa.record_batch({"rows": pa.array([pack(batch)], pa.binary())})


def values_of(column: DataFrame) -> Iterator[bytes]:
    """Return the values of a table of one column of bytes, in the order of its rows.

    It is the local iterator of the rows, not that of the table: Spark would hold on to the jobs of the latter, which
    outlive the query that they belong to, and to all that they were made of.
    """
    return (bytes(row[0]) for row in column.rdd.toLocalIterator(prefetchPartitions=True))
