"""Pages: the documents of a collection, or the lines of a list of URLs, each with its canonical URL."""

import gzip
import zlib
from collections.abc import Iterable, Iterator
from functools import cache
from io import BytesIO
from itertools import groupby
from os import PathLike
from typing import IO, TYPE_CHECKING, Any, NamedTuple, Union, cast

from neardup._core import formats, place_of, unpack
from neardup.allowed import check, show
from neardup.errors import DataError, EnvironmentFault, UsageError
from neardup.inputs.document import Document
from neardup.inputs.sources import OneTable, file_name, has_rows, refuse_special
from neardup.options.reading import READING_NAMES
from neardup.options.values import translate
from neardup.results.account import Account
from neardup.urls.urls import DEFAULT_RULES, canonical_url

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


@cache
def _suffixes() -> tuple[str, ...]:
    """Return the suffixes of lists of URLs: that of a text, also with those of every compression of a text."""
    packed = next(compressions for suffixes, compressions, *_ in formats() if "txt" in suffixes)
    return (".txt", *(f".txt{compression}" for compression in packed))


def is_url_list(name: str) -> bool:
    """Return whether a file is read as a list of URLs, judged by its name."""
    return name.lower().endswith(_suffixes())


def list_files(pattern: str) -> list[str]:
    """Return the files that a name or a glob matches, in order. Raises `DataError` if there are none."""
    # imported here, because a job over documents needs neither
    from glob import glob
    from pathlib import Path

    names = [pattern] if Path(pattern).exists() else sorted(glob(pattern))  # noqa: PTH207 - a name as it was typed
    if not names:
        raise DataError(f"{pattern}: there is no such file or folder")
    return names


def read_lines(name: str) -> Iterator[tuple[int, str | None]]:
    """Yield the lines that are not blank, as (number from 1, line without white space around it).

    A line that is not UTF-8 is None. Raises `DataError` for a damaged compressed file, `EnvironmentFault` for a file
    that cannot be read.
    """
    refuse_special(name)
    try:
        with open_list(name) as file:
            for number, line in enumerate(file, 1):
                try:
                    text = line.decode().strip()
                except UnicodeDecodeError:
                    yield number, None
                else:
                    if text:
                        yield number, text
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise DataError(f"{name}: the compressed file is broken: {error}") from error
    except OSError as error:
        raise EnvironmentFault(f"{name} cannot be read: {error.strerror}") from error


def open_list(name: str) -> IO[bytes]:
    """Open a list of URLs, to read its lines as bytes. The core expands what is neither plain nor gzip."""
    kind = name.lower()
    if kind.endswith(".txt"):
        return open(name, "rb")
    return cast(IO[bytes], gzip.open(name)) if kind.endswith(".gz") else BytesIO(unpack(name))


PageInputs = Union[
    str, PathLike[str], OneTable, "DataFrame", Iterable[str | PathLike[str] | Document | OneTable | None]
]
"""A path, several paths, documents, records (None is one without fields), or a table of any library.

A file whose name ends in .txt, also compressed as .txt.gz, .txt.zst and so on, is a list of URLs, one a line.
"""
_STEP = 10_000
"""Number of pages between two calls of `progress`."""


class WebPage(NamedTuple):
    """A page with its URL. `text` is empty if it was not requested or is not known."""

    id: str
    url: str
    canonical: str
    text: str
    source: str = ""
    row: int = 0


class PageReject(NamedTuple):
    """A page that cannot be used: its source, its line, row or record in that source, and the reason."""

    source: str
    row: int
    reason: str


