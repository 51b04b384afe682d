"""Batches: rows as tasks receive and return them."""

from collections.abc import Iterable, Iterator

import pyarrow as pa

Batches = Iterator[pa.RecordBatch]


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
