"""The living index: documents added, asked for and removed one at a time."""

import json
import time
from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import islice
from os import PathLike, fspath
from typing import Any, Literal, TypeVar, cast

from neardup import _core
from neardup.document import Document
from neardup.errors import DataError, UsageError
from neardup.live.age import parse_age
from neardup.live.hit import Hit, Hits
from neardup.live.verdict import Admission, Check, Removal, Verdict, verdict
from neardup.options import check_scheme
from neardup.scheme import Number, plan_scheme, write_number, write_scheme

Policy = Literal["first", "earliest"]
By = Literal["resemblance", "containment", "contained-by"]

PARTS = "words | shingles:5 | moduli:32 | each | containment>=0.5"
"""The scheme of parts when none is named: it fits the default scheme."""

_BATCH = 256

_WAYS: dict[By, Literal["scheme", "containment", "contained_by"]] = {
    "resemblance": "scheme",
    "containment": "containment",
    "contained-by": "contained_by",
}
_T = TypeVar("_T")


class Index:
    """A folder of documents that is kept in order as they come and go, for many threads and processes.

    Whoever writes waits for others who do; readers wait for nobody, and see the index as it was when they opened or
    refreshed it. What a method that writes gives back is on the disk. A document without an id is named `#` and the
    number of its arrival.
    """

    def __init__(self, core: _core.Index, folder: str) -> None:
        """Take what `create` or `open` made."""
        self._core = core
        self.folder = folder
        """Where it stands."""

    @classmethod
    def create(
        cls,
        folder: str | PathLike[str],
        *,
        scheme: str | _core.Scheme | None = None,
        threshold: Number | None = None,
        recall: Number | None = None,
        parts: bool | str | _core.Scheme = False,
        policy: Policy = "first",
        ttl: int | str | None = None,
        most: int | None = None,
    ) -> "Index":
        """Make an empty index in a folder.

        `scheme`, or `threshold` and `recall`, say when two documents are near-duplicates, as in `dedup`. With `parts` a
        second table finds texts that stand in one another, whatever their sizes; it may be a scheme of its own. Under
        the policy `first` the document is kept that came first, under `earliest` the one with the smallest time.
        Documents go that came longer ago than `ttl` (seconds, or "30d"), and the oldest when there are more than
        `most`. Raises `UsageError` when there is an index already.
        """
        if scheme is not None:
            line = write_scheme(scheme)
            given = {"threshold": threshold, "recall": recall}
            written = {name: None if value is None else write_number(value, name) for name, value in given.items()}
            check_scheme(line, written["threshold"], written["recall"])
        else:
            line = str(plan_scheme(0.8 if threshold is None else threshold, 0.99 if recall is None else recall))
        if most is not None and most < 1:
            raise UsageError(f"most is {most}; it is a number of documents, 1 or more")
        seconds = None if ttl is None else parse_age(ttl)
        part_line = None if parts is False else PARTS if parts is True else write_scheme(parts)
        return cls(_core.Index.create(fspath(folder), line, part_line, policy, seconds, most), fspath(folder))

    @classmethod
    def open(
        cls,
        folder: str | PathLike[str],
        *,
        scheme: str | _core.Scheme | None = None,
        parts: str | _core.Scheme | None = None,
    ) -> "Index":
        """Open an index; every byte of it is checked.

        `scheme` and `parts` need not be given, unless they have a secret seed; another scheme than that of the index is
        a `UsageError`, damage a `DataError`.
        """
        line, part_line = (None if one is None else write_scheme(one) for one in (scheme, parts))
        return cls(_core.Index.open(fspath(folder), line, part_line), fspath(folder))

    def add(self, documents: Document | str | Iterable[Document | str]) -> list[Admission]:
        """Add documents, in this order.

        A document of a URL that is there already takes the place of the old one. Raises `DataError` for an id that is
        there already and for a time that is none; then nothing of its batch of 256 documents was added.
        """
        admissions: list[Admission] = []
        rows = map(_row, _several(documents))
        while batch := list(islice(rows, _BATCH)):
            admissions += map(_admission, self._core.add(batch, int(time.time())))
        return admissions

    def check(self, document: Document | str) -> Check:
        """Tell what would come of a document; nothing changes.

        Where it would take the place of another, documents that were dropped for that one count as kept.
        """
        told, replaced, unchanged = self._core.check(_row(document))
        return Check(verdict(told), replaced, unchanged)

    def remove(self, ids: str | Iterable[str]) -> Removal:
        """Remove documents; `DataError` when one of them is not there, and then none is removed.

        Texts, sketches and keys of removed documents are on the disk until `compact`.
        """
        return _removal(self._core.remove([ids] if isinstance(ids, str) else list(ids)))

    def expire(self) -> Removal:
        """Remove what is too old by now; adding does so by itself."""
        return _removal(self._core.expire(int(time.time())))

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

        The text is given, or that of the document with this `id` or `url`, which is no hit itself. Hits meet the
        scheme's measure, and `threshold` when one is given, which is not below that of the scheme. `by` containment
        (the share of the text in the document) or contained-by (the share of the document in the text) asks the table
        of parts; all hits share features with the text then. `passages` tells where they say the same. Raises
        `UsageError` for what the index cannot answer, `DataError` for a document that is not there.
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
        found, thin, cut = self._core.query(cast(str, asked), _WAYS[by], bound, limit + (own is not None))
        hits = Hits(hit for hit in map(Hit._make, ((*row, None) for row in found)) if hit.id != own)
        del hits[limit:]
        if passages:
            hits[:] = [hit._replace(passages=self._passages(cast(str, asked), hit.id)) for hit in hits]
        hits.thin, hits.cut = thin, cut
        return hits

    def get(self, id: str) -> Document:  # noqa: A002 - the field has this name
        """Give the document of this id; `DataError` when there is none."""
        held = self._core.get(id)
        if held is None:
            raise DataError(f"id {id!r} is not in the index {self.folder}")
        return _document(held)

    def of_url(self, url: str) -> str | None:
        """Give the id of the document of this URL, if there is one."""
        return self._core.of_url(url)

    def verdict(self, id: str) -> Verdict:  # noqa: A002 - the field has this name
        """Tell whether a document is kept, with the evidence; `DataError` when there is none of this id."""
        return verdict(self._there(id, self._core.verdict(id)))

    def group(self, id: str) -> list[str]:  # noqa: A002 - the field has this name
        """Give the ids of all documents with the same original as this one: the original, then the others by id."""
        return self._there(id, self._core.group(id))

    def cluster(self, id: str) -> list[str]:  # noqa: A002 - the field has this name
        """Give the ids of all documents in the cluster of this one, ascending; the first names the cluster.

        A cluster is a component of the pairs that meet the measure.
        """
        return self._there(id, self._core.cluster(id))

    def __iter__(self) -> Iterator[Document]:
        """Go through all documents in order of arrival; what is added meanwhile is seen, too."""
        serial, held = 0, self._core.held(0, _BATCH)
        while held:
            yield from map(_document, held)
            serial = held[-1][0] + 1
            held = self._core.held(serial, _BATCH)

    def __len__(self) -> int:
        return len(self._core)

    def __contains__(self, id: object) -> bool:  # noqa: A002
        return isinstance(id, str) and self._core.get(id) is not None

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Give all documents as a table, so that the jobs take an index: `cluster(index, id_field="id")`."""
        rows = ((document.id, document.text, document.url, document.time, None) for document in self)
        return _core.collect(rows).__arrow_c_stream__(requested_schema)

    @property
    def position(self) -> int:
        """How many steps were taken through the life of the index: additions of a document, and removals."""
        return self._core.position

    def info(self) -> dict[str, Any]:
        """Tell how the index was made, how many documents there are and what they take."""
        return cast(dict[str, Any], json.loads(self._core.info()))

    @property
    def scheme(self) -> str:
        """The canonical scheme line."""
        return str(self.info()["scheme"])

    def refresh(self) -> None:
        """See what others have written since."""
        self._core.refresh()

    def compact(self) -> None:
        """Make one segment of all; nothing of removed documents is left on the disk."""
        self._core.compact()

    def verify(self) -> None:
        """Read every byte and sign every text again; `DataError` names what is not as it was written."""
        self._core.verify()

    def _id_of(self, id: str | None, url: str | None) -> str:  # noqa: A002
        if id is not None:
            return id
        found = self.of_url(cast(str, url))
        if found is None:
            raise DataError(f"URL {url!r} is not in the index {self.folder}")
        return found

    def _bound(self, threshold: Number, by: By) -> str:
        written = write_number(threshold, "threshold")
        least = _core.Scheme(self.scheme).threshold if by == "resemblance" else None
        if least is not None and Fraction(written) < Fraction(least):
            raise UsageError(f"threshold is {written}; the keys of this index find what resembles by {least} or more")
        return written

    def _passages(self, text: str, id: str) -> list[Any]:  # noqa: A002
        from neardup.explanation import explain

        return explain(text, self.get(id), scheme=self.scheme).passages

    def _there(self, id: str, found: _T | None) -> _T:  # noqa: A002
        if found is None:
            raise DataError(f"id {id!r} is not in the index {self.folder}")
        return found


def _several(documents: Document | str | Iterable[Document | str]) -> Iterable[Document | str]:
    return [documents] if isinstance(documents, str | Document) else documents


def _row(document: Document | str) -> tuple[str | None, str, str | None, int | str | None]:
    if isinstance(document, str):
        return None, document, None, None
    return document.id, document.text, document.url, document.time


def _document(held: tuple[int, str, str, str | None, int | None, str]) -> Document:
    _, name, text, url, seconds, _ = held
    return Document(text, name, url, seconds)


def _admission(told: Any) -> Admission:
    decided, replaced, unchanged, expired, changed = told
    return Admission(verdict(decided), replaced, unchanged, expired, [verdict(one) for one in changed])


def _removal(told: Any) -> Removal:
    removed, changed = told
    return Removal(removed, [verdict(one) for one in changed])
