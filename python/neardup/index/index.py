"""The index: documents are added, queried and removed one at a time."""

import json
import time
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import cached_property
from itertools import islice
from os import PathLike, fspath
from pathlib import Path
from typing import Any, Literal, TypeVar, cast

from neardup import _core
from neardup._core import Scheme
from neardup.allowed import allow_all
from neardup.corpus.extractors import check_label
from neardup.errors import DataError, UsageError
from neardup.index.hit import Hit, Hits
from neardup.index.options import set_up
from neardup.index.selection import Selection, select_clusters, select_documents
from neardup.index.verdict import Admission, Check, Removal, Verdict, verdict
from neardup.inputs.document import Document, document_of, documents_of, refuse_flawed
from neardup.inputs.sources import refuse_table
from neardup.options.values import given
from neardup.schemes.line import write_scheme
from neardup.schemes.number import Number, read_number, write_number
from neardup.table import Table

By = Literal["resemblance", "containment", "contained-by"]

_BATCH = 256
_MOST = 2**32 - 1
"""Maximum number of documents of an index."""

_WAYS: dict[By, Literal["scheme", "containment", "contained_by"]] = {
    "resemblance": "scheme",
    "containment": "containment",
    "contained-by": "contained_by",
}
_T = TypeVar("_T")


@allow_all
class Index:
    """A folder of documents with their verdicts, which many threads and processes may use at once.

    Writers wait for each other; readers do not wait, and see the index as it was when they opened or refreshed it.
    When a method that writes returns, its changes are on the disk. A document without an id is named `#` and the number
    of its arrival.
    """

    def __init__(self, core: _core.Index, folder: str, line: str | None = None) -> None:
        """Wrap the index that `create` or `open` made; `line` is the scheme as it was given, with a secret seed."""
        self.core = core
        """Index of the core, which decides, looks up and stores."""
        self.folder = folder
        """Path of the folder."""
        self._line = line

    @classmethod
    def create(
        cls,
        folder: str | PathLike[str],
        *,
        threshold: Number | None = None,
        recall: Number | None = None,
        scheme: str | Scheme | None = None,
        parts: bool | str | Scheme | None = None,
        policy: Literal["first", "earliest"] | None = None,
        ttl: int | str | None = None,
        most: int | None = None,
        folders: int | None = None,
        extractor: Literal["auto", "resiliparse", "trafilatura"] | None = None,
    ) -> "Index":
        """Make an empty index in a folder.

        With `folders` it is split over `shard-0`, `shard-1`, ... of the folder. Every key belongs to one of them, which
        stores the texts that contain the key; names and verdicts are in all of them.

        Args:
            folder: The folder, which must not contain an index yet.
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
            The index, opened.

        Raises:
            UsageError: An option or its value is not allowed, or there is an index already.
            EnvironmentFault: A file cannot be written.
        """
        setup = set_up(given("index create", locals()))
        return cls(_core.Index.create(fspath(folder), *setup), fspath(folder), setup.scheme)

    @classmethod
    def open(
        cls,
        folder: str | PathLike[str],
        *,
        scheme: str | _core.Scheme | None = None,
        parts: str | _core.Scheme | None = None,
        peers: str | None = None,
        read_only: bool = False,
    ) -> "Index":
        """Open an index and check every byte of it.

        The folder may be that of a run that wrote an index. `scheme` and `parts` are needed only if they have a secret
        seed; another scheme than that of the index is a `UsageError`, damage a `DamagedIndex`.

        One shard of a split index is opened with `peers`, the host:port where shard 0 listens and to which the others
        connect within a minute. Every process makes the same calls in the same order; then all return the same.

        With `read_only` nothing is written. The undamaged documents of a damaged index are then decided anew, in
        memory, which takes as long as adding them. `repair` restores the index for good.
        """
        line, part_line = (None if one is None else write_scheme(one) for one in (scheme, parts))
        path = fspath(folder)
        if not _can_open(path, read_only) and _can_open(f"{path}/index", read_only):
            path = f"{path}/index"
        elif not _core.Repair.exists_in(path):
            from neardup.index.orphans import refuse_orphans

            refuse_orphans(Path(path) / "index")
            refuse_orphans(Path(path))
        return cls(_core.Index.open(path, line, part_line, peers=peers, read_only=bool(read_only)), path, line)

    @classmethod
    def open_or_create(
        cls,
        folder: str | PathLike[str],
        *,
        threshold: Number | None = None,
        recall: Number | None = None,
        scheme: str | Scheme | None = None,
        parts: bool | str | Scheme | None = None,
        policy: Literal["first", "earliest"] | None = None,
        ttl: int | str | None = None,
        most: int | None = None,
        folders: int | None = None,
        extractor: Literal["auto", "resiliparse", "trafilatura"] | None = None,
    ) -> "Index":
        """Open the index of a folder, or make one.

        Args:
            folder: The folder.
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
            The index, opened.

        Raises:
            UsageError: The index there was made with another value of an option that is given.
            DamagedIndex: The index there is damaged.
            EnvironmentFault: A file cannot be read or written.
        """
        options = given("index create", locals())
        wanted = set_up(options)
        if not _core.Index.exists_in(fspath(folder)):
            try:
                return cls.create(folder, **options)
            except UsageError:
                # another process may have made it meanwhile
                if not _core.Index.exists_in(fspath(folder)):
                    raise
        names_scheme = any(options.get(name) is not None for name in ("scheme", "threshold", "recall"))
        index = cls.open(folder, scheme=wanted.scheme if names_scheme else None, parts=wanted.parts)
        info = index.info()
        for name, value, current in (
            ("policy", wanted.policy, info["policy"]),
            ("ttl", wanted.ttl, info["ttl_seconds"]),
            ("most", wanted.most, info["most"]),
            ("parts", wanted.parts is not None, info["parts_scheme"] is not None),
            ("folders", wanted.folders, info["folders"] if info.get("shard") else None),
            ("extractor", wanted.extractor, info.get("extractor")),
        ):
            if options.get(name) is not None and value != current:
                raise UsageError(f"{name} is {value}; the index in {index.folder} was made with {current}")
        return index

    def choose_extractor(self, asked: str | None = None) -> str:
        """Return the name of the extractor with which the texts of pages are added to it.

        Raises `UsageError` if another one is asked for, and if the version that it was made with is another one.
        """
        return check_label(self._extractor, asked, self.folder)

    @cached_property
    def _extractor(self) -> str | None:
        return cast(str | None, self.info().get("extractor"))

    def add(self, documents: Document | str | Iterable[Document | str]) -> list[Admission]:
        """Add documents, in this order.

        A document replaces an earlier one of the same URL. Raises `DataError` for an id that is there already, for an
        invalid time and for a lone surrogate; then no document of its batch of 256 was added.
        """
        admissions: list[Admission] = []
        rows = map(_row, _several(documents))
        while batch := list(islice(rows, _BATCH)):
            first = len(admissions) + 1
            try:
                admissions += map(_admission, self.core.add(batch, int(time.time()), first))
            except DataError:
                _name_flaw(batch, first)
                raise
        return admissions

    def check(self, document: Document | str) -> Check:
        """Return the outcome of adding a document, without adding it; `DataError` if it could not be added.

        If it would replace another one, the verdicts are those without that one.
        """
        asked = _row(document)
        try:
            row, replaced, unchanged = self.core.check(asked)
        except DataError:
            _name_flaw([asked], 1)
            raise
        return Check(verdict(row), replaced, unchanged)

    def remove(self, ids: str | Iterable[str]) -> Removal:
        """Remove documents; `DataError` if one of them is not there, and then none is removed.

        Texts, sketches and keys of removed documents stay on the disk until `compact`.
        """
        return _removal(self.core.remove([ids] if isinstance(ids, str) else list(ids)))

    def expire(self) -> Removal:
        """Remove documents that are too old by now; adding does so by itself."""
        return _removal(self.core.expire(int(time.time())))

    def query(
        self,
        text: str | None = None,
        *,
        id: str | None = None,  # noqa: A002 - the field has this name
        url: str | None = None,
        by: By = "resemblance",
        threshold: Number | None = None,
        limit: int = 10,
        passages: bool = False,
    ) -> Hits:
        """Find the documents most like a text, verified, the best first.

        The query is `text`, or the text of the document with this `id` or `url`, which is no hit itself. Hits meet the
        scheme's measure, and `threshold` if it is given; it must not be below that of the scheme. `by` containment
        (the share of the text in the document) or contained-by (the share of the document in the text) queries the
        table of parts; then all hits share features with the text. `passages` adds the passages that a hit shares with
        the text. Raises `UsageError` for a query that the index cannot answer, `DataError` for a document that is not
        there.
        """
        if limit < 1:
            raise UsageError(f"limit is {limit}; it is a number of hits, 1 or more")
        if by not in _WAYS:
            raise UsageError(f"by is {by!r}; allowed are {', '.join(_WAYS)}")
        if (text is not None) + (id is not None) + (url is not None) != 1:
            raise UsageError("ask about one of text, id, url")
        own = None if text is not None else self._id_of(id, url)
        asked = text if own is None else self.get(own).text
        bound = None if threshold is None else self._bound(threshold, by)
        found, thin, cut = self.core.query(cast(str, asked), _WAYS[by], bound, min(limit, _MOST) + (own is not None))
        hits = Hits(Hit(*row) for row in found if row[0] != own)
        del hits[limit:]
        if passages:
            hits[:] = [hit._replace(passages=self._passages(cast(str, asked), hit.id)) for hit in hits]
        hits.thin, hits.cut = thin, cut
        return hits

    def get(self, id: str) -> Document:  # noqa: A002 - the field has this name
        """Return the document of this id; `DataError` if there is none."""
        return document_of(self._require(id, self.core.get(id)))

    def of_url(self, url: str) -> str | None:
        """Return the id of the document of this URL, if there is one."""
        return self.core.of_url(url)

    def verdict(self, id: str) -> Verdict:  # noqa: A002 - the field has this name
        """Return whether a document is kept, with the evidence; `DataError` if there is none of this id."""
        return verdict(self._require(id, self.core.verdict(id)))

    def group(self, id: str) -> list[str]:  # noqa: A002 - the field has this name
        """Return the ids of all documents with the same original as this one: the original, then the others by id."""
        return self._require(id, self.core.group(id))

    def cluster(self, id: str) -> list[str]:  # noqa: A002 - the field has this name
        """Return the ids of all documents in the cluster of this one, ascending; the first names the cluster.

        A cluster is a component of the pairs that meet the measure.
        """
        return self._require(id, self.core.cluster(id))

    def decisions(
        self,
        *,
        scheme: str | Scheme | None = None,
        read_only: bool = False,
        min_size: int | None = None,
        max_size: int | None = None,
        since: str | None = None,
        until: str | None = None,
        host: str | None = None,
    ) -> Table:
        """List the verdicts on the documents, in order of arrival, as the table of a batch run.

        Args:
            scheme: The scheme of the index; needed only where it has a secret seed.
            read_only: Write nothing, and read of a damaged index what is undamaged.
            min_size: Only documents of groups or clusters of this many documents or more.
            max_size: Only documents of groups or clusters of this many documents or fewer.
            since: Only documents of this time or later: a date-time or a date.
            until: Only documents of this time or earlier; a date includes all of its day, month or year.
            host: Only documents whose URL has this host.

        Returns:
            The columns of decisions.parquet (docs/reference/outputs.md), with the URL, the host and the date of each
            document.

        Raises:
            UsageError: A time is not written as allowed, or no time is left.
        """
        selection = Selection(**given("index documents", locals()))
        return Table(select_documents(self.core.decisions(), selection))

    def clusters(
        self,
        *,
        scheme: str | Scheme | None = None,
        read_only: bool = False,
        min_size: int | None = None,
        max_size: int | None = None,
        since: str | None = None,
        until: str | None = None,
        host: str | None = None,
    ) -> Table:
        """List the clusters of the documents, in order of arrival, as the table of a batch run.

        A cluster is selected with all its documents if one of them is of the time and the host that are asked for.

        Args:
            scheme: The scheme of the index; needed only where it has a secret seed.
            read_only: Write nothing, and read of a damaged index what is undamaged.
            min_size: Only documents of groups or clusters of this many documents or more.
            max_size: Only documents of groups or clusters of this many documents or fewer.
            since: Only documents of this time or later: a date-time or a date.
            until: Only documents of this time or earlier; a date includes all of its day, month or year.
            host: Only documents whose URL has this host.

        Returns:
            The columns of clusters.parquet (docs/reference/outputs.md), with the URL, the host and the date of each
            document.

        Raises:
            UsageError: A time is not written as allowed, or no time is left.
        """
        selection = Selection(**given("index clusters", locals()))
        return Table(select_clusters(self.core.clusters(), selection))

    def __iter__(self) -> Iterator[Document]:
        """Iterate over all documents in order of arrival, including those added meanwhile."""
        return documents_of(self.core)

    def __len__(self) -> int:
        return len(self.core)

    def __contains__(self, document_id: object) -> bool:
        try:
            return isinstance(document_id, str) and self.core.get(document_id) is not None
        except UnicodeEncodeError:
            return False

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Return all documents as a table of id, text, url, time, so that jobs accept an index: `cluster(index)`."""
        return self.core.__arrow_c_stream__(requested_schema)

    @property
    def position(self) -> int:
        """Number of steps in the life of the index: additions of a document, and removals."""
        return self.core.position

    def info(self) -> dict[str, Any]:
        """Return how the index was made, its number of documents and its sizes."""
        return cast(dict[str, Any], json.loads(self.core.info()))

    @property
    def scheme(self) -> str:
        """The canonical scheme line."""
        return self.core.scheme

    @property
    def subject(self) -> str | None:
        """Name of the number in `Hit.value`, as `hamming` or `~resemblance`; None if features decide."""
        return _core.Scheme(self.scheme).subjects[0]

    def refresh(self) -> None:
        """Read the changes that other writers have made since."""
        self.core.refresh()

    def compact(self) -> None:
        """Merge all segments into one; nothing of removed documents is left on the disk."""
        self.core.compact()

    def verify(self) -> None:
        """Read every byte and sign every text again; `DamagedIndex` names what is not as it was written."""
        self.core.verify()

    def _id_of(self, id: str | None, url: str | None) -> str:  # noqa: A002
        if id is not None:
            return id
        found = self.of_url(cast(str, url))
        if found is None:
            raise DataError(f"URL {url!r} is not in the index {self.folder}")
        return found

    def _bound(self, threshold: Number, by: By) -> str:
        bound = read_number(threshold, "threshold")
        least = _core.Scheme(self.scheme).threshold if by == "resemblance" else None
        if least is not None and bound < Fraction(least):
            raise UsageError(f"threshold is {threshold}; the keys of this index find what resembles by {least} or more")
        return write_number(threshold, "threshold")

    def _passages(self, text: str, id: str) -> list[Any]:  # noqa: A002
        from neardup.jobs.explanation import explain

        return explain(text, self.get(id), scheme=self._line or self.scheme).passages

    def _require(self, id: str, found: _T | None) -> _T:  # noqa: A002
        if found is None:
            raise DataError(f"id {id!r} is not in the index {self.folder}")
        return found


def _can_open(folder: str, damaged: bool) -> bool:
    return _core.Index.exists_in(folder) or (damaged and _core.Repair.exists_in(folder))


def _name_flaw(rows: list[tuple[str | None, str, str | None, int | str | None]], first: int) -> None:
    """Raise `DataError` for the first row with a value that no document may have; rows count from `first`."""
    refuse_flawed((Document(text, key, url, when) for key, text, url, when in rows), first, needs_text=True)


def _several(documents: Document | str | Iterable[Document | str]) -> Iterable[Document | str]:
    if isinstance(documents, str | Document):
        return [documents]
    refuse_table(documents, "str and neardup.Document")
    return documents


def _row(document: Document | str) -> tuple[str | None, str, str | None, int | str | None]:
    if isinstance(document, str):
        return None, document, None, None
    if not isinstance(document, Document):
        raise UsageError(f"a document is of type {type(document).__name__}; allowed are str and neardup.Document")
    return document.id, document.text, document.url, document.time


def _admission(row: Any) -> Admission:
    decided, replaced, unchanged, expired, changed = row
    return Admission(verdict(decided), replaced, unchanged, expired, [verdict(one) for one in changed])


def _removal(row: Any) -> Removal:
    removed, changed = row
    return Removal(removed, [verdict(one) for one in changed])
