"""Documents of WARC and ARC files."""

import logging
import re
import zlib
from collections.abc import Generator, Iterator
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from neardup.corpus.charset import decode_text, split_type
from neardup.corpus.markup import extract_texts
from neardup.corpus.payload import LARGEST, DamagedError, decode_body
from neardup.errors import EnvironmentFault

if TYPE_CHECKING:
    from warcio.recordloader import ArcWarcRecord

MARKUP = ("text/html", "application/xhtml+xml")
PLAIN = ("text/plain",)
_WINDOW = 1 << 20
_HEAD = 1 << 10
_LINE_ENDS = 2
"""They follow every record of a WARC file."""


class ArchiveRecord(NamedTuple):
    """A record, or a damaged stretch, of an archive.

    Offset and length are bytes of the file as it is stored. Exactly one of text, reason and passed_over is given.
    """

    offset: int
    length: int
    url: str | None
    time: str | None
    text: str | None
    reason: str | None = None
    """Why a document, or a stretch, cannot be used."""
    passed_over: str | None = None
    """What a record is that is no document."""


def read_archive(path: str, *, main_content: bool = False) -> Iterator[ArchiveRecord]:
    """Read the records of a WARC or ARC file, plain or with each record in a gzip member of its own.

    A document is a response with a 2xx status or a resource, whose type is HTML or plain text. Every other whole
    record is passed over, and says what it is. A damaged document, a record that ends early, and a stretch of the file
    that holds no record come with the reason; reading goes on at the next record that can be found.

    Raises `EnvironmentFault` without the `warc` extra, `OSError` for a file that cannot be read.
    """
    try:
        import warcio.archiveiterator  # noqa: F401
    except ImportError as error:
        raise EnvironmentFault("WARC and ARC need an extra library: pip install 'neardup[warc]'") from error
    # it warns of odd records; what matters of them is said by our own reasons
    logging.getLogger("warcio").addHandler(logging.NullHandler())
    with open(path, "rb") as file:
        start: int | None = 0
        while start is not None:
            start = yield from _read_stretch(file, start, main_content)


# besides its own error, the library lets these out when it meets garbage
_GARBAGE = (AttributeError, EOFError, IndexError, KeyError, OSError, TypeError, ValueError, zlib.error)


def _read_stretch(file: BinaryIO, start: int, main_content: bool) -> Generator[ArchiveRecord, None, int | None]:
    """Read records from `start` up to the end (gives None) or to damage (gives where the next record may begin)."""
    from warcio.archiveiterator import ArchiveIterator
    from warcio.exceptions import ArchiveLoadFailed

    class Records(ArchiveIterator):  # type: ignore[misc]
        INC_RECORD = ""  # the library prints this on stderr; what is damaged is said by our own reasons
        is_whole = True
        """Whether the last gzip member came to its end."""

        def close(self) -> None:
            decompressor = self.reader.decompressor if self.reader else None
            self.is_whole = decompressor is None or decompressor.eof
            super().close()

    file.seek(start)
    records = Records(file, arc2warc=True)
    # left to guess, the library takes binary garbage for the one-line head of an ARC record
    records.known_format = "arc" if file.name.endswith((".arc", ".arc.gz")) else "warc"
    at = start
    held: ArchiveRecord | None = None
    while True:
        try:
            record = next(records.the_iter, None)
            # the library takes a head that is cut for the end, too
            if record is None and (at := _skip_line_ends(file, at)) < file.seek(0, 2):
                raise ArchiveLoadFailed(_name_end(file, records.is_whole))
            if record is not None:
                if not record.rec_type:
                    raise ArchiveLoadFailed("a record without a type")
                found = _read_document(record, main_content)
                if found.reason is None or found.text is not None:
                    _read_rest(record)
                offset, length = records.get_record_offset(), records.get_record_length()
                if offset < at or length <= 0:
                    raise ArchiveLoadFailed(_ONE_STREAM)
        except (ArchiveLoadFailed, *_GARBAGE) as error:
            if isinstance(error, OSError) and error.errno is not None:
                raise
            damage = error
            break
        if held is not None:
            yield held if record is not None else _check_end(file, held, records.is_whole)
        if record is None:
            return None
        at = offset + length
        held = found._replace(offset=offset, length=length)
    # noise in one member can look like one stream over all; a member further on that begins a record proves otherwise
    one_stream = _ONE_STREAM in str(damage) and not _has_member(file, at + 1)
    # the place of a record in one stream over all is not a place in the file
    if held is not None and not one_stream:
        yield held
    at = start if one_stream else _skip_line_ends(file, at)
    after = None if one_stream else _find_record(file, at + 1)
    end = file.seek(0, 2) if after is None else after
    if end > at:
        yield ArchiveRecord(at, end - at, None, None, None, _name_damage(damage))
    return after


def _read_rest(record: "ArcWarcRecord") -> None:
    """Read a record to its end; it must have one."""
    from warcio.exceptions import ArchiveLoadFailed

    if record.length is None:
        raise ArchiveLoadFailed("a record without a length")
    while record.raw_stream.read(_WINDOW):
        pass
    # the library's limited stream counts down what the stated length still owes
    if getattr(record.raw_stream, "limit", 0) > 0:
        raise ArchiveLoadFailed(f"the record ends {record.raw_stream.limit} bytes too early")


