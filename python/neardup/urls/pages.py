"""Pages: the documents of a collection, or the lines of lists of URLs, each with its canonical URL."""

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Union, cast

from neardup._core import place_of
from neardup.allowed import check, show
from neardup.errors import DataError, UsageError
from neardup.inputs.document import Document
from neardup.inputs.sources import OneTable, file_name, has_rows
from neardup.options.reading import READING_NAMES
from neardup.options.values import translate
from neardup.results.account import Account
from neardup.urls.url_lists import UrlList, find_lists, is_url_list
from neardup.urls.urls import DEFAULT_RULES, canonical_url

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from neardup.corpus.archives import NoteRecord
    from neardup.corpus.extractors import ExtractTexts

    Recall = Callable[[ExtractTexts, str | None], ExtractTexts]

PageInputs = Union[
    str, PathLike[str], OneTable, "DataFrame", Iterable[str | PathLike[str] | Document | OneTable | None]
]
"""A path, several paths, documents, records (None is one without fields), or a table of any library.

A file whose name ends in .txt, also compressed as .txt.gz, .txt.zst and so on, is a list of URLs, one a line.
"""
_CHOOSING = ("include", "exclude")
"""Options that choose among files."""
_OF_LISTS = ("encoding", "on_error")
"""Options of reading that hold for lists of URLs, too."""
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
    """Pages in input order, read one after another; `rejects` and `lists` grow as they are read."""

    def __init__(
        self,
        inputs: PageInputs,
        options: dict[str, Any],
        *,
        with_text: bool = False,
        as_written: bool = False,
        takes_lists: bool = True,
        note: "NoteRecord | None" = None,
        recall: "Recall | None" = None,
    ) -> None:
        """Take the inputs. Options for texts apply only with `with_text`, and `rules` only without `as_written`.

        Lists of URLs are refused without `takes_lists`. `note` takes the records of web archives. `recall` makes the
        function that extracts texts from HTML another one, which knows some of them.
        """
        self._note, self._recall = note, recall
        self.rejects: list[PageReject] = []
        self.lists: list[UrlList] = []
        self._read = 0
        self._inner = Account.of_counts()
        self._options = options
        self._skip = self._options.get("on_error") == "skip"
        self._with_text = with_text
        self._as_written = as_written
        self._table = inputs if has_rows(inputs) else None
        if not isinstance(inputs, Iterable | PathLike) and self._table is None:
            raise UsageError(f"pages cannot be read from {show(inputs)}: {_ALLOWED}")
        self._takes_lists = takes_lists
        # an iterator is read once, by the run
        several = [inputs] if isinstance(inputs, str | PathLike) else inputs if isinstance(inputs, list | tuple) else []
        lists = [file_name(one) for one in several if _is_list(one)]
        self._refuse_lists(lists)
        if lists and len(lists) == len(several):
            _refuse_needless(lists, options)
        self._inputs = cast(Iterable[Any], [inputs] if isinstance(inputs, str | PathLike) else inputs)

    def __iter__(self) -> Iterator[WebPage]:
        """Read the pages. Raises `DataError`, which names the place, for a page that cannot be used or skipped."""
        progress = self._options.get("progress")
        for number, (document, place) in enumerate(self._documents(), 1):
            if progress and number % _STEP == 0:
                progress("read", number, 0, number)
            if not document.url:
                self._reject(document, place, "there is no URL")
                continue
            try:
                canonical = self.spell(document.url)
            except UsageError as error:
                self._reject(document, place, str(error))
            else:
                self._read += 1
                place_in = (str(document.source), document.row or 0)
                yield WebPage(str(document.id), document.url, canonical, document.text, *place_in)

    def spell(self, url: str) -> str:
        """Return a URL as pages are compared by it. Raises `UsageError` for one that has no canonical form."""
        return url if self._as_written else canonical_url(url, rules=self._options.get("rules", DEFAULT_RULES))

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

    def _refuse_lists(self, lists: list[str]) -> None:
        if lists and not self._takes_lists:
            raise UsageError(f"{lists[0]}: a list of URLs has no texts; a sweep is of documents")

    def _lines(self, pattern: str) -> Iterator[tuple[Document, str]]:
        self._refuse_lists([pattern])
        names, files = find_lists(pattern, *(self._options.get(name, ()) for name in _CHOOSING))
        self._inner = self._inner.plus(Account.of_counts()._replace(files=files))
        for name in names:
            url_list = UrlList(name, self._options.get("encoding"))
            self.lists.append(url_list)
            for row, url, reason in url_list.urls():
                document, place = Document("", f"{name}:{row}", url, None, name, row), f"{name}, line {row}"
                if reason:
                    self._reject(document, place, reason)
                else:
                    yield document, place
            guessed = Account.of_counts()
            guessed.records["flaws"].update(url_list.flaws)
            self._inner = self._inner.plus(guessed)

    @property
    def reading(self) -> dict[str, Any]:
        """The options with which documents are read, for the core."""
        known = {name: value for name, value in self._options.items() if name in READING_NAMES and value}
        url = known.setdefault("url_field", "url")
        if not self._with_text:
            # documents need not have a text then: the URL is read in its place
            known["text_field"] = url
        core = translate(known)
        if self._recall is not None:
            core["extract"] = self._recall(core["extract"], core["extractor"] if core["main_content"] else None)
        if self._note is not None:
            from neardup.corpus.archives import Archives

            core["archive"] = Archives(core["extract"], note=self._note).read
        return core

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


def _refuse_needless(lists: list[str], options: dict[str, Any]) -> None:
    """Raise `UsageError` for an option that no input can heed, because all of them are lists of URLs."""
    are_named = all(Path(name).exists() for name in lists)
    for name in filter(options.get, READING_NAMES):
        if name in _CHOOSING and are_named:
            there = "files of folders, archives and patterns, and all files are named"
            raise UsageError(f"{name} chooses among the {there}: leave {name} out, or give a pattern")
        if name not in (*_CHOOSING, *_OF_LISTS):
            raise UsageError(f"{name}: a list of URLs has a URL in each line and nothing else; leave {name} out")


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
        return "list of URLs" if _is_list(one) else "paths"
    return "rows" if one is None or has_rows(one) else "documents"


def _is_list(one: Any) -> bool:
    return isinstance(one, str | PathLike) and is_url_list(file_name(one))
