"""Records of WARC and ARC files."""

import re
from collections.abc import Callable, Iterator, Sequence
from io import BytesIO
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from neardup.corpus.expansion import check_libraries
from neardup.corpus.extractors import ExtractTexts
from neardup.corpus.markup import extract_texts
from neardup.corpus.members import (
    GZIP,
    BrokenMemberError,
    Members,
    is_zstd,
    open_member,
    read_beginning,
    skippable,
    zstd_members,
)
from neardup.corpus.pointers import Pointer
from neardup.corpus.record_head import ARC, WARC, BrokenRecordError, Head, Layout
from neardup.corpus.revisits import ResponsePlace, Responses
from neardup.corpus.web_document import WebDocument, count_lacking, read_document, read_revisit_redirect
from neardup.errors import EnvironmentFault

if TYPE_CHECKING:
    from warcio.limitreader import LimitReader

_WINDOW = 1 << 16
_LARGEST_WINDOW = 1 << 20
_LINE_ENDS = b"\r\n"
_GAP = 16
"""Number of bytes after a record that are read first to find the next one."""
_LONGEST_LINE = 1 << 16
_LONGEST_MARK = 1 << 6
"""Maximum number of bytes that the pattern of a beginning matches; windows overlap by it."""


class ArchiveRecord(NamedTuple):
    """A record, or a damaged stretch, of an archive.

    Offset and length are bytes of the file as it is stored; the separator after a record belongs to it. One of text,
    reason and passed_over is given.
    """

    offset: int
    length: int
    url: str | None
    time: str | None
    text: str | None
    reason: str | None = None
    """Why a document or a stretch cannot be used."""
    passed_over: str | None = None
    """Kind of a record that is no document."""
    flaws: Sequence[str] = ()
    """What is wrong with a text, whose body was decoded as far as possible, or what was guessed to read it:
    `truncated body`, `body not as its header states`, `charset detected: NAME`, `bytes replaced by U+FFFD`."""
    response: ResponsePlace | None = None
    """Where the response is to which a revisit refers, whose text it has."""


NoteRecord = Callable[[Head, WebDocument], None]
"""Takes the head and the content of each undamaged record, in the order of an archive."""


class Archives:
    """Reader of the archives of a run, in which revisits find their responses."""

    def __init__(self, extract: ExtractTexts = extract_texts, *, note: NoteRecord | None = None) -> None:
        self._extract = extract
        self._note = note
        self._responses: Responses | None = None

    def read(self, path: str, archives: Sequence[str]) -> Iterator[ArchiveRecord]:
        """Read an archive, see `read_archive`; `archives` lists those of the run, none if revisits are refused."""
        if self._responses is None:
            self._responses = Responses(map(str, archives), read_heads)
        return read_archive(path, extract=self._extract, responses=self._responses, note=self._note)


def read_heads(path: str) -> Iterator[tuple[int, Head]]:
    """Read the offset and the head of each undamaged record of an archive."""
    heads: list[Head] = []

    def note(head: Head, _: "LimitReader") -> WebDocument:
        heads.append(head)
        return WebDocument(passed_over=head.kind)

    for record in _read_records(str(path), note):
        if record.reason is None and heads:
            yield record.offset, heads[-1]
        heads.clear()


def read_archive(
    path: str,
    *,
    extract: ExtractTexts = extract_texts,
    responses: Responses | None = None,
    note: NoteRecord | None = None,
) -> Iterator[ArchiveRecord]:
    """Read the records of a WARC or ARC file, plain or with each record in a gzip member or zstd frame of its own.

    A document is a response with a 2xx status, a resource or a conversion, whose type is HTML or plain text, or which
    states no type and begins as HTML does. Every other undamaged record is passed over, with its kind. A damaged
    document, a record with a wrong length and a stretch of the file without a record have a reason; reading continues
    at the next record that is found. A revisit is a document if its response is one and is found, by default in the
    same file; then it has the text of that. `note` takes the records as well, with the pointers of their pages.

    Raises `EnvironmentFault` without the `warc` extra, `OSError` for a file that cannot be read.
    """
    path = str(path)
    found = responses or Responses([path], read_heads)

    def read(head: Head, block: "LimitReader") -> WebDocument:
        if head.kind == "revisit":
            return _read_revisit(head, block, found, extract, with_canonical=note is not None)
        return read_document(head, block, extract, with_canonical=note is not None)

    return _read_records(path, read) if note is None else _note_records(path, read, note)


def _note_records(path: str, read: "ReadBlock", note: NoteRecord) -> Iterator[ArchiveRecord]:
    """Read the records of an archive, and note those that turn out to be undamaged."""
    seen: list[tuple[Head, WebDocument]] = []

    def keep(head: Head, block: "LimitReader") -> WebDocument:
        document = read(head, block)
        seen.append((head, document))
        return document

    for record in _read_records(path, keep):
        if record.reason is None and seen:
            note(*seen[-1])
        seen.clear()
        yield record


MISSING = "revisit of a missing response"
"""Kind of a revisit whose response is in none of the archives."""


