"""Documents by their words: by the search index of a gate or, without one, in the texts themselves."""

import re
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


def search_store(store: SqlStore, words: WordQuery) -> Iterator[str]:
    """Yield the ids of the kept documents with all words, the best first."""
    yield from (found.id for found in store.search(" ".join(term.word for term in words.terms), DEPTH))


class Scan:
    """Reads the texts of an index that has no search index, in order of arrival, up to a number of characters."""

    def __init__(self, index: Index, words: WordQuery) -> None:
        self._index, self._terms = index, words.terms
        self._ascii = [re.compile(rf"\b{re.escape(term.word)}\b", re.ASCII | re.IGNORECASE) for term in words.terms]
        self.documents = 0
        """Number of documents that were read."""
        self.is_whole = False
        """Whether all were read."""

    def __iter__(self) -> Iterator[str]:
        """Yield the ids of the documents with all words."""
        left = SCANNED
        for document in self._index:
            text = document.text
            is_ascii = text.isascii()
            is_likely = self._has_ascii(text) if is_ascii else self._may_have(text)
            left -= len(text) * (_CUT if is_likely and not is_ascii else 1)
            if left < 0:
                return
            self.documents += 1
            if is_likely and (is_ascii or self._has(text)):
                yield str(document.id)
        self.is_whole = True

    def _has_ascii(self, text: str) -> bool:
        """Return whether a text of ASCII, whose words have no other parts, has all words."""
        return all(word.search(text) for word in self._ascii)

    def _may_have(self, text: str) -> bool:
        """Return whether a text has the characters of all words, which is found out much faster than its words."""
        plain = normalize("NFKC", text).casefold()
        return all(term.word in plain for term in self._terms)

    def _has(self, text: str) -> bool:
        words = set(search_terms(text))
        return all(any(occurs_in(term, word) for word in words) for term in self._terms)
