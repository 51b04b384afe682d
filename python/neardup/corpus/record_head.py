"""The heads of WARC and ARC records: the kind and the length of a record."""

import re
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from typing import Any, BinaryIO, NamedTuple

LONGEST_HEAD = 1 << 20
"""Maximum bytes of a head; a longer one is damage, and must not fill the memory."""
_NO_FILE = 10**18
_DIGITS = re.compile(r"[0-9]+")
"""int() alone would also accept signs, blanks, underscores and the digits of other scripts."""


class BrokenRecordError(ValueError):
    """A record that violates its format, with the reason."""


class LargeHeadError(BrokenRecordError):
    """A head of too many bytes."""


class Referred(NamedTuple):
    """The record to which a revisit refers, as far as it states that."""

    id: str | None = None
    url: str | None = None
    date: str | None = None


class Head(NamedTuple):
    """The fields of the head of a record."""

    kind: str
    """Type of a WARC record, in lower case; for ARC `warcinfo` or `response`."""
    url: str | None
    time: str | None
    media: str | None
    """The content type of the block."""
    length: int
    """Number of bytes of the block."""
    is_cut: bool = False
    """Whether the head says that the block lacks a part."""
    id: str | None = None
    digest: str | None = None
    """Digest of the payload."""
    refers: Referred = Referred()


class Layout(NamedTuple):
    """How the records of a format begin and end in a file that is not compressed."""

    read_head: Callable[[BinaryIO], Head]
    """Reads the head at the file's position; raises `BrokenRecordError`."""
    begins: Callable[[BinaryIO], bool]
    """Whether a record begins at the file's position."""
    begin: re.Pattern[bytes]
    """Pattern of a place where a record may begin, to continue after damage."""
    gap: re.Pattern[bytes]
    """The line ends that follow a record."""
    sure_gap: re.Pattern[bytes] | None
    """Line ends after a record that hardly ever occur inside a text; None if there are none."""
    last_gap: re.Pattern[bytes]
    """Line ends at the end of a file: without them the file may have been cut."""
    member_gap: re.Pattern[bytes]
    """Line ends at the end of a gzip member. They may be missing: the end of the member shows that nothing was cut."""


def parse_length(digits: str) -> int | None:
    """Read a number of bytes; None if it is no number, `_NO_FILE` if no file can be that large."""
    if not _DIGITS.fullmatch(digits):
        return None
    # int() refuses thousands of digits
    digits = digits.lstrip("0")
    return int(digits or "0") if len(digits) < len(str(_NO_FILE)) else _NO_FILE


class Headers(NamedTuple):
    """A first line without its protocol, and the headers below it: names in lower case, each with all its values."""

    status: str
    values: dict[str, list[str]]
    is_whole: bool
    """Whether a blank line ends them."""

    def find(self, name: str) -> str | None:
        """Return the first value of a name."""
        return self.values[name][0] if name in self.values else None


class _HeadLines:
    """The lines of a head, up to `LONGEST_HEAD` bytes."""

    def __init__(self, stream: BinaryIO) -> None:
        self.stream, self.left, self.last = stream, LONGEST_HEAD, b""

    def readline(self) -> bytes:
        self.last = self.stream.readline(self.left)
        self.left -= len(self.last)
        return self.last


@cache
def _header_parser() -> Any:
    from warcio.statusandheaders import StatusAndHeadersParser

    return StatusAndHeadersParser([], verify=False)


def parse_headers(stream: BinaryIO, first: bytes | None = None) -> Headers:
    """Parse a first line, unless it is given, and headers of HTTP or WARC. A folded header becomes one line.

    Raises `LargeHeadError`.
    """
    lines = _HeadLines(stream)
    try:
        found = _header_parser().parse(lines, first)
    except EOFError:
        return Headers("", {}, False)
    if lines.left <= 0:
        raise LargeHeadError(f"a head has more than {LONGEST_HEAD} bytes")
    values: dict[str, list[str]] = {}
    for name, value in found.headers:
        values.setdefault(name.lower(), []).append(value.strip(" \t"))
    # the parser stops at a blank line, and at the end
    return Headers(found.statusline, values, lines.last.endswith(b"\n"))


_WARC = re.compile(rb"WARC/\d+\.\d+[ \t]*\r?\n", re.IGNORECASE)


