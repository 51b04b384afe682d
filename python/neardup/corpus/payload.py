"""The body of an HTTP message, decoded strictly: a damaged body is an error, never half a text."""

import zlib
from io import BytesIO

LARGEST = 256 << 20
"""Bytes a decoded body may have; a larger one is a damaged record or a compression bomb."""


class DamagedError(ValueError):
    """A body that cannot be decoded, with the reason."""


def decode_body(body: bytes, transfer: str | None, content: str | None) -> bytes:
    """Undo the transfer and content encodings of a body (RFC 9112 section 7.1, RFC 9110 section 8.4).

    Raises `DamagedError` for broken chunks, a truncated or broken stream, an unknown encoding, or more than
    `LARGEST` bytes.
    """
    if transfer and transfer.strip().lower() == "chunked":
        body = _join_chunks(body)
    for coding in reversed((content or "").lower().split(",")):
        body = _expand(body, coding.strip())
    return body


def _join_chunks(body: bytes) -> bytes:
    reader = BytesIO(body)
    pieces: list[bytes] = []
    while True:
        line = reader.readline(4096)
        try:
            # int() alone would also take signs, blanks and underscores
            size = int(line.split(b";")[0].strip().decode("ascii"), 16) if line[:1].isalnum() else -1
        except ValueError:
            size = -1
        if size < 0:
            raise DamagedError(f"a chunk of the body has no size: {line[:20]!r}")
        if size == 0:
            return b"".join(pieces)
        piece = reader.read(size)
        if len(piece) < size or reader.read(2) != b"\r\n":
            raise DamagedError(f"a chunk of the body does not have the {size} bytes it states")
        pieces.append(piece)


def _expand(body: bytes, coding: str) -> bytes:
    if coding in ("", "identity"):
        return body
    if coding in ("gzip", "x-gzip"):
        return _inflate(body, zlib.MAX_WBITS | 16, coding)
    if coding == "deflate":
        # some servers send the bare stream where the standard asks for the wrapped one
        wrapped = body[:1] and (body[0] & 0x0F) == 8 and int.from_bytes(body[:2], "big") % 31 == 0
        return _inflate(body, zlib.MAX_WBITS if wrapped else -zlib.MAX_WBITS, coding)
    raise DamagedError(f"content encoding {coding!r} is not supported: there are gzip and deflate")


def _inflate(body: bytes, window: int, coding: str) -> bytes:
    stream = zlib.decompressobj(window)
    try:
        expanded = stream.decompress(body, LARGEST + 1)
    except zlib.error as error:
        raise DamagedError(f"the {coding} body is broken: {error}") from error
    if len(expanded) > LARGEST:
        raise DamagedError(f"the {coding} body has more than {LARGEST} bytes")
    if not stream.eof:
        raise DamagedError(f"the {coding} body ends too early")
    return expanded
