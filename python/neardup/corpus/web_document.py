"""The document in a record of an archive: its text, or why there is none."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from neardup import _core
from neardup.corpus.charset import MARKUP, PLAIN, is_html, is_unknown, split_type
from neardup.corpus.extractors import ExtractTexts
from neardup.corpus.payload import LARGEST, MISSTATED, TRUNCATED, DamagedError, decode_body
from neardup.corpus.pointers import Pointer, read_canonical, read_redirect
from neardup.corpus.record_head import BrokenRecordError, Head, Headers, LargeHeadError, parse_headers, parse_length
from neardup.corpus.revisits import ResponsePlace

if TYPE_CHECKING:
    from warcio.limitreader import LimitReader

_WINDOW = 1 << 20


class WebDocument(NamedTuple):
    """Content of a record. One of text, reason and passed_over is given."""

    text: str | None = None
    reason: str | None = None
    passed_over: str | None = None
    flaws: Sequence[str] = ()
    """What is wrong with the text, or was guessed to read it."""
    response: ResponsePlace | None = None
    """Where the response of a revisit is."""
    pointer: Pointer | None = None
    """Where the page is by what its response says."""


def read_document(
    head: Head, block: "LimitReader", extract: ExtractTexts, *, with_canonical: bool = False
) -> WebDocument:
    """Read the document in a block, which need not be read to its end. Raises `BrokenRecordError` for an early end.

    Only `with_canonical`, the pointer of a page is read; that of a redirect always is.
    """
    # a conversion is the text of another record, as in WET files
    if head.kind in ("conversion", "resource"):
        return _read_text(head, block, head.media, extract, None, with_canonical)
    if head.kind != "response":
        return WebDocument(passed_over=f"{head.kind} record")
    try:
        message = _read_message(head, block)
    except LargeHeadError as damage:
        return WebDocument(reason=str(damage))
    if message is None:
        return WebDocument(passed_over="response without HTTP headers")
    status = message.http.status.split(" ", 1)[0]
    if not status.startswith("2"):
        return WebDocument(passed_over=f"status {status}", pointer=read_redirect(head.url, status, message.http))
    return _read_text(head, block, message.http.find("content-type"), extract, message, with_canonical)


def read_revisit_redirect(head: Head, block: "LimitReader") -> WebDocument | None:
    """Read a redirect that a revisit repeats; None if it repeats none."""
    message = _read_message(head, block)
    status = "" if message is None else message.http.status.split(" ", 1)[0]
    pointer = None if message is None else read_redirect(head.url, status, message.http)
    return None if pointer is None else WebDocument(passed_over=f"status {status}", pointer=pointer)


def count_lacking(head: Head, block: "LimitReader") -> int | None:
    """Return the number of bytes by which a body is shorter than HTTP states; it is negative if the body is longer.

    None if HTTP states no length. Raises `BrokenRecordError`.
    """
    message = _read_message(head, block) if head.kind == "response" else None
    return None if message is None else message.lacking


class _Message(NamedTuple):
    """The head of an HTTP response."""

    http: Headers
    transfer: str
    lacking: int | None
    flaw: str | None


def _read_message(head: Head, block: "LimitReader") -> _Message | None:
    if not _is_http(head):
        return None
    http = parse_headers(block)
    if not http.is_whole and block.limit > 0:
        raise BrokenRecordError(f"the record ends {block.limit} bytes too early")
    if not (http.status or http.values):
        return None
    length = _read_length(http)
    # a transfer coding decides where a message ends, and not its length (RFC 9112 section 6.3)
    transfer = ", ".join(http.values.get("transfer-encoding", []))
    if transfer.lower() not in ("", "identity"):
        length = None
    lacking = None if length is None or length < 0 else length - block.limit
    is_cut = not http.is_whole or (lacking or 0) > 0
    flaw = TRUNCATED if is_cut else MISSTATED if lacking or length == -1 else None
    return _Message(http, transfer, lacking, flaw)


def _is_http(head: Head) -> bool:
    if head.url is None:
        return split_type(head.media)[0] == "application/http"
    return head.url.lower().startswith(("http:", "https:"))


def _read_length(http: Headers) -> int | None:
    """Read the length that HTTP states: None if it states none, -1 if it is no number or there are several."""
    lengths = set(http.values.get("content-length", []))
    if not lengths:
        return None
    length = parse_length(lengths.pop())
    return -1 if length is None or lengths else length


def _read_text(
    head: Head,
    block: "LimitReader",
    kind: str | None,
    extract: ExtractTexts,
    message: _Message | None,
    with_canonical: bool,
) -> WebDocument:
    media, charset = split_type(kind)
    if not (media in MARKUP or media in PLAIN or is_unknown(media)):
        return WebDocument(passed_over=f"type {media}")
    if block.limit > LARGEST:
        return WebDocument(reason=f"the record has more than {LARGEST} bytes")
    body = _read_block(block)
    found = {TRUNCATED if head.is_cut else None}
    if message is not None:
        content = ", ".join(message.http.values.get("content-encoding", []))
        try:
            body, flaw = decode_body(body, message.transfer, content)
        except DamagedError as damage:
            return WebDocument(reason=str(damage)) if not is_unknown(media) else _without_type(media)
        found |= {flaw, message.flaw}
    is_markup = media in MARKUP or (is_unknown(media) and is_html(body))
    if not is_markup and media not in PLAIN:
        return _without_type(media)
    decoded, flaws = _core.decode_page(body, charset, is_markup=is_markup)
    text: str | None = decoded
    reason: str | None = None
    if is_markup:
        [(text, reason, flaw)] = extract([decoded])
        flaws = [*flaws, *filter(None, [flaw])]
    if text is None:
        return WebDocument(reason=reason)
    http = None if message is None else message.http
    pointer = read_canonical(head.url, http, decoded if is_markup else None) if with_canonical else None
    # a body that is cut is not as its header states, either
    flaws = [*[flaw for flaw in (TRUNCATED, MISSTATED) if flaw in found][:1], *flaws]
    return WebDocument(text, flaws=flaws, pointer=pointer)


def _without_type(media: str) -> WebDocument:
    return WebDocument(passed_over=f"type {media}" if media else "no Content-Type")


def _read_block(block: "LimitReader") -> bytes:
    pieces: list[bytes] = []
    while piece := block.read(_WINDOW):
        pieces.append(piece)
    if block.limit > 0:
        raise BrokenRecordError(f"the record ends {block.limit} bytes too early")
    return b"".join(pieces)