def _read_revisit(
    head: Head, block: "LimitReader", responses: Responses, extract: ExtractTexts, *, with_canonical: bool
) -> WebDocument:
    """Read the document of a revisit, which is that of its response."""
    if not responses.is_searchable:
        return WebDocument(reason="a revisit refers to any archive, so it is read by one machine and not on Spark")
    place = responses.find(head)
    if place is None:
        return read_revisit_redirect(head, block) or WebDocument(passed_over=MISSING)
    pointers: list[Pointer | None] = []

    def read(response: Head, content: "LimitReader") -> WebDocument:
        document = read_document(response, content, extract, with_canonical=with_canonical)
        pointers.append(document.pointer)
        return document

    record = next(_read_records(place.path, read, place.offset))
    pointer = pointers[-1] if pointers and record.reason is None else None
    if record.text is None:
        is_damaged = record.passed_over is None
        kind = f"revisit of a response that is {'damaged' if is_damaged else 'no document'}"
        return WebDocument(passed_over=kind, pointer=pointer)
    return WebDocument(record.text, flaws=record.flaws, response=place, pointer=pointer)


ReadBlock = Callable[[Head, "LimitReader"], WebDocument]
"""Reads the document in the block of a record, which need not be read to its end. Raises `BrokenRecordError`."""


def _read_records(path: str, read: ReadBlock, start: int = 0) -> Iterator[ArchiveRecord]:
    """Read the records of an archive from `start` on, where one begins."""
    try:
        import warcio.statusandheaders  # noqa: F401

        check_libraries()
    except ImportError as error:
        raise EnvironmentFault("WARC and ARC need an extra library: pip install 'neardup[warc]'") from error
    name = path.lower()
    # a reader that guesses the format would take binary garbage for the one-line head of an ARC record
    layout = ARC if name.endswith((".arc", ".arc.gz", ".arc.zst", ".arc.zstd")) else WARC
    with open(path, "rb", buffering=1 << 18) as file:
        # decided once for the file, not at each place: a plain record may contain the magic bytes of gzip
        begin = file.read(4)
        size = file.seek(0, 2)
        members: Members | None = None
        try:
            if begin[:2] == b"\x1f\x8b" or name.endswith(".gz"):
                members = GZIP
            elif is_zstd(begin) or name.endswith((".zst", ".zstd")):
                members = zstd_members(file)
        except BrokenMemberError as damage:
            yield _refuse(0, size, damage)
            return
        records = _Records(file, size, layout, read)
        yield from records.read_plain(start) if members is None else records.read_members(start, members)


