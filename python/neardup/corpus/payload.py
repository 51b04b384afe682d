"""The body of an HTTP message, decoded as far as possible."""

import re
from typing import NamedTuple

from neardup.corpus.expansion import CODINGS, TooLargeError, expand, recognise

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

    A coding that ends early is undone as far as possible. One that the body does not have is skipped, and one that the
    headers do not name is undone if its magic bytes show it. Raises `DamagedError` for a stream that is broken from the
    start, a coding that is not supported, or more than `LARGEST` bytes.
    """
    flaws: set[str | None] = set()
    for coding in reversed([*_split(content), *_split(transfer)]):
        body, flaw = _join_chunks(body) if coding == "chunked" else _undo(body, coding)
        flaws.add(flaw)
    if unstated := recognise(body):
        body, flaw = _undo_unstated(body, unstated)
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


def _undo(body: bytes, coding: str) -> Body:
    if coding in ("", "identity"):
        return Body(body)
    known = coding.removeprefix("x-")
    if known not in CODINGS:
        if _is_plain(body) or recognise(body):
            return Body(body, MISSTATED)
        raise DamagedError(f"content encoding {coding!r} is not supported: there are {', '.join(CODINGS)}")
    try:
        found = expand(body, known, LARGEST)
    except TooLargeError as error:
        raise DamagedError(f"the {coding} body has more than {LARGEST} bytes") from error
    if found.is_whole:
        return Body(found.content)
    # many archives store the decoded body with the headers of the coded one
    if body and (_is_plain(body) or recognise(body) not in (None, known)):
        return Body(body, MISSTATED)
    if found.error and body:
        raise DamagedError(f"the {coding} body is broken: {found.error}")
    return Body(found.content, TRUNCATED)


def _undo_unstated(body: bytes, coding: str) -> Body:
    """Undo a coding whose magic bytes a body has, though its headers do not name it."""
    try:
        found = expand(body, coding, LARGEST)
    except TooLargeError as error:
        raise DamagedError(f"the {coding} body has more than {LARGEST} bytes") from error
    if found.error:
        raise DamagedError(f"the {coding} body is broken: {found.error}")
    return Body(found.content, MISSTATED if found.is_whole else TRUNCATED)


_CONTROL = re.compile(rb"[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]")
_SAMPLE = 1 << 12
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


def _is_plain(body: bytes) -> bool:
    """Whether a body is plain text: among any few dozen compressed bytes there is a control character."""
    return body.startswith(_UTF16) or not _CONTROL.search(body, 0, _SAMPLE)
