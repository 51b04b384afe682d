"""The search: documents in the order of id, URL, likeness and words, one for each cluster."""

from collections.abc import Iterator
from itertools import islice
from typing import Literal, NamedTuple

from neardup import _core
from neardup.errors import DamagedIndex, DataError
from neardup.index.answers import describe_difference
from neardup.index.index import By, Index
from neardup.output.written import write_time
from neardup.service.search.snippets import Snippet, cut_snippet
from neardup.service.search.words import DEPTH, Scan, WordQuery, scan_parts, search_parts, search_store
from neardup.stores.sql import SqlStore
from neardup.urls.spellings import spell_url

Way = Literal["id", "url", "text", "words"]
"""How a document was found: by its id or URL, because it is like the text or contains it, or by its words."""
ALIKE = 200
"""Largest number of documents that are like a text, or contain it."""
MOST_RESULTS = 1000
"""Largest number of results that may be left out."""


class Result(NamedTuple):
    """The first document of a cluster that was found."""

    id: str
    url: str | None
    time: str | None
    title: str
    """The first line of its text, or its first words."""
    snippet: Snippet
    found: Way
    original: str
    """The kept document that represents it, or itself."""
    difference: str | None
    """How its text differs from that of the original, in a line; None for an original and for long texts."""
    cluster: str
    documents: int
    """Number of documents of its cluster."""


class SearchPage(NamedTuple):
    """Some of the results, the best first."""

    results: list[Result]
    more: bool
    """Whether there are results after these."""
    notes: list[str]
    """What was not searched."""


def search(index: Index, store: SqlStore | None, query: str, offset: int, limit: int) -> SearchPage:
    """Find documents by an id, a URL, a text or words, folded by cluster.

    Words are found by the search of the store of the index, or else in its texts. Each way looks at a bounded number of
    documents. Raises the errors of `Index.query`.
    """
    finding = _Finding(index, store, query)
    found = list(islice(finding.clusters(), offset, offset + limit + 1))
    results = (finding.describe(one) for one in found[:limit])
    return SearchPage([one for one in results if one is not None], len(found) > limit, finding.notes)


class _Found(NamedTuple):
    """The first document of a cluster that was found, and all documents of the cluster."""

    id: str
    way: Way
    members: list[str]


class _Finding:
    """One search."""

    def __init__(self, index: Index, store: SqlStore | None, query: str) -> None:
        self._index, self._store, self._query = index, store, query
        self._words = WordQuery.of(query)
        self.notes: list[str] = []

    def clusters(self) -> Iterator[_Found]:
        """Yield what was found, one document for each cluster."""
        seen: set[str] = set()
        for name, way in self._candidates():
            if name in seen:
                continue
            try:
                members = self._index.cluster(name)
            except DamagedIndex:
                raise
            except DataError:
                # it was removed meanwhile
                continue
            seen.update(members)
            yield _Found(name, way, members)

    def _candidates(self) -> Iterator[tuple[str, Way]]:
        is_found = False
        for candidate in self._best_candidates():
            is_found = True
            yield candidate
        if not is_found:
            yield from ((one, "words") for one in self._by_parts())

    def _best_candidates(self) -> Iterator[tuple[str, Way]]:
        name = self._query.strip()
        if name in self._index:
            yield name, "id"
        for url in spell_url(name):
            if (own := self._index.of_url(url)) is not None:
                yield own, "url"
        for by in self._measures():
            yield from ((hit.id, "text") for hit in self._index.query(self._query, by=by, limit=ALIKE))
        yield from ((one, "words") for one in self._by_words())

    def _measures(self) -> tuple[By, ...]:
        has_parts = self._index.info()["parts_scheme"] is not None
        return ("resemblance", "containment") if has_parts else ("resemblance",)

    def _by_words(self) -> Iterator[str]:
        if not self._words.terms:
            self.notes.append("The query has no words.")
            return
        if self._words.is_cut:
            self.notes.append(f"Of the words, the first {len(self._words.terms):,} were searched.")
        if self._store is not None:
            found = list(search_store(self._store, self._words))
            yield from found
            if not found:
                self.notes.append("Words are found in originals only, and not in their duplicates.")
            if len(found) == DEPTH:
                self.notes.append(f"More documents may have these words: the best {DEPTH:,} were looked at.")
            return
        scan = Scan(self._index, self._words)
        yield from scan
        if not scan.is_whole:
            self.notes.append(
                f"Words were searched in the first {scan.documents:,} of {len(self._index):,} documents: "
                "this index has no search index, as the store of a gate has."
            )

    def _by_parts(self) -> Iterator[str]:
        """Yield documents with all words of a part of the query, those with most parts first."""
        parts = WordQuery.parts_of(self._query)
        found = scan_parts(self._index, parts) if self._store is None else search_parts(self._store, parts)
        for at, name in enumerate(found):
            if at == 0:
                self.notes.append("No document has all of the words: these have all words of a part of the text.")
            yield name

    def describe(self, found: _Found) -> Result | None:
        """Describe what was found; None if it was removed meanwhile."""
        try:
            document = self._index.get(found.id)
            original = self._index.verdict(found.id).original
        except DamagedIndex:
            raise
        except DataError:
            return None
        return Result(
            found.id,
            document.url,
            write_time(document.time),
            _core.title(document.text),
            cut_snippet(document.text, self._words.terms),
            found.way,
            original,
            describe_difference(self._index, document.text, original) if original != found.id else None,
            found.members[0],
            len(found.members),
        )
