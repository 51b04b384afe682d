"""Files cut at every byte: the cut is noticed, except exactly between records, members and frames."""

import json
from collections.abc import Callable, Iterable, Iterator
from io import BytesIO
from itertools import accumulate
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import neardup
from framed import arc_records, gzipped, sized, streamed, texts, warc_records
from neardup import DataError


class Cut(NamedTuple):
    """A file, with the number of documents before each length at which a cut cannot be noticed."""

    name: str
    content: bytes
    ends: dict[int, int]
    notes: frozenset[int] = frozenset()
    """Lengths at which a last line without a line end is read and noted."""
    is_by_parts: bool = True
    """Whether each of its parts has at most one document."""


def joined(name: str, parts: Iterable[tuple[bytes, int]]) -> Cut:
    """Join parts, each with its number of documents; a cut between parts cannot be noticed."""
    contents, counts = zip(*parts, strict=True)
    ends = zip(accumulate(map(len, contents)), accumulate(counts), strict=True)
    return Cut(name, b"".join(contents), {0: 0, **dict(ends)})


def lines() -> list[tuple[bytes, int]]:
    return [(json.dumps({"text": text}, ensure_ascii=False).encode() + b"\n", 1) for text in texts()]


def rows() -> list[tuple[bytes, int]]:
    return [
        (b"number,text\n", 0),
        *((f'{number},"{text}, ""said"""\n'.encode(), 1) for number, text in enumerate(texts())),
    ]


PACKERS: dict[str, list[Callable[[bytes], bytes]]] = {
    "gz": [gzipped],
    "zst": [sized, streamed],
}


def one_by_one(name: str, parts: list[tuple[bytes, int]], packer: Callable[[bytes], bytes]) -> Cut:
    return joined(name, [(packer(part), count) for part, count in parts])


def at_once(name: str, parts: list[tuple[bytes, int]], packer: Callable[[bytes], bytes]) -> Cut:
    whole = joined(name, [(packer(b"".join(part for part, _ in parts)), sum(count for _, count in parts))])
    return whole._replace(is_by_parts=False)


def packed() -> Iterable[Cut]:
    for form, parts in {"warc": warc_records(), "arc": arc_records()}.items():
        yield one_by_one(f"a.{form}.gz", parts, gzipped)
    for form, parts in {"jsonl": lines(), "csv": rows(), "txt": [(b"a whole text\n", 1)]}.items():
        for suffix, packers in PACKERS.items():
            for packer in packers:
                yield one_by_one(f"a.{form}.{suffix}", parts, packer)
                yield at_once(f"a.{form}.{suffix}", parts, packer)


def parquet(compression: str) -> Cut:
    out = BytesIO()
    pq.write_table(pa.table({"text": texts(), "id": list(range(4))}), out, compression=compression, row_group_size=2)
    return joined("a.parquet", [(out.getvalue(), 4)])


def arrow_stream(codec: str | None) -> Cut:
    out, parts = BytesIO(), list[tuple[bytes, int]]()
    rows = pa.table({"text": texts(), "id": list(range(4))})

    def part(documents: int) -> None:
        parts.append((out.getvalue()[sum(len(before) for before, _ in parts) :], documents))

    with pa.ipc.new_stream(out, rows.schema, options=pa.ipc.IpcWriteOptions(compression=codec)) as writer:
        part(0)
        for batch in rows.to_batches(max_chunksize=2):
            writer.write_batch(batch)
            part(2)
    part(0)
    return joined("a.arrows", parts)


def arrow_file(codec: str | None) -> Cut:
    out = BytesIO()
    rows = pa.table({"text": texts(), "id": list(range(4))})
    with pa.ipc.new_file(out, rows.schema, options=pa.ipc.IpcWriteOptions(compression=codec)) as writer:
        writer.write_table(rows, max_chunksize=2)
    return joined("a.arrow", [(out.getvalue(), 4)])._replace(is_by_parts=False)


