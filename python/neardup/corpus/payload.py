"""The body of an HTTP message, decoded as far as possible."""

import re
import zlib
from typing import NamedTuple

_LEAST, _MOST = 1 << 10, 1 << 18
"""Bytes passed to zlib at once: few at first, because a body may consist of many small members."""
_GZIP = zlib.MAX_WBITS | 16
_WRAPPED = zlib.MAX_WBITS
_BARE = -zlib.MAX_WBITS


class Inflated(NamedTuple):
    """The readable content of a body."""

    content: bytes
    is_whole: bool
    """Whether the body consists of whole members and nothing else."""
    error: str | None = None
    """Message of zlib if nothing could be read because of damage."""


class TooLargeError(ValueError):
    """Content of more bytes than are allowed."""


def inflate(body: bytes, coding: str, most: int) -> Inflated:
    """Expand all members of a `gzip` body, or all streams of a `deflate` body, as far as possible.

    Raises `TooLargeError` for a content of more than `most` bytes.
    """
    view = memoryview(body)
    # some servers send a bare stream instead of the wrapped one of the standard; text may look like a wrapped one
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
    at, left = 0, most
    while at < len(view):
        if at and not _begins(view[at:], window):
            return Inflated(b"".join(pieces), False)
        found, end, is_whole, error = _inflate_one(view[at:], window, left)
        # a bare stream has no magic bytes: only a whole one may follow another
        if is_whole or not at or window != _BARE:
            pieces += found
            left -= sum(map(len, found))
        if not is_whole:
            content = b"".join(pieces)
            return Inflated(content, False, None if content else error)
        at += end
    return Inflated(b"".join(pieces), at > 0)


def _inflate_one(view: memoryview, window: int, left: int) -> tuple[list[bytes], int, bool, str | None]:
    """Expand one stream; return its content, its length, whether it is whole, and the error of zlib."""
    stream = zlib.decompressobj(window)
    pieces: list[bytes] = []
    at, step = 0, _LEAST
    while at < len(view):
        fed = view[at : at + step]
        before = stream.copy()
        try:
            piece = stream.decompress(fed, left + 1)
        except zlib.error as error:
            pieces += _inflate_bytewise(before, fed, left)
            return pieces, at, False, str(error)
        pieces.append(piece)
        left -= len(piece)
        if left < 0:
            raise TooLargeError
        at += len(fed) - len(stream.unused_data)
        if stream.eof:
            return pieces, at, True, None
        step = min(2 * step, _MOST)
    return pieces, at, False, None


def _inflate_bytewise(stream: "zlib._Decompress", fed: memoryview, left: int) -> list[bytes]:
    """Expand the bytes before an error, one by one: zlib returns nothing from a call that fails."""
    pieces: list[bytes] = []
    for at in range(len(fed)):
        try:
            piece = stream.decompress(fed[at : at + 1], left + 1)
        except zlib.error:
            break
        pieces.append(piece)
        left -= len(piece)
        if left < 0:
            raise TooLargeError
    return pieces


def _begins(view: memoryview, window: int) -> bool:
    if window == _GZIP:
        return view[:2] == b"\x1f\x8b"[: len(view)]
    if window == _WRAPPED:
        return len(view) > 1 and view[0] & 0x0F == 8 and int.from_bytes(view[:2], "big") % 31 == 0
    return True


LARGEST = 256 << 20
"""Maximum bytes of a decoded body; a larger one is a damaged record or a compression bomb."""
TRUNCATED = "truncated body"
"""Flaw of a body that lacks its end, or is followed by other bytes."""
MISSTATED = "body not as its header states"
"""Flaw of a body that is not coded, or not as long, as its header says."""


class DamagedError(ValueError):
    """A body that cannot be decoded, with the reason."""


class Body(NamedTuple):
    """Decoded content of a body, and its flaw: `TRUNCATED` or `MISSTATED`."""

    content: bytes
    flaw: str | None = None


def decode_body(body: bytes, transfer: str | None, content: str | None) -> Body:
    """Undo the transfer and content codings of a body (RFC 9112 section 7.1, RFC 9110 section 8.4).

    A coding that ends early is undone as far as possible; one that the body does not have is skipped. Raises
    `DamagedError` for a stream that is broken from the start, a coding that is not supported, or more than `LARGEST`
    bytes.
    """
    flaws: set[str | None] = set()
    for coding in reversed([*_split(content), *_split(transfer)]):
        body, flaw = _join_chunks(body) if coding == "chunked" else _expand(body, coding)
        flaws.add(flaw)
    return Body(body, next((flaw for flaw in (TRUNCATED, MISSTATED) if flaw in flaws), None))


def _split(codings: str | None) -> list[str]:
    return [coding.strip(" \t") for coding in (codings or "").lower().split(",")]


# int() alone would also accept signs, blanks and underscores
_SIZE = re.compile(rb"([0-9A-Fa-f]+)[ \t]*(?:;[^\r\n]*)?\r\n")
_TRAILER = re.compile(rb"[^\s:]+[ \t]*:[^\r\n]*\r\n")
_LONGEST_LINE = 1 << 12


def _join_chunks(body: bytes) -> Body:
    pieces: list[bytes] = []
    at = 0
    while size_line := _SIZE.match(body, at, at + _LONGEST_LINE):
        size = int(size_line[1], 16)
        at = size_line.end()
        if size == 0:
            while trailer := _TRAILER.match(body, at):
                at = trailer.end()
            return Body(b"".join(pieces), None if body[at:] == b"\r\n" else TRUNCATED)
        pieces.append(body[at : at + size])
        at += size
        if body[at : at + 2] != b"\r\n":
            # the first line of a text may look like a size, too
            pieces = [] if len(pieces) == 1 and at + 1 < len(body) else pieces
            break
        at += 2
    # many archives store the joined body with the headers of the chunked one
    return Body(b"".join(pieces), TRUNCATED) if pieces or not body else Body(body, MISSTATED)


def _expand(body: bytes, coding: str) -> Body:
    if coding in ("", "identity"):
        return Body(body)
    if coding not in ("gzip", "x-gzip", "deflate"):
        if _is_plain(body):
            return Body(body, MISSTATED)
        raise DamagedError(f"content encoding {coding!r} is not supported: there are gzip and deflate")
    try:
        found = inflate(body, coding.removeprefix("x-"), LARGEST)
    except TooLargeError as error:
        raise DamagedError(f"the {coding} body has more than {LARGEST} bytes") from error
    if found.is_whole:
        return Body(found.content)
    # many archives store the decoded body with the headers of the coded one
    if body and _is_plain(body):
        return Body(body, MISSTATED)
    if found.error and body:
        raise DamagedError(f"the {coding} body is broken: {found.error}")
    return Body(found.content, TRUNCATED)


_CONTROL = re.compile(rb"[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]")
_SAMPLE = 1 << 12
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


def _is_plain(body: bytes) -> bool:
    """Whether a body is plain text: among any few dozen compressed bytes there is a control character."""
    return body.startswith(_UTF16) or not _CONTROL.search(body, 0, _SAMPLE)