def _read_warc_head(stream: BinaryIO) -> Head:
    first = stream.readline(LONGEST_HEAD)
    if not _WARC.fullmatch(first):
        raise BrokenRecordError(f"no record begins with {_quote(_decode(first))}")
    headers = parse_headers(stream, first)
    if not headers.is_whole:
        raise BrokenRecordError("the head of a record ends too early")
    kind, url = headers.find("warc-type"), headers.find("warc-target-uri")
    if not kind:
        raise BrokenRecordError("a record without a type")
    lengths = headers.values.get("content-length", [])
    if not lengths:
        raise BrokenRecordError("a record without a length")
    if len(set(lengths)) > 1:
        raise BrokenRecordError(f"a record with the lengths {_quote(', '.join(lengths))}")
    length = _read_length(lengths[0])
    is_cut = "warc-truncated" in headers.values or "warc-segment-number" in headers.values
    refers = Referred(
        headers.find("warc-refers-to"),
        _read_url(headers.find("warc-refers-to-target-uri")),
        headers.find("warc-refers-to-date"),
    )
    date, media = headers.find("warc-date"), headers.find("content-type")
    names = (headers.find("warc-record-id"), headers.find("warc-payload-digest"), refers)
    return Head(kind.lower(), _read_url(url), date, media, length, is_cut, *names)


def _read_url(url: str | None) -> str | None:
    if url is None:
        return None
    # old versions of wget write the URL in angle brackets
    url = url[1:-1] if url.startswith("<") and url.endswith(">") else url
    return url.replace(" ", "%20")


def _begins_warc(stream: BinaryIO) -> bool:
    return _WARC.match(stream.read(64)) is not None


_DATE = re.compile(rb"[0-9]{8,17}")


def _split_arc_line(line: bytes) -> tuple[bytes, bytes, bytes] | None:
    """Split the line that begins an ARC record: URL, date and length.

    The URL may contain blanks. After it follow the address of the host, the date, the type and, in version 2, more.
    """
    fields = line.rstrip(b"\r\n").split(b" ")
    if not line.endswith(b"\n") or b":" not in fields[0]:
        return None
    for at, field in enumerate(fields[2:-2], 2):
        # two blanks in a row represent a missing type
        if _DATE.fullmatch(field) and (fields[-2] or at == len(fields) - 3):
            return b" ".join(fields[: at - 1]), field, fields[-1]
    return None


def _read_arc_head(stream: BinaryIO) -> Head:
    from warcio.timeutils import timestamp_to_iso_date

    line = stream.readline(LONGEST_HEAD)
    found = _split_arc_line(line)
    if found is None:
        raise BrokenRecordError(
            f"no record begins with {_quote(_decode(line))}"
            if line.endswith(b"\n")
            else "the head of a record ends too early"
        )
    url, date, digits = found
    length = _read_length(_decode(digits))
    if url.startswith(b"filedesc:"):
        return Head("warcinfo", None, None, None, length)
    time = date.decode()
    # an invalid time is refused later by its value, as in any other format
    with suppress(ValueError):
        time = timestamp_to_iso_date(time)
    return Head("response", _decode(url), time, "application/http", length)


def _begins_arc(stream: BinaryIO) -> bool:
    return _split_arc_line(stream.readline(LONGEST_HEAD)) is not None


def _read_length(digits: str) -> int:
    length = parse_length(digits)
    if length is None or length == _NO_FILE:
        raise BrokenRecordError(f"the length of a record is {_quote(digits)}: allowed is a number of bytes below 10^18")
    return length


def _decode(value: bytes) -> str:
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value.decode("latin-1")


def _quote(value: str) -> str:
    return repr(value[:60].rstrip("\r\n"))


# two line ends separate records of WARC; there are more where records were taken out, and some writers add one
WARC = Layout(
    _read_warc_head,
    _begins_warc,
    re.compile(rb"WARC/\d+\.\d+[ \t]*\r?\n(?=[A-Za-z-]+[ \t]*:)", re.IGNORECASE),
    re.compile(rb"\n?\r\n\r\n|\n\n"),
    re.compile(rb"\r\n\r\n"),
    re.compile(rb"(?:\n?\r\n\r\n|\n\n)(?:\r?\n)*"),
    re.compile(rb"(?:\n?\r\n\r\n|\n\n)(?:\r?\n)*|\r\n\r|\r?\n?"),
)
ARC = Layout(
    _read_arc_head,
    _begins_arc,
    re.compile(rb"(?<=\n)(?=[A-Za-z][A-Za-z0-9+.-]{0,15}:)"),
    re.compile(rb"\r?\n"),
    None,
    re.compile(rb"(?:\r?\n)*\r?"),
    re.compile(rb"(?:\r?\n)*\r?"),
)