def _check_end(file: BinaryIO, last: ArchiveRecord, is_whole: bool) -> ArchiveRecord:
    """Give the last record of a file, or why it is not whole: its member, or the line ends after it, are cut."""
    end = file.seek(0, 2)
    reason = None if is_whole else "the gzip member ends too early"
    if not _is_compressed(file) and not file.name.endswith(".arc"):
        file.seek(last.offset + last.length)
        if file.read().count(b"\n") < _LINE_ENDS:
            reason = "the record ends too early: two line ends are to follow it"
    if reason is None or last.reason is not None:
        return last
    return last._replace(length=end - last.offset, text=None, reason=reason, passed_over=None)


_ONE_STREAM = "non-chunked gzip"


def _name_damage(damage: Exception) -> str:
    if _ONE_STREAM in str(damage):
        return "the file is one gzip stream; each record must be a gzip member of its own"
    return f"no record can be read here: {damage}"


def _is_compressed(file: BinaryIO) -> bool:
    # asked of the file, not of the place: a plain record may well hold the mark of gzip
    file.seek(0)
    return file.read(2) == b"\x1f\x8b" or file.name.endswith(".gz")


def _name_end(file: BinaryIO, is_whole: bool) -> str:
    if not _is_compressed(file):
        return "the head of a record ends too early"
    return "not a gzip member" if is_whole else "the gzip member ends too early"


def _skip_line_ends(file: BinaryIO, at: int) -> int:
    """Give where the next record begins: plain records have line ends between them."""
    if _is_compressed(file):
        return at
    file.seek(at)
    while piece := file.read(_HEAD):
        at += len(piece) - len(piece.lstrip(b"\r\n"))
        if piece.strip(b"\r\n"):
            break
    return at


def _find_record(file: BinaryIO, start: int) -> int | None:
    """Find where the next record, or gzip member, may begin at or after `start`."""
    begin = re.compile(rb"\x1f\x8b\x08[\x00-\x1f]" if _is_compressed(file) else rb"(?<=\n)WARC/[01]\.")
    file.seek(max(start - 1, 0))
    at, held = max(start - 1, 0), b""
    while piece := file.read(_WINDOW):
        held += piece
        match = begin.search(held, 0 if at >= start else 1)
        if match is not None:
            return at + match.start()
        at += max(len(held) - 8, 0)
        held = held[-8:]
    return None


def _has_member(file: BinaryIO, start: int) -> bool:
    """Look for a gzip member at or after `start` that begins a record."""
    at = _find_record(file, start)
    while at is not None:
        file.seek(at)
        try:
            head = zlib.decompressobj(31).decompress(file.read(_HEAD), 5)
        except zlib.error:
            head = b""
        if head == b"WARC/" or (head and file.name.endswith(".arc.gz")):
            return True
        at = _find_record(file, at + 1)
    return False


def _read_document(record: "ArcWarcRecord", main_content: bool) -> ArchiveRecord:
    """Read a record, without its place."""
    url = record.rec_headers.get_header("WARC-Target-URI")
    time = record.rec_headers.get_header("WARC-Date")
    found = ArchiveRecord(0, 0, url, time, None)
    http: Any = record.http_headers
    if record.rec_type not in ("response", "resource"):
        return found._replace(passed_over=f"{record.rec_type} record")
    if record.rec_type == "response":
        if http is None:
            return found._replace(passed_over="response without HTTP headers")
        status = str(http.get_statuscode())
        if not status.startswith("2"):
            return found._replace(passed_over=f"status {status}")
        kind = http.get_header("Content-Type")
    else:
        kind = record.rec_headers.get_header("Content-Type")
    media, charset = split_type(kind)
    if media not in MARKUP and media not in PLAIN:
        return found._replace(passed_over=f"type {media}" if media else "no Content-Type")
    flaw: str | None = None
    try:
        body = _read_body(record)
        if http is not None:
            body, flaw = decode_body(body, http.get_header("Transfer-Encoding"), http.get_header("Content-Encoding"))
    except DamagedError as damage:
        return found._replace(reason=str(damage))
    text: str | None = decode_text(body, charset, markup=media in MARKUP)
    reason: str | None = None
    if media in MARKUP:
        [(text, reason)] = extract_texts([text or ""], main_content=main_content)
    return found._replace(text=text, reason=reason or flaw)


def _read_body(record: "ArcWarcRecord") -> bytes:
    stream: Any = record.raw_stream
    pieces: list[bytes] = []
    size = 0
    while piece := stream.read(_WINDOW):
        pieces.append(piece)
        size += len(piece)
        if size > LARGEST:
            raise DamagedError(f"the record has more than {LARGEST} bytes")
    # the library's limited stream counts down what the stated length still owes
    if getattr(stream, "limit", 0) > 0:
        raise DamagedError(f"the record ends {stream.limit} bytes too early")
    return b"".join(pieces)