def of_lines(name: str, parts: list[tuple[bytes, int]]) -> Cut:
    """Join lines, which may also be cut before their line end: they are read, and the run notes it."""
    whole = joined(name, parts)
    before = {end - 1: count for end, count in whole.ends.items() if count}
    return whole._replace(ends=whole.ends | before, notes=frozenset(before))


def arc() -> Cut:
    """Return an ARC file, in which a record is whole even without the line end before the next record."""
    whole = joined("a.arc", arc_records())
    return whole._replace(ends=whole.ends | {end - 1: count for end, count in whole.ends.items() if end})


def table(name: str, parts: list[tuple[bytes, int]], separator: bytes) -> Cut:
    """Join rows; a last row is read if it has all fields and no quote of CSV is open.

    A part of its last field may be missing.
    """
    whole = joined(name, parts)
    ends, notes, before = dict(whole.ends), set[int](), 0
    for end in sorted(whole.ends)[1:]:
        for length in range(before + 1, end):
            row = whole.content[before:length]
            is_head = before == 0
            # A quote is open, or a multi-byte character is cut.
            is_open = (separator == b"," and row.count(b'"') % 2 == 1) or "\ufffd" in row.decode(errors="replace")
            if row == whole.content[: end - 1] if is_head else separator in row and not is_open:
                ends[length] = whole.ends[before] + (not is_head)
                notes |= set() if is_head else {length}
        before = end
    return whole._replace(ends=ends, notes=frozenset(notes))


def tabbed() -> list[tuple[bytes, int]]:
    return [(b"number\ttext\n", 0), *((f'{number}\t"{text}\n'.encode(), 1) for number, text in enumerate(texts()))]


CUTS = [
    joined("a.warc", warc_records()),
    arc(),
    of_lines("a.jsonl", lines()),
    table("a.csv", rows(), b","),
    table("a.tsv", tabbed(), b"\t"),
    *packed(),
    *map(parquet, ("none", "snappy", "zstd", "gzip", "brotli", "lz4")),
    *map(arrow_stream, (None, "lz4", "zstd")),
    *map(arrow_file, (None, "lz4", "zstd")),
]


def read(path: Path, **options: Any) -> tuple[int, int, bool]:
    """Return the numbers of documents and rejects, and whether a line without a line end is noted."""
    summary = neardup.dedup(path, scheme="words | shingles:2 | digest | each | equal", **options).summary
    is_noted = any("no line end" in note for note in summary["notes"])
    return summary["counts"]["documents"], summary["records"]["rejected"], is_noted


def faults(cut: Cut, length: int, path: Path) -> Iterator[str]:
    """Yield the faults of a run over the file cut at `length`."""
    path.write_bytes(cut.content[:length])
    before = max(count for end, count in cut.ends.items() if end <= length and end not in cut.notes)
    try:
        found, _, is_noted = read(path)
    except DataError as error:
        if cut.name not in str(error):
            yield f"the file is not named: {error}"
        if length in cut.ends and length:
            yield str(error)
        if "skip" in str(error):
            found, rejected, _ = read(path, on_error="skip")
            # The last bytes of a truncated stream may be a whole line.
            most = before + 1 if cut.is_by_parts else max(cut.ends.values())
            if not before <= found <= most or rejected == 0:
                yield f"skipped: {found} documents, {rejected} rejected"
        return
    if cut.ends.get(length) != found or is_noted != (length in cut.notes):
        yield f"{found} documents, noted: {is_noted}"


@pytest.mark.parametrize("cut", CUTS, ids=lambda cut: f"{cut.name}-{len(cut.content)}")
def test_a_file_that_ends_early(cut: Cut, tmp_path: Path, deep: bool) -> None:
    """For an empty file with a compressed suffix, an error is as good as no document."""
    assert max(cut.ends.values()) > 0
    every = range(len(cut.content) + 1)
    near = {end + step for end in cut.ends for step in (-1, 0, 1)} & set(every)
    lengths = sorted(every if deep else near | set(Random(cut.name).sample(every, 20)))
    found = {length: list(faults(cut, length, tmp_path / cut.name)) for length in lengths}
    assert {length: faults for length, faults in found.items() if faults} == {}
