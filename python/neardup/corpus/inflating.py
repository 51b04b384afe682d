"""Streams of zlib inside a body, which may end early: gzip and deflate."""

import zlib
from typing import NamedTuple

_LEAST, _MOST = 1 << 10, 1 << 18
"""Bytes given to zlib at once: a few first, since a body may be made of many small members."""
_GZIP = zlib.MAX_WBITS | 16
_WRAPPED = zlib.MAX_WBITS
_BARE = -zlib.MAX_WBITS


class Inflated(NamedTuple):
    """What could be read of a body."""

    content: bytes
    is_whole: bool
    """Whether it is made of whole members, and of nothing else."""
    error: str | None = None
    """What zlib says where nothing could be read because of damage."""


class TooLargeError(ValueError):
    """A content of more bytes than are allowed."""


def inflate(body: bytes, coding: str, most: int) -> Inflated:
    """Expand all members of a `gzip` body, or all streams of a `deflate` body, as far as they go.

    Raises `TooLargeError` for a content of more than `most` bytes.
    """
    view = memoryview(body)
    # some servers send the bare stream where the standard asks for the wrapped one; text may look like a wrapped one
    windows = (_GZIP,) if coding == "gzip" else (_WRAPPED, _BARE)
    error: str | None = None
    for window in windows:
        if not _begins(view, window):
            continue
        found = _inflate_all(view, window, most)
        if found.content or found.is_whole or not found.error:
            return found
        error = found.error
    return Inflated(b"", False, error or f"it does not begin as {coding} does")


def _inflate_all(view: memoryview, window: int, most: int) -> Inflated:
    pieces: list[bytes] = []
    at, room = 0, most
    while at < len(view):
        if at and not _begins(view[at:], window):
            return Inflated(b"".join(pieces), False)
        found, end, is_whole, error = _inflate_one(view[at:], window, room)
        # what follows a bare stream begins like anything
        if is_whole or not at or window != _BARE:
            pieces += found
            room -= sum(map(len, found))
        if not is_whole:
            content = b"".join(pieces)
            return Inflated(content, False, None if content else error)
        at += end
    return Inflated(b"".join(pieces), at > 0)


def _inflate_one(view: memoryview, window: int, room: int) -> tuple[list[bytes], int, bool, str | None]:
    """Expand one stream: its content, its length, whether it comes to its end, and what is wrong with it."""
    stream = zlib.decompressobj(window)
    pieces: list[bytes] = []
    at, step = 0, _LEAST
    while at < len(view):
        fed = view[at : at + step]
        before = stream.copy()
        try:
            piece = stream.decompress(fed, room + 1)
        except zlib.error as error:
            pieces += _inflate_bytewise(before, fed, room)
            return pieces, at, False, str(error)
        pieces.append(piece)
        room -= len(piece)
        if room < 0:
            raise TooLargeError
        at += len(fed) - len(stream.unused_data)
        if stream.eof:
            return pieces, at, True, None
        step = min(2 * step, _MOST)
    return pieces, at, False, None


def _inflate_bytewise(stream: "zlib._Decompress", fed: memoryview, room: int) -> list[bytes]:
    """Expand what stands before an error: zlib gives nothing of a call that meets one."""
    pieces: list[bytes] = []
    for at in range(len(fed)):
        try:
            piece = stream.decompress(fed[at : at + 1], room + 1)
        except zlib.error:
            break
        pieces.append(piece)
        room -= len(piece)
        if room < 0:
            raise TooLargeError
    return pieces


def _begins(view: memoryview, window: int) -> bool:
    if window == _GZIP:
        return view[:2] == b"\x1f\x8b"[: len(view)]
    if window == _WRAPPED:
        return len(view) > 1 and view[0] & 0x0F == 8 and int.from_bytes(view[:2], "big") % 31 == 0
    return True
