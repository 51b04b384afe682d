"""Bodies that are compressed as HTTP allows, expanded as far as possible."""

import sys
import zlib
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

_LEAST, _MOST = 1 << 10, 1 << 18
"""Bytes passed to a library at once: few at first, because a body may consist of many small members."""


def check_libraries() -> None:
    """Raise `ImportError` if a library of the extra `warc` is missing that a body may need."""
    import brotli  # noqa: F401

    import_zstd()


def import_zstd() -> Any:
    """Return the module of Zstandard. Raises `ImportError`."""
    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        from backports import zstd
    return zstd


class Expanded(NamedTuple):
    """The readable content of a body."""

    content: bytes
    is_whole: bool
    """Whether the body consists of whole members and nothing else."""
    error: str | None = None
    """Message of the library if nothing could be read because of damage."""


class TooLargeError(ValueError):
    """Content of more bytes than are allowed."""


class _DamageError(Exception):
    """Bytes that a library cannot expand, with its message."""


class _Stream(Protocol):
    """One member of a body: a stream that says itself where it ends."""

    is_at_end: bool
    unused: int
    """Number of bytes of the last piece that are after the end."""

    def feed(self, piece: memoryview, most: int) -> bytes:
        """Expand a piece to at most about `most` bytes. Raises `_DamageError`."""
        ...


class _Zlib:
    def __init__(self, window: int) -> None:
        self._stream, self.is_at_end, self.unused = zlib.decompressobj(window), False, 0

    def feed(self, piece: memoryview, most: int) -> bytes:
        try:
            content = self._stream.decompress(piece, most)
        except zlib.error as error:
            raise _DamageError(error) from error
        self.is_at_end, self.unused = self._stream.eof, len(self._stream.unused_data)
        return content


class _Brotli:
    def __init__(self) -> None:
        import brotli

        self._stream, self._error = brotli.Decompressor(), brotli.error
        self.is_at_end, self.unused = False, 0

    def feed(self, piece: memoryview, most: int) -> bytes:
        try:
            content: bytes = self._stream.process(piece, output_buffer_limit=most)
        # bytes after the end are an error, too
        except self._error as error:
            raise _DamageError(error) from error
        self.is_at_end = self._stream.is_finished()
        return content


class _Zstd:
    def __init__(self) -> None:
        zstd = import_zstd()
        self._stream, self._error = zstd.ZstdDecompressor(), zstd.ZstdError
        self.is_at_end, self.unused = False, 0

    def feed(self, piece: memoryview, most: int) -> bytes:
        try:
            content: bytes = self._stream.decompress(piece, most)
        except self._error as error:
            raise _DamageError(error) from error
        self.is_at_end, self.unused = self._stream.eof, len(self._stream.unused_data)
        return content


def _begins_gzip(view: memoryview) -> bool:
    return view[:2] == b"\x1f\x8b"[: len(view)]


def _begins_wrapped(view: memoryview) -> bool:
    return len(view) > 1 and view[0] & 0x0F == 8 and int.from_bytes(view[:2], "big") % 31 == 0


def _begins_zstd(view: memoryview) -> bool:
    magic = view[:4].tobytes()
    is_skippable = magic[1:] == b"\x2a\x4d\x18" and magic[0] >> 4 == 5
    return is_skippable or magic == b"\x28\xb5\x2f\xfd"[: len(view)]


def _begins_anyhow(_: memoryview) -> bool:
    return True


class _Kind(NamedTuple):
    """A kind of stream."""

    open: Callable[[], _Stream]
    begins: Callable[[memoryview], bool]
    has_magic: bool = True
    """Whether `begins` recognises a stream. Without it, only a whole stream may follow another."""
    repeats: bool = True
    """Whether a body may be several streams."""


_KINDS: dict[str, tuple[_Kind, ...]] = {
    "gzip": (_Kind(lambda: _Zlib(zlib.MAX_WBITS | 16), _begins_gzip),),
    # some servers send a bare stream instead of the wrapped one of the standard; text may look like a wrapped one
    "deflate": (
        _Kind(lambda: _Zlib(zlib.MAX_WBITS), _begins_wrapped),
        _Kind(lambda: _Zlib(-zlib.MAX_WBITS), _begins_anyhow, has_magic=False),
    ),
    "br": (_Kind(_Brotli, _begins_anyhow, has_magic=False, repeats=False),),
    "zstd": (_Kind(_Zstd, _begins_zstd),),
}
CODINGS = tuple(_KINDS)
"""Names of the codings that can be undone."""


def recognise(body: bytes) -> str | None:
    """Return the coding of which a body has the magic bytes, whatever its header states; None if there are none."""
    if body[:3] == b"\x1f\x8b\x08":
        return "gzip"
    return "zstd" if body[:4] == b"\x28\xb5\x2f\xfd" else None


def expand(body: bytes, coding: str, most: int) -> Expanded:
    """Expand all members of a body in one of `CODINGS`, as far as possible.

    Raises `TooLargeError` for a content of more than `most` bytes.
    """
    view = memoryview(body)
    error: str | None = None
    for kind in _KINDS[coding]:
        if not kind.begins(view):
            continue
        found = _expand_all(view, kind, most)
        if found.content or found.is_whole or not found.error:
            return found
        error = found.error
    return Expanded(b"", False, error or f"it does not begin as {coding} does")


def _expand_all(view: memoryview, kind: _Kind, most: int) -> Expanded:
    pieces: list[bytes] = []
    at, left = 0, most
    while at < len(view):
        if at and not (kind.repeats and kind.begins(view[at:])):
            return Expanded(b"".join(pieces), False)
        found, end, is_whole, error = _expand_one(view[at:], kind, left)
        if is_whole or not at or kind.has_magic:
            pieces += found
            left -= sum(map(len, found))
        if not is_whole:
            content = b"".join(pieces)
            return Expanded(content, False, None if content else error)
        at += end
    return Expanded(b"".join(pieces), at > 0)


def _expand_one(view: memoryview, kind: _Kind, left: int) -> tuple[list[bytes], int, bool, str | None]:
    """Expand one stream; return its content, its length, whether it is whole, and the error of the library."""
    stream = kind.open()
    pieces: list[bytes] = []
    at, step = 0, _LEAST
    while at < len(view):
        fed = view[at : at + step]
        try:
            piece = stream.feed(fed, left + 1)
        except _DamageError as error:
            left += sum(map(len, pieces))
            pieces, end = _expand_bytewise(kind, view[: at + len(fed)], at, left)
            return pieces, at if end is None else end, end is not None, str(error) if end is None else None
        pieces.append(piece)
        left -= len(piece)
        if left < 0:
            raise TooLargeError
        at += len(fed) - stream.unused
        if stream.is_at_end:
            return pieces, at, True, None
        step = min(2 * step, _MOST)
    return pieces, at, False, None


def _expand_bytewise(kind: _Kind, view: memoryview, start: int, left: int) -> tuple[list[bytes], int | None]:
    """Expand a stream up to an error after `start`, from there byte by byte: a call that fails returns nothing.

    Returns the content, and the length of the stream if it ends before the error.
    """
    stream = kind.open()
    pieces: list[bytes] = []
    for at in (*range(0, start, _MOST), *range(start, len(view))):
        try:
            piece = stream.feed(view[at : min(at + _MOST, start) if at < start else at + 1], left + 1)
        except _DamageError:
            return pieces, None
        pieces.append(piece)
        left -= len(piece)
        if left < 0:
            raise TooLargeError
        if stream.is_at_end:
            return pieces, at + 1
    return pieces, None
