"""Documents by their words: by the search index of a gate or, without one, in the texts themselves."""

import re
from collections import Counter, deque
from collections.abc import Iterator
from typing import NamedTuple
from unicodedata import normalize

from neardup import _core
from neardup.index.index import Index
from neardup.stores.sql import SqlStore
from neardup.stores.terms import MOST_PARTS, QueryTerm, occurs_in, search_terms

DEPTH = 1000
"""Largest number of documents that a query by words looks at."""
SCANNED = 32 << 20
"""Largest number of characters that are read where there is no search index."""
_CUT = 16
"""A character of a text that is cut into words counts as this many, because it takes so much longer."""
_SHORTEST, _LONGEST = 4, 8
"""Smallest and largest number of words in a part of a query: so many are seldom in one document by chance."""
_PARTS = 16
"""Largest number of parts that are asked for."""


class WordQuery(NamedTuple):
    """The words of a query."""

    terms: list[QueryTerm]
    is_cut: bool
    """Whether the query has more words, which are not asked for."""

    @classmethod
    def of(cls, query: str) -> "WordQuery":
        """Read the distinct words of a query, up to the number of parts that a store takes."""
        terms, parts = list[QueryTerm](), 0
        for term in dict.fromkeys(QueryTerm(*one) for one in _core.query_terms(query)):
            parts += term.parts.count(" ") + 1
            if parts > MOST_PARTS:
                return cls(terms, True)
            terms.append(term)
        return cls(terms, False)

    @classmethod
    def parts_of(cls, query: str) -> "list[WordQuery]":
        """Return queries for parts of a long query, from all over it; none for a short one.

        A text that was edited, or that is longer than a document, has words that the document does not have. Some of
        its parts have none.
        """
        terms = list(dict.fromkeys(QueryTerm(*one) for one in _core.query_terms(query)))
        if len(terms) < 2 * _SHORTEST:
            return []
        size = min(max(len(terms) // 4, _SHORTEST), _LONGEST)
        count = min(_PARTS, len(terms) // size)
        starts = ((2 * number + 1) * (len(terms) - size) // (2 * count) for number in range(count))
        return [cls(terms[start : start + size], False) for start in starts]


def search_store(store: SqlStore, words: WordQuery) -> Iterator[str]:
    """Yield the ids of the kept documents with all words, the best first."""
    yield from (found.id for found in store.search(" ".join(term.word for term in words.terms), DEPTH))


def search_parts(store: SqlStore, parts: list[WordQuery]) -> Iterator[str]:
    """Yield the ids of the kept documents with all words of a part, those with most parts first."""
    counts = Counter(found for part in parts for found in search_store(store, part))
    yield from (found for found, _ in counts.most_common(DEPTH))


def scan_parts(index: Index, parts: list[WordQuery]) -> Iterator[str]:
    """Yield what `search_parts` yields, from an index that has no search index."""
    scan = Scan(index, *parts)
    deque(scan if parts else (), 0)
    yield from (found for found, _ in scan.counts.most_common(DEPTH))


class Scan:
    """Reads the texts of an index that has no search index, in order of arrival, up to a number of characters."""

    def __init__(self, index: Index, *queries: WordQuery) -> None:
        """Take an index, and one query or more."""
        self._index, self._queries = index, queries
        self.documents = 0
        """Number of documents that were read."""
        self.is_whole = False
        """Whether all were read."""
        self.counts = Counter[str]()
        """Number of queries of which a document has all words, by its id."""

    def __iter__(self) -> Iterator[str]:
        """Yield the ids of the documents with all words of a query."""
        left = SCANNED
        for document in self._index:
            text = document.text
            is_ascii = text.isascii()
            plain = text.lower() if is_ascii else normalize("NFKC", text).casefold()
            # that a text has the characters of all words is found out much faster than its words
            likely = [one.terms for one in self._queries if all(term.word in plain for term in one.terms)]
            left -= len(text) * (_CUT if likely and not is_ascii else 1)
            if left < 0:
                return
            self.documents += 1
            has_words = _has_ascii_words if is_ascii else _has_words
            if likely and (count := has_words(plain if is_ascii else text, likely)):
                self.counts[str(document.id)] += count
                yield str(document.id)
        self.is_whole = True


def _has_ascii_words(plain: str, queries: list[list[QueryTerm]]) -> int:
    """Count the queries of which a text of ASCII in lower case, whose words have no other parts, has all words."""
    return sum(all(re.search(rf"\b{re.escape(term.word)}\b", plain, re.ASCII) for term in one) for one in queries)


def _has_words(text: str, queries: list[list[QueryTerm]]) -> int:
    """Count the queries of which a text has all words."""
    words = set(search_terms(text))
    return sum(all(any(occurs_in(term, word) for word in words) for term in one) for one in queries)
