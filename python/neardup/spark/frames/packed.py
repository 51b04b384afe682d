"""Parcels: batches of rows that travel as one value, where Spark would take up every row by itself."""

from collections.abc import Iterable, Iterator

import pyarrow as pa


def pack(rows: pa.RecordBatch | pa.Table) -> bytes:
    """Make one value of rows."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, rows.schema) as stream:
        stream.write(rows)
    packed: bytes = sink.getvalue().to_pybytes()
    return packed


def unpack(parcels: Iterable[bytes | pa.Buffer]) -> Iterator[pa.RecordBatch]:
    """Make batches again of what was packed."""
    for parcel in parcels:
        yield from pa.ipc.open_stream(parcel)
