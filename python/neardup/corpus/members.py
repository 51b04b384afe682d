"""Members of a compressed file, one after another: gzip members and Zstandard frames."""

import re
import zlib
from collections.abc import Callable
from contextlib import suppress
from io import BufferedReader, BytesIO, RawIOBase
from typing import Any, BinaryIO, NamedTuple, Protocol

from neardup.corpus.expansion import import_zstd

_LEAST, _MOST = 1 << 14, 1 << 18
"""Bytes passed to a library at once: few at first, because bytes after a small member are read again."""
_SMALL = 1 << 18
"""Maximum bytes of content in memory at once."""
_BEGINNING = 1 << 12
"""Bytes of content that show how a member begins."""
_LARGEST_DICTIONARY = 64 << 20


class BrokenMemberError(ValueError):
    """A member that is damaged or ends too early."""


class _Stream(Protocol):
    """The stream of one member: that of a library, or like it."""

    @property
    def eof(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    @property
    def needs_input(self) -> bool: ...
    def decompress(self, data: bytes, max_length: int) -> bytes: ...


class _Gzip:
    """A stream of zlib, which keeps the bytes itself that it could not take yet."""

    def __init__(self) -> None:
        self._stream = zlib.decompressobj(zlib.MAX_WBITS | 16)

    @property
    def eof(self) -> bool:
        return self._stream.eof

    @property
    def unused_data(self) -> bytes:
        return self._stream.unused_data

    @property
    def needs_input(self) -> bool:
        return not self._stream.unconsumed_tail

    def decompress(self, data: bytes, max_length: int) -> bytes:
        return self._stream.decompress(self._stream.unconsumed_tail + data, max_length)


class Members(NamedTuple):
    """A kind of member."""

    name: str
    member: str
    """Name of one member in messages."""
    mark: re.Pattern[bytes]
    """Pattern of a place where a member may begin, to continue after damage."""
    most: int
    """Number of compressed bytes in which a member shows how its content begins."""
    little: int
    """Bytes of content to expand at once before damage: a library may return nothing from a call that fails."""
    open: Callable[[], _Stream]
    error: type[Exception]
    """Error of the library for damage."""
    has_skippable: bool
    """Whether frames without content may lie between members."""


GZIP = Members(
    "gzip", "gzip member", re.compile(rb"\x1f\x8b\x08(?=[\x00-\x1f])"), 1 << 12, 1 << 4, _Gzip, zlib.error, False
)


def zstd_members(file: BinaryIO) -> Members:
    """Return the kind of the frames of a file, with the dictionary at its beginning, if it has one.

    The dictionary is in a skippable frame of its own, itself compressed or not (IIPC, "Zstandard WARC", section 3).
    Raises `BrokenMemberError`.
    """
    zstd = import_zstd()
    file.seek(0)
    size = skippable(head) if (head := file.read(_HEAD)).startswith(_DICTIONARY) else None
    dictionary: Any = None
    if size is not None:
        content = file.read(size - _HEAD)
        if len(content) < size - _HEAD or size > _LARGEST_DICTIONARY:
            raise BrokenMemberError("the dictionary of the file ends too early, or is too large")
        try:
            if content.startswith(_FRAME):
                content = zstd.ZstdDecompressor().decompress(content, _LARGEST_DICTIONARY)
            dictionary = zstd.ZstdDict(content)
        except (zstd.ZstdError, ValueError) as error:
            raise BrokenMemberError(f"the dictionary of the file cannot be read: {error}") from error
    mark = re.compile(re.escape(_FRAME))
    # the first block of a frame is returned as a whole, and has at most 128 kB
    return Members(
        "zstd",
        "zstd frame",
        mark,
        _MOST,
        _BEGINNING,
        lambda: zstd.ZstdDecompressor(zstd_dict=dictionary),
        zstd.ZstdError,
        True,
    )


_FRAME, _DICTIONARY = b"\x28\xb5\x2f\xfd", b"\x5d\x2a\x4d\x18"
_SKIPPABLE = re.compile(rb"[\x50-\x5f]\x2a\x4d\x18")
_HEAD = 8


def is_zstd(begin: bytes) -> bool:
    """Whether a file begins with a frame, or with a dictionary for its frames."""
    return begin.startswith((_FRAME, _DICTIONARY))


def skippable(head: bytes) -> int | None:
    """Return the number of bytes of the skippable frame that begins with `head`; None for any other bytes."""
    if len(head) < _HEAD or not _SKIPPABLE.match(head):
        return None
    return _HEAD + int.from_bytes(head[4:_HEAD], "little")


class _Member(RawIOBase):
    """The content of the member that begins at the file's position, as a stream."""

    def __init__(self, file: BinaryIO, members: Members) -> None:
        self._file = file
        self._members = members
        self._stream = members.open()
        self._step = _LEAST
        self.content = b""
        self.is_at_end = False

    def expand(self, most: int) -> bytes:
        """Expand the next piece, which may be empty; at the end of the member the file is positioned after it."""
        stream = self._stream
        fed = self._file.read(self._step) if stream.needs_input else b""
        if stream.needs_input and not fed:
            raise BrokenMemberError(f"the {self._members.member} ends too early")
        self._step = min(self._step * 2, _MOST)
        try:
            piece = stream.decompress(fed, most)
        except self._members.error as error:
            raise BrokenMemberError(f"not a {self._members.member}, or a damaged one: {error}") from error
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


def open_member(file: BinaryIO, members: Members) -> BinaryIO | None:
    """Open the member that begins at the file's position; None if it has no content.

    Once the member is read to its end, the file is positioned after it. Opening and reading raise `BrokenMemberError`.
    """
    member = _Member(file, members)
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


def read_beginning(data: bytes, members: Members) -> bytes:
    """Expand the beginning of a member as far as possible, up to some thousand bytes."""
    stream = members.open()
    content = b""
    with suppress(members.error):
        while len(content) < _BEGINNING and not stream.eof and (piece := stream.decompress(data, members.little)):
            content, data = content + piece, b""
    return content
