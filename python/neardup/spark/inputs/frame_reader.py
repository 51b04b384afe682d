"""A DataFrame as a stream: its rows are brought to this machine, one partition at a time."""

from collections.abc import Iterator
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from neardup.spark.inputs.frames import needed
from neardup.spark.session.batches import Batches, pack, unpack


def stream_of(frame: DataFrame, options: dict[str, Any]) -> pa.RecordBatchReader:
    """Return the documents of a DataFrame in the order of their ids, as an Arrow stream of the wanted columns.

    `options` name the fields, as the core takes them; `UsageError` without a field of ids.
    """
    rows = needed(frame, options)
    rows = rows.orderBy(sf.col(f"`{options['id_field']}`").cast("string"))
    schema = rows.limit(0).toArrow().schema
    return pa.RecordBatchReader.from_batches(schema, unpack(values_of(rows.mapInArrow(pack_batches, "rows binary"))))


def pack_batches(batches: Batches) -> Batches:
    """Pack every batch into one value, because Spark passes data to the driver only as rows."""
    for batch in batches:
        yield pa.record_batch({"rows": pa.array([pack(batch)], pa.binary())})


def values_of(column: DataFrame) -> Iterator[bytes]:
    """Return the values of a table of one column of bytes, in the order of its rows.

    It uses the local iterator of the rows, not that of the table: Spark would retain the jobs of the latter, which
    outlive their query, with all data that they were made from.
    """
    return (bytes(row[0]) for row in column.rdd.toLocalIterator(prefetchPartitions=True))
