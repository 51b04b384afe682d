"""Batches: rows as tasks receive and return them."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import DataFrame, SparkSession

Batches = Iterator[pa.RecordBatch]
Kernel = Callable[[Batches], Batches]
"""The function of a task, which maps the rows of a partition to other rows."""


def names_of(columns: str) -> list[str]:
    """Return the names of the columns of a schema in Spark's notation, whose types have no commas."""
    return [column.split()[0] for column in columns.split(", ")]


def runs_of(batches: Batches, name: str) -> Iterator[pa.Table]:
    """Yield a table for each run of equal values in a column; all rows together if there is no such column."""
    rows: list[pa.RecordBatch] = []
    last = None
    for batch in batches:
        values = batch[name] if name in batch.schema.names else pa.array([0] * len(batch))
        runs, start = pc.run_end_encode(values), 0
        for value, end in zip(runs.values.to_pylist(), runs.run_ends.to_pylist(), strict=True):
            if rows and value != last:
                yield pa.Table.from_batches(rows)
                rows = []
            rows.append(batch.slice(start, end - start))
            last, start = value, end
    if rows:
        yield pa.Table.from_batches(rows)


def table_of(session: SparkSession, rows: Sequence[tuple[Any, ...]], schema: str) -> DataFrame:
    """Make a table of rows through Arrow: otherwise tasks would read Python objects at every use of the table."""
    columns = {name: [row[place] for row in rows] for place, name in enumerate(names_of(schema))}
    return session.createDataFrame(pa.table(columns), schema)


def pack(rows: pa.RecordBatch | pa.Table) -> bytes:
    """Pack rows into one value."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, rows.schema) as stream:
        stream.write(rows)
    packed: bytes = sink.getvalue().to_pybytes()
    return packed


def unpack(packed: Iterable[bytes | pa.Buffer]) -> Iterator[pa.RecordBatch]:
    """Yield the batches of packed values."""
    for stream in packed:
        yield from pa.ipc.open_stream(stream)
