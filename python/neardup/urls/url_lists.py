"""Lists of URLs: text files with one URL a line, plain or compressed."""

import codecs
import gzip
import json
import re
import zlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache, cached_property
from io import BytesIO
from itertools import chain
from pathlib import Path
from typing import IO, Any, Literal, NamedTuple, cast

from neardup import _core
from neardup.errors import DataError, EnvironmentFault
from neardup.inputs.sources import refuse_special
from neardup.results.account import Account


@cache
def _suffixes() -> tuple[str, ...]:
    """Return the suffixes of lists of URLs: that of a text, also with those of every compression of a text."""
    packed = next(compressions for suffixes, compressions, *_ in _core.formats() if "txt" in suffixes)
    return (".txt", *(f".txt{compression}" for compression in packed))


def is_url_list(name: str) -> bool:
    """Return whether a file is read as a list of URLs, judged by its name."""
    return name.lower().endswith(_suffixes())


def find_lists(pattern: str, include: Sequence[str], exclude: Sequence[str]) -> tuple[list[str], dict[str, Any]]:
    """Return the lists that a name or a glob matches, in order, and the account of the files that were found.

    As with all files, `include` and `exclude` choose among those that a glob matches, not those that are named. Raises
    `DataError` if there are none.
    """
    if Path(pattern).exists():
        return [pattern], Account.of_counts(files=1).files
    found = _core.Sources([pattern], {"include": include, "exclude": exclude})
    return [str(path) for path in found.input], json.loads(found.account)


class ListedUrl(NamedTuple):
    """A line that is not blank: its number from 1, and its URL or the reason why it is no text."""

    row: int
    url: str
    reason: str = ""


_MARKS = {
    # that of UTF-32 begins with that of UTF-16
    codecs.BOM_UTF32_LE: "utf-32le",
    codecs.BOM_UTF32_BE: "utf-32be",
    codecs.BOM_UTF16_LE: "utf-16le",
    codecs.BOM_UTF16_BE: "utf-16be",
    codecs.BOM_UTF8: None,
}
"""Encodings by their byte order marks; None is UTF-8, in which lists are read by default."""
_LINE_FEEDS = (b"\n", b"\n\0", b"\0\n", b"\n\0\0\0", b"\0\0\0\n")
"""The bytes that a line feed has in one encoding or another."""
_GUESS = re.compile(r"encoding guessed as (\S+), (?:un)?sure")
"""How the core counts a guess."""
_MARK = "\ufeff"
_BLOCK = 1 << 16


