"""Heads: the parts of a remote file from which its format, its fields and its size are known."""

import os
from collections.abc import Callable
from pathlib import PurePath
from typing import Any, BinaryIO

HEAD = 64 << 10
"""Bytes from which the format of a plain file is known."""
HEAD_OF_COMPRESSED = 1 << 20
LONGEST_LINE = 16 << 20
"""Maximum number of bytes of the first line of JSON."""
FOOTERS = {".parquet": 8, ".arrow": 10, ".feather": 10, ".ipc": 10}
"""Bytes at the end of a file of columns, by suffix: first the length of the footer before them."""
COMPRESSED = (".bgz", ".bz2", ".gz", ".gzip", ".lz4", ".xz", ".zst", ".zstd")

Span = tuple[int, int]


def write_part(source: Any, target: BinaryIO, needed: Callable[[Any], list[Span]]) -> None:
    """Write the needed spans of a file at their places; what lies between takes no space on the disk."""
    target.truncate(source.size())
    for start, end in needed(source):
        target.seek(start)
        target.write(source.read_at(end - start, start))


def head_of(name: str) -> Callable[[Any], list[Span]]:
    """Return a function that finds the spans from which the format and the fields of a file of this name are known."""
    suffixes = [suffix.lower() for suffix in PurePath(name).suffixes]
    last = suffixes[-1] if suffixes else ""

    def spans(source: Any) -> list[Span]:
        size = source.size()
        if name == ".neardup":
            return [(0, size)]
        if last in FOOTERS:
            return [(0, min(HEAD, size)), (max(0, size - footer_of(source, FOOTERS[last])), size)]
        if last in COMPRESSED:
            return [(0, min(LONGEST_LINE if ".json" in suffixes else HEAD_OF_COMPRESSED, size))]
        line = end_of_line(source, 0, LONGEST_LINE) if last == ".json" else 0
        return [(0, max(line, min(HEAD, size)))]

    return spans


def lines_of(name: str, start: int, end: int) -> Callable[[Any], list[Span]]:
    """Return a function that finds the spans of the lines that begin in a range of bytes, and the head."""

    def spans(source: Any) -> list[Span]:
        # A line begins after the line end before it.
        first, last = max(start - 1, 0), min(end, source.size())
        return [*head_of(name)(source), (first, end_of_line(source, max(last - 1, 0)))]

    return spans


def end_of_line(source: Any, at: int, most: int | None = None) -> int:
    """Return where the first line end at `at` or later ends, or where the file ends; after `most` bytes it gives up."""
    size: int = source.size()
    last = size if most is None else min(size, at + most)
    while at < last:
        piece = source.read_at(min(HEAD, last - at), at)
        found = piece.find(b"\n")
        if found >= 0:
            return at + int(found) + 1
        at += len(piece)
    return last


def footer_of(source: Any, ending: int) -> int:
    """Return the number of bytes of a footer that ends with its length and a mark."""
    size: int = source.size()
    end = source.read_at(min(ending, size), max(0, size - ending))
    return min(size, int.from_bytes(end[:4], "little") + ending)


def set_time(path: str | os.PathLike[str], nanoseconds: int | None) -> None:
    """Set the modification time of a file, if it is known."""
    if nanoseconds is not None:
        os.utime(path, ns=(nanoseconds, nanoseconds))