class _Records:
    """Reader of the records of an open file."""

    def __init__(self, file: BinaryIO, size: int, layout: Layout, read: ReadBlock) -> None:
        self.file, self.size, self.layout, self.read = file, size, layout, read

    def read_plain(self, start: int) -> Iterator[ArchiveRecord]:
        at = self._skip_line_ends(start)
        while at < self.size:
            try:
                record = self._read_plain_record(at)
            except BrokenRecordError as damage:
                # the length may be too large: the next record may begin anywhere after this head
                record = _refuse(at, self._find_record(at + 1), damage)
            yield record
            at = record.offset + record.length

    def _read_plain_record(self, at: int) -> ArchiveRecord:
        self.file.seek(at)
        head = self.layout.read_head(self.file)
        start = self.file.tell()
        end = start + head.length
        if end > self.size:
            raise BrokenRecordError(f"the record ends {end - self.size} bytes too early: it states {head.length}")
        self.file.seek(end)
        gap = self.file.read(_GAP)
        after = end + len(gap) - len(gap.lstrip(_LINE_ENDS))
        if after == end + _GAP:
            after = self._skip_line_ends(after)
        # checked before the block is read, because the block may be large
        if not (self._is_followed(gap, end, after) or self._is_complete(head, start, gap, after)):
            raise BrokenRecordError(f"no other record begins behind the {head.length} bytes that the record states")
        self.file.seek(start)
        return _record(at, after, head, self.read(head, _limit(self.file, head)))

    def _is_followed(self, gap: bytes, end: int, after: int) -> bool:
        """Whether line ends and another record, or the end of the file, follow a record."""
        if after == self.size:
            return after - end > _GAP or self.layout.last_gap.fullmatch(gap) is not None
        self.file.seek(after)
        return self.layout.gap.match(gap) is not None and self.layout.begins(self.file)

    def _is_complete(self, head: Head, start: int, gap: bytes, after: int) -> bool:
        """Whether a record is whole though none begins after it: by the length in HTTP, else by what follows."""
        if self.layout.gap.match(gap) is None:
            return False
        self.file.seek(start)
        lacking = count_lacking(head, _limit(self.file, head))
        if lacking is not None and lacking >= 0:
            return lacking == 0
        if self.layout.sure_gap is not None and self.layout.sure_gap.match(gap):
            return True
        # the file may end in the first line of the next record
        self.file.seek(after)
        line = self.file.readline(_LONGEST_LINE)
        return after + len(line) == self.size and not line.endswith(b"\n")

    def read_members(self, at: int, members: Members) -> Iterator[ArchiveRecord]:
        if self.size == 0:
            yield _refuse(0, 0, BrokenMemberError(f"an empty file is no {members.name} stream"))
        at = self._skip_padding(at, members)
        while at < self.size:
            self.file.seek(at)
            try:
                record = self._read_member(at, members)
            except BrokenMemberError as damage:
                record = _refuse(at, self._find_member(at + 1, members), damage)
            after = self.file.tell() if record is None else record.offset + record.length
            if record is not None:
                yield record
            at = self._skip_padding(after, members)

    def _read_member(self, at: int, members: Members) -> ArchiveRecord | None:
        """Read the record of a member; None for a member without content."""
        member = open_member(self.file, members)
        if member is None:
            return None
        damage: BrokenRecordError | None = None
        try:
            head, document, is_followed = self._read_only_record(member, members)
        except BrokenRecordError as error:
            damage, is_followed = error, False
        while member.read(_WINDOW):
            pass
        after = self.file.tell()
        own = f"each must be a {members.member} of its own"
        if is_followed and self._skip_padding(0, members) == at and self._skip_padding(after, members) == self.size:
            damage = BrokenRecordError(
                f"the records of the file are one {members.name} stream; {own}, or unpack the file"
            )
        elif is_followed:
            damage = BrokenRecordError(f"the {members.member} has more than one record; {own}")
        return _refuse(at, after, damage) if damage else _record(at, after, head, document)

    def _read_only_record(self, member: BinaryIO, members: Members) -> tuple[Head, WebDocument, bool]:
        """Read the record of a member, and return whether another one follows. Raises `BrokenRecordError`."""
        head = self.layout.read_head(member)
        block = _limit(member, head)
        document = self.read(head, block)
        while block.read(_WINDOW):
            pass
        if block.limit > 0:
            raise BrokenRecordError(f"the record ends {block.limit} bytes too early: it states {head.length}")
        rest = first = member.read(_WINDOW)
        while rest and not rest.strip(_LINE_ENDS):
            rest = member.read(_WINDOW)
        is_followed = self.layout.begins(BytesIO(rest.lstrip(_LINE_ENDS)))
        if not is_followed and (rest or not self.layout.member_gap.fullmatch(first)):
            raise BrokenRecordError(
                f"its {members.member} does not end behind the {head.length} bytes that the record states"
            )
        return head, document, is_followed

    def _skip_padding(self, at: int, members: Members) -> int:
        """Return the offset of the next member: zeros after a member are padding, and so are frames to be skipped."""
        self.file.seek(at)
        window = _GAP
        while piece := self.file.read(window):
            zeros = len(piece) - len(piece.lstrip(b"\0")) if at else 0
            skipped = skippable(piece) if members.has_skippable and not zeros else None
            if skipped is not None and at + skipped <= self.size:
                at += skipped
            else:
                at += zeros
                if not zeros:
                    break
            window = min(2 * window, _LARGEST_WINDOW)
            self.file.seek(at)
        return at

    def _skip_line_ends(self, at: int) -> int:
        self.file.seek(at)
        while piece := self.file.read(64):
            at += len(piece) - len(piece.lstrip(_LINE_ENDS))
            if piece.strip(_LINE_ENDS):
                break
        return at

    def _find_record(self, start: int) -> int:
        """Return the offset of the next record, or the end of the file."""

        def begins(at: int) -> bool:
            self.file.seek(at)
            return self.layout.begins(self.file)

        return self._find(self.layout.begin, start, begins)

    def _find_member(self, start: int, members: Members) -> int:
        """Return the offset of the next member that begins with a record, or the end of the file."""

        def begins(at: int) -> bool:
            self.file.seek(at)
            return self.layout.begins(BytesIO(read_beginning(self.file.read(members.most), members)))

        return self._find(members.mark, start, begins)

    def _find(self, mark: re.Pattern[bytes], start: int, begins: Callable[[int], bool]) -> int:
        # windows grow: most marks are nearby
        window = 1 << 12
        while start < self.size:
            self.file.seek(start)
            piece = self.file.read(window)
            is_last = len(piece) < window or start + window >= self.size
            whole = len(piece) if is_last else len(piece) - _LONGEST_MARK
            for match in mark.finditer(piece):
                if match.start() <= whole and begins(start + match.start()):
                    return start + match.start()
            if is_last:
                break
            start += whole
            window = min(2 * window, _LARGEST_WINDOW)
        return self.size


def _limit(stream: BinaryIO, head: Head) -> "LimitReader":
    from warcio.limitreader import LimitReader

    return LimitReader(stream, head.length)


def _record(start: int, end: int, head: Head, document: WebDocument) -> ArchiveRecord:
    content = document.text, document.reason, document.passed_over, document.flaws, document.response
    return ArchiveRecord(start, end - start, head.url, head.time, *content)


def _refuse(start: int, end: int, damage: ValueError) -> ArchiveRecord:
    return ArchiveRecord(start, end - start, None, None, None, f"no record can be read here: {damage}")
