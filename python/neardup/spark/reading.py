"""A DataFrame as a stream: its rows come to this machine, a partition at a time."""

from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame

from neardup.spark.batches import Batches
from neardup.spark.documents import take_frames
from neardup.spark.parcels import pack, unpack


def stream_of(frame: DataFrame, options: dict[str, Any]) -> pa.RecordBatchReader:
    """Give the documents of a DataFrame in the order of their ids, as an Arrow stream of the columns asked for.

    `options` name the fields, as the core takes them; `UsageError` without a field of ids.
    """
    rows = take_frames([frame], (), options).table.orderBy("number").drop("number", "side")
    schema = rows.limit(0).toArrow().schema
    packed = rows.mapInArrow(pack_batches, "rows binary").toLocalIterator(prefetchPartitions=True)
    return pa.RecordBatchReader.from_batches(schema, unpack(bytes(row["rows"]) for row in packed))


def pack_batches(batches: Batches) -> Batches:
    """Make one value of every batch, as Spark gives rows to the driver as rows alone."""
    for batch in batches:
        yield pa.record_batch({"rows": pa.array([pack(batch)], pa.binary())})