class Pages:
    """Pages in input order, read one after another; `rejects` grows as they are read."""

    def __init__(
        self, inputs: PageInputs, options: dict[str, Any], *, with_text: bool = False, as_written: bool = False
    ) -> None:
        """Take the inputs. Options for texts apply only with `with_text`, and `rules` only without `as_written`."""
        self.rejects: list[PageReject] = []
        self._read = 0
        self._inner = Account.of_counts()
        self._options = options
        self._skip = self._options.get("on_error") == "skip"
        self._with_text = with_text
        self._as_written = as_written
        self._table = inputs if has_rows(inputs) else None
        if not isinstance(inputs, Iterable | PathLike) and self._table is None:
            raise UsageError(f"pages cannot be read from {show(inputs)}: {_ALLOWED}")
        self._inputs = cast(Iterable[Any], [inputs] if isinstance(inputs, str | PathLike) else inputs)

    def __iter__(self) -> Iterator[WebPage]:
        """Read the pages. Raises `DataError`, which names the place, for a page that cannot be used or skipped."""
        rules = self._options.get("rules", DEFAULT_RULES)
        progress = self._options.get("progress")
        for number, (document, place) in enumerate(self._documents(), 1):
            if progress and number % _STEP == 0:
                progress("read", number, 0, number)
            if not document.url:
                self._reject(document, place, "there is no URL")
                continue
            try:
                canonical = document.url if self._as_written else canonical_url(document.url, rules=rules)
            except UsageError as error:
                self._reject(document, place, str(error))
            else:
                self._read += 1
                place_in = (str(document.source), document.row or 0)
                yield WebPage(str(document.id), document.url, canonical, document.text, *place_in)

    @property
    def account(self) -> Account:
        """Account of the files and records read so far; a record whose URL cannot be used counts as a reject."""
        records = {**self._inner.records, "read": self._read, "rejected": len(self.rejects)}
        found = sum(records[name] for name in ("read", "rejected", "passed_over"))
        return self._inner._replace(records=records | {"found": found})

    def _reject(self, document: Document, place: str, reason: str) -> None:
        if not self._skip:
            raise DataError(f"{place}: {reason}; mend it, or continue without such pages: --on-error skip")
        self.rejects.append(PageReject(str(document.source), document.row or 0, reason))

    def _documents(self) -> Iterator[tuple[Document, str]]:
        if self._table is not None:
            yield from self._records(self._table)
            return
        for number, one in enumerate(_joined(self._inputs), 1):
            if isinstance(one, Document):
                self._refuse_fields()
                check(f"the id of document {number}", one.id, str | None)
                known = one._replace(id=one.id or str(number), source=one.source or "", row=number)
                yield (known if self._with_text else known._replace(text="")), f"document {number}"
            elif isinstance(one, str):
                yield from self._lines(one)
            elif isinstance(one, list):
                yield from self._records(one)
            else:
                raise UsageError(f"pages cannot be read from {type(one).__name__}: {_ALLOWED}")

    def _refuse_fields(self) -> None:
        for name in ("id_field", "url_field", "text_field", "html_field"):
            if self._options.get(name) is not None:
                raise UsageError(f"{name}: a Document has no fields to choose from; leave {name} out")

    def _lines(self, pattern: str) -> Iterator[tuple[Document, str]]:
        for name in list_files(pattern):
            self._inner = self._inner.plus(Account.of_counts(files=1))
            for row, url in read_lines(name):
                document, place = Document("", f"{name}:{row}", url, None, name, row), f"{name}, line {row}"
                if url is None:
                    self._reject(document, place, "not UTF-8")
                else:
                    yield document, place

    @property
    def reading(self) -> dict[str, Any]:
        """The options with which documents are read, for the core."""
        known = {name: value for name, value in self._options.items() if name in READING_NAMES and value}
        url = known.setdefault("url_field", "url")
        if not self._with_text:
            # documents need not have a text then: the URL is read in its place
            known["text_field"] = url
        return translate(known)

    @property
    def url_is_default(self) -> bool:
        """Whether the field of the URL was not named."""
        return self._options.get("url_field") is None

    def _records(self, inputs: Any) -> Iterator[tuple[Document, str]]:
        from neardup.jobs.read import read_as

        reading = read_as(inputs, self.reading, url_is_default=self.url_is_default, needs_text=self._with_text)
        for document in reading:
            page = document._replace(text=document.text if self._with_text else "", time=None)
            yield page, place_of(str(document.source), document.row or 0)
        self._inner = self._inner.plus(reading.account)
        self.rejects += (PageReject(*reject) for reject in reading.rejects)


_ALLOWED = "give paths, tables, records, or all Document"


def _joined(inputs: Iterable[Any]) -> Iterator[Any]:
    """Yield the inputs: paths of lists of URLs as `str`, and what is read together as a list.

    These are paths of records that follow each other, and so are records and tables.
    """
    for kind, group in groupby(inputs, _kind):
        if kind == "list of URLs":
            yield from map(file_name, group)
        elif kind == "paths":
            yield [file_name(one) for one in group]
        elif kind == "rows":
            rows = list(group)
            # None is a record where others are
            yield from [rows] if any(row is not None for row in rows) else rows
        else:
            yield from group


def _kind(one: Any) -> str:
    if isinstance(one, Document):
        return "documents"
    if isinstance(one, str | PathLike):
        return "list of URLs" if is_url_list(file_name(one)) else "paths"
    return "rows" if one is None or has_rows(one) else "documents"
