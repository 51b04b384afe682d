"""Batches: rows as tasks take and give them."""

from collections.abc import Callable, Iterator

import pyarrow as pa
import pyarrow.compute as pc

Batches = Iterator[pa.RecordBatch]
Kernel = Callable[[Batches], Batches]
"""What a task does: rows of a partition become others."""


def names_of(columns: str) -> list[str]:
    """Name the columns of a schema as Spark writes it, whose types have no commas."""
    return [column.split()[0] for column in columns.split(", ")]


def runs_of(batches: Batches, name: str) -> Iterator[pa.Table]:
    """Yield the rows of one value of a column after another, which follow each other; all where there is no column."""
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
