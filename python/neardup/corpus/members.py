"""Gzip members of a file, one after another."""

import zlib
from contextlib import suppress
from io import BufferedReader, BytesIO, RawIOBase
from typing import BinaryIO

_LEAST, _MOST = 1 << 14, 1 << 18
"""Bytes passed to zlib at once: few at first, because bytes after a small member are read again."""
_SMALL = 1 << 18
"""Maximum bytes of content in memory at once."""
_BEGINNING, _LITTLE = 1 << 12, 1 << 4


class BrokenMemberError(ValueError):
    """A gzip member that is damaged or ends too early."""


class _Member(RawIOBase):
    """The content of the member that begins at the file's position, as a stream."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._stream = zlib.decompressobj(zlib.MAX_WBITS | 16)
        self._step = _LEAST
        self.content = b""
        self.is_at_end = False

    def expand(self, most: int) -> bytes:
        """Expand the next piece, which may be empty; at the end of the member the file is positioned after it."""
        stream = self._stream
        fed = stream.unconsumed_tail or self._file.read(self._step)
        if not fed:
            raise BrokenMemberError("the gzip member ends too early")
        self._step = min(self._step * 2, _MOST)
        try:
            piece = stream.decompress(fed, most)
        except zlib.error as error:
            raise BrokenMemberError(f"not a gzip member, or a damaged one: {error}") from error
        if stream.eof:
            self.is_at_end = True
            self._file.seek(-len(stream.unused_data), 1)
        return piece

    def readable(self) -> bool:
        return True

    def readinto(self, target: bytearray | memoryview) -> int:  # type: ignore[override]
        while not (self.content or self.is_at_end):
            self.content = self.expand(_SMALL)
        count = min(len(target), len(self.content))
        target[:count], self.content = self.content[:count], self.content[count:]
        return count


def open_member(file: BinaryIO) -> BinaryIO | None:
    """Open the member that begins at the file's position; None if it has no content.

    Once the member is read to its end, the file is positioned after it. Opening and reading raise `BrokenMemberError`.
    """
    member = _Member(file)
    pieces: list[bytes] = []
    left = _SMALL
    while left > 0 and not member.is_at_end:
        pieces.append(member.expand(left))
        left -= len(pieces[-1])
    content = b"".join(pieces)
    if member.is_at_end:
        return BytesIO(content) if content else None
    member.content = content
    return BufferedReader(member, _SMALL)


def read_beginning(data: bytes) -> bytes:
    """Expand the beginning of a member as far as possible, up to some thousand bytes."""
    stream = zlib.decompressobj(zlib.MAX_WBITS | 16)
    content = b""
    # zlib returns nothing from a call that fails, so each call expands only a few bytes
    with suppress(zlib.error):
        while len(content) < _BEGINNING and (piece := stream.decompress(data, _LITTLE)):
            content, data = content + piece, stream.unconsumed_tail
    return content
