"""The gate, which stops duplicates at the moment a document is stored."""

from collections.abc import Iterable, Iterator
from os import PathLike
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import Literal, NamedTuple

from neardup._core import Scheme
from neardup.allowed import allow_all, check
from neardup.errors import DamagedIndex, DataError
from neardup.index.adoption import note
from neardup.index.follower import follow
from neardup.index.index import Index
from neardup.index.orphans import DOCUMENTS, index_exists, refuse_orphans
from neardup.index.verdict import Admission, Check, Removal
from neardup.inputs.document import Document
from neardup.inputs.sources import refuse_table
from neardup.options.values import given
from neardup.schemes.number import Number
from neardup.stores.document_store import DocumentStore
from neardup.stores.others import refuse_others
from neardup.stores.sqlite import SqliteStore


class Page(NamedTuple):
    """A page of HTML with its id, URL and time. Its document is the core text, without the frame of the site.

    `time` as in `Document`.
    """

    html: str
    id: str | None = None
    url: str | None = None
    time: int | str | None = None


def documents(given: Document | Page | str | Iterable[Document | Page | str], index: Index) -> Iterator[Document]:
    """Yield a document for each item, in order; a single item may be passed alone.

    The main content of a page is taken by the extractor of the index.

    `DataError` for HTML that cannot be parsed, `EnvironmentFault` without the `html` extra.
    """
    if isinstance(given, Document | Page | str):
        given = [given]
    refuse_table(given, "str, neardup.Document and neardup.gate.Page")
    for item in given:
        if isinstance(item, Page):
            check("html", item.html, str)
            yield Document(_core_text(item, index.choose_extractor()), item.id, item.url, item.time)
        else:
            yield Document(item) if isinstance(item, str) else item


def _core_text(page: Page, extractor: str) -> str:
    from neardup.corpus.markup import extract_texts

    [(text, reason, _)] = extract_texts([page.html], extractor)
    if text is None:
        raise DataError(f"page {page.url or page.id or 'without URL and id'}: {reason}")
    return text


Given = Document | Page | str


@allow_all
class Gate:
    """An index that decides, and a store that keeps every document; its search finds originals only.

    Verdicts are those of `dedup` over the same documents: under the policy `first` in the order they were admitted,
    under `earliest` in that of their times, in whatever order they arrive. Threads and processes may use one gate at
    once: each document is decided after all that were admitted before. A page of HTML is decided by its core text,
    which is what is stored.

    The index is written first. If the store then fails, the error is raised, but the document is admitted; the store
    receives it with the next document, by `sync`, or when the gate is opened again.
    """

    def __init__(self, index: Index, store: DocumentStore) -> None:
        """Join an index and a store that follows it, and apply the steps that the store lacks.

        A store belongs to the index it was first joined to; another one is a `UsageError`.
        """
        self.index = index
        """Index that decides and answers queries."""
        self.store = store
        """Store of the documents; the one of a folder has `search`."""
        self._following = Lock()
        store.claim(index.core.identity)
        if isinstance(store, SqliteStore):
            note(index, store)
        self.sync()

    @classmethod
    def open(
        cls,
        folder: str | PathLike[str],
        *,
        store: DocumentStore | None = None,
        threshold: Number | None = None,
        recall: Number | None = None,
        scheme: str | Scheme | None = None,
        parts: bool | str | Scheme | None = None,
        policy: Literal["first", "earliest"] | None = None,
        ttl: int | str | None = None,
        most: int | None = None,
        folders: int | None = None,
        extractor: Literal["auto", "resiliparse", "trafilatura"] | None = None,
    ) -> "Gate":
        """Open the gate of a folder, or make one.

        Args:
            folder: The folder.
            store: Where documents are stored. By default an SQLite file of the folder, which is searched, too.
            threshold: Resemblance from which two documents are near-duplicates: above 0, up to 1; replaces that of a
                named scheme. At 1, signs are compared too, if no scheme is named. By default 0.8.
            recall: Probability of finding a pair exactly at the threshold, or 'exact' to find every pair. By default
                0.99.
            scheme: A whole scheme line, which states its own threshold, or the name of a profile or a classic.
            parts: A second table of keys, for texts that contain one another.
            policy: Which document of a group is kept: the one that came first, or the one with the smallest time. By
                default first.
            ttl: Age from which a document is removed, counted from its arrival: seconds, or 90s, 15m, 12h, 30d, 2w, 1y.
            most: The oldest documents are removed while more than this are kept; copies do not count.
            folders: Split keys and texts over this number of folders. By default one, whole.
            extractor: What takes the main content of HTML: auto, resiliparse or trafilatura. It holds for all
                documents. By default auto.

        Returns:
            The gate, opened.

        Raises:
            UsageError: The gate there was made with another value of an option that is given.
            DamagedIndex: There are documents whose index is gone; the message names the command that makes it anew.
            EnvironmentFault: A file cannot be read or written.
        """
        options = given("index create", locals())
        place = Path(folder)
        refuse_orphans(place / "index")
        if store is None:
            refuse_others(place / DOCUMENTS)
        if (
            store is not None
            and not index_exists(place / "index")
            and store.position()
            and not index_exists(place / "index")
        ):
            raise DamagedIndex(f"{place / 'index'}: there is no index here, and the store is that of one: name that")
        index = Index.open_or_create(place / "index", **options)
        return cls(index, SqliteStore(place / DOCUMENTS) if store is None else store)

    def admit(self, document: Given) -> Admission:
        """Store a document and return what it is: new, a duplicate of another, or an update of the same URL.

        `changed` has every document whose verdict changed: under `earliest` a late original takes over. Raises
        `DataError` for an id that is there already under another URL; then nothing is stored.
        """
        [admission] = self.admit_all([document])
        return admission

    def admit_all(self, given: Given | Iterable[Given]) -> list[Admission]:
        """Store one document, or several in this order, many in one transaction; see `admit`."""
        try:
            return self.index.add(documents(given, self.index))
        finally:
            self.sync()

    def check(self, document: Given) -> Check:
        """Return what `admit` would, and store nothing.

        It sees documents of other processes as of the last `admit`, `remove` or `index.refresh` here.
        """
        [one] = documents([document], self.index)
        return self.index.check(one)

    def remove(self, ids: str | Iterable[str]) -> Removal:
        """Remove documents. Duplicates of a removed original get another original, which enters the search index."""
        removal = self.index.remove(ids)
        self.sync()
        return removal

    def expire(self) -> Removal:
        """Remove documents that are too old by now; `admit` does so by itself."""
        removal = self.index.expire()
        self.sync()
        return removal

    def sync(self) -> None:
        """Apply to the store the steps of the index that it lacks."""
        with self._following:
            follow(self.index.core, self.store)

    def close(self) -> None:
        """Close the store."""
        self.store.close()

    def __enter__(self) -> "Gate":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