class UrlList:
    """A list of URLs. It is read line by line, because it may be larger than the memory."""

    def __init__(self, name: str, encoding: str | None = None) -> None:
        """Name a list. A byte order mark decides before `encoding`, which may be `detect`; by default it is UTF-8.

        Raises `UsageError` for an unknown encoding and for a file that cannot be read twice.
        """
        refuse_special(name)
        self.name = name
        self.flaws: dict[str, int] = {}
        """The guess of the encoding, as the core counts it; empty until the list is read, and if nothing is guessed."""
        self._given = encoding
        self._encoding = None if encoding in (None, "detect") else encoding
        self._line_feed = _line_feed_of(self._encoding)

    def urls(self) -> Iterator[ListedUrl]:
        """Yield the lines that are not blank.

        Raises `DataError` for a damaged compressed file, `EnvironmentFault` for a file that cannot be read.
        """
        for row, line in self._stored():
            url, reason = self._decode(line)
            if url or reason:
                yield ListedUrl(row, url, reason)

    def write_kept(self, target: str, dropped: Collection[int]) -> None:
        """Write the list again, without the dropped rows. What is written are bytes of the list."""
        try:
            with _opened(target, "wb") as kept:
                kept.writelines(line for row, line in self._stored() if row not in dropped)
        except OSError as error:
            raise EnvironmentFault(
                f"{error.filename or self.name}: the kept pages cannot be written: {error.strerror}"
            ) from error

    def _stored(self) -> Iterator[tuple[int, bytes]]:
        """Yield the lines as they are stored, with their line feeds. Row 0 is the byte order mark, or nothing."""
        with _reading(self.name), _opened(self.name, "rb") as file:
            head = file.read(max(map(len, _MARKS)))
            mark = next(filter(head.startswith, _MARKS), b"")
            file.seek(len(mark))
            if mark:
                self._encoding = _MARKS[mark]
            elif self._given == "detect":
                self._encoding, self.flaws = self._guessed
            self._line_feed = _line_feed_of(self._encoding)
            yield from enumerate(chain([mark], _split(file, self._line_feed)))

    def _decode(self, line: bytes) -> tuple[str, str]:
        """Return the text of a line without white space around it, or nothing and the reason why it is no text."""
        try:
            if self._encoding is None:
                text = line.decode()
            else:
                # behind a line feed, bytes that look like a byte order mark do not decide
                text = _core.decode_text(self._line_feed + line, self.name, self._encoding).removeprefix("\n")
        except UnicodeDecodeError as error:
            hint = "if it has another encoding, name it: --encoding NAME"
            return "", f"invalid UTF-8 at byte {error.start + 1} of the line; {hint}"
        except DataError:
            return "", f"the line is not {self._encoding}"
        # files that were joined may have a byte order mark in the middle
        return text.removeprefix(_MARK).strip(), ""

    @cached_property
    def _guessed(self) -> tuple[str | None, dict[str, int]]:
        """The encoding that the core guesses when it reads the list as one text, and the count of this guess."""
        reader = _core.read([self.name], cast(Any, {"encoding": "detect", "on_error": "skip"}))
        for _ in reader:
            pass
        flaws = json.loads(reader.counts()[1])["flaws"]
        for flaw in flaws:
            if guess := _GUESS.fullmatch(flaw):
                return (None if guess[1] == "UTF-8" else guess[1]), {flaw: 1}
        # it has a byte order mark, or is damaged, which its reading reports
        return None, {}


def _line_feed_of(encoding: str | None) -> bytes:
    """Return the bytes of a line feed; `UsageError` for an unknown encoding."""
    for line_feed in _LINE_FEEDS:
        with suppress(DataError):
            if _core.decode_text(line_feed, "", encoding) == "\n":
                return line_feed
    return b"\n"


def _split(file: IO[bytes], line_feed: bytes) -> Iterable[bytes]:
    """Return the lines of a file, with their line feeds."""
    return file if len(line_feed) == 1 else _split_wide(file, line_feed)


def _split_wide(file: IO[bytes], line_feed: bytes) -> Iterator[bytes]:
    """Yield the lines of a text whose characters have units of several bytes; a line feed is a whole unit."""
    line, width = bytearray(), len(line_feed)
    while block := file.read(_BLOCK):
        at = len(line) - len(line) % width
        line += block
        while (at := line.find(line_feed, at)) >= 0:
            if at % width:
                at += width - at % width
            else:
                yield bytes(line[: at + width])
                del line[: at + width]
                at = 0
    if line:
        yield bytes(line)


@contextmanager
def _opened(name: str, mode: Literal["rb", "wb"]) -> Iterator[IO[bytes]]:
    """Open a list, compressed as its name says. The core reads and writes as a whole what is neither plain nor gzip."""
    kind = name.lower()
    if kind.endswith((".txt", ".gz")):
        opener: Any = gzip.open if kind.endswith(".gz") else open
        with opener(name, mode) as file:
            yield file
    else:
        content = BytesIO(_core.unpack(name) if mode == "rb" else b"")
        yield content
        if mode == "wb":
            _core.pack(name, content.getvalue())


@contextmanager
def _reading(name: str) -> Iterator[None]:
    """Report errors of reading a list."""
    try:
        yield
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise DataError(f"{name}: the compressed file is broken: {error}") from error
    except OSError as error:
        raise EnvironmentFault(f"{name} cannot be read: {error.strerror}") from error
