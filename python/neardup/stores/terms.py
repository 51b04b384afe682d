"""Terms for search engines: every word whole, and beside it its parts, so that pieces of words are found.

Chinese writes no spaces, and Korean attaches particles to words: 학교 (school), 학교에서 (at school). So in Hangul, and
in scripts that the unit `words` cuts into pairs, the parts of a word are the pair of characters that begins at each
character, and the last character alone: 학교에서 is 학교 교에 에서 서. A document contains the word of a query if it
has its parts in a row.
"""

from collections.abc import Iterator
from typing import NamedTuple

from neardup import _core
from neardup.allowed import allow
from neardup.errors import UsageError

TERMS = f"tokens version {_core.tokens_version}, Unicode {_core.unicode_version}"
"""Version of the terms. Terms of another version are not comparable, and are made again."""
GAP = "·"
"""Separates the parts of two words; no term contains it."""
MOST_PARTS = 1000


class SearchTerm(NamedTuple):
    """A word of a document."""

    word: str
    parts: str
    """The parts, with a space between two; for most words the word alone."""


class QueryTerm(NamedTuple):
    """A word of a query."""

    word: str
    parts: str
    """The parts that a document must have in a row, within one word."""
    open: bool
    """Whether the last part may be the beginning of one."""


@allow
def search_terms(text: str) -> list[SearchTerm]:
    """Return the words of a document, in order, in their normal form, for a search engine.

    Words and parts consist of letters, digits, marks and `_`. Of a longer word 255 characters count.
    """
    return [SearchTerm(*term) for term in _core.search_terms(text)]


@allow
def query_terms(query: str) -> list[QueryTerm]:
    """Return the distinct words of a query, in order, for a search engine.

    Nothing in a query is syntax; a query of punctuation alone has no words. `UsageError` above 1,000 parts.
    """
    terms = [QueryTerm(*term) for term in dict.fromkeys(_core.query_terms(query))]
    count = sum(term.parts.count(" ") + 1 for term in terms)
    if count > MOST_PARTS:
        raise UsageError(f"a query of {count:,} parts of words is too long: write one of at most {MOST_PARTS:,}")
    return terms


def occurs_in(term: QueryTerm, word: SearchTerm) -> bool:
    """Return whether a word of a query is a word of a document, or has its parts in a row in it."""
    if term.word == word.word:
        return True
    *firsts, last = term.parts.split(" ")
    parts = word.parts.split(" ")
    return any(
        parts[at : at + len(firsts)] == firsts and (part == last or (term.open and part.startswith(last)))
        for at, part in enumerate(parts[len(firsts) :])
    )


class SearchLines(NamedTuple):
    """A document for an engine that splits lines at spaces and counts positions."""

    words: str
    parts: str
    """The parts of words that have parts other than themselves, with a gap after each word."""


def search_lines(terms: list[SearchTerm]) -> SearchLines:
    """Write terms as lines."""
    parts = (f"{term.parts} {GAP} " for term in terms if term.parts != term.word)
    return SearchLines(" ".join(term.word for term in terms), "".join(parts))


_LAST = 16_383
"""Largest place in PostgreSQL, which counts places above as this one."""
_MOST_PLACES = 255
"""Maximum number of places of one term that PostgreSQL keeps."""
_MOST_BYTES = 1_000_000
"""Maximum bytes of a tsvector, which must be below 1 MiB; further terms of a document are left out."""


def write_tsvector(terms: list[SearchTerm]) -> str:
    """Write the terms of a document with their places: those of words have weight A, those of parts weight D."""
    places: dict[str, list[str]] = {}
    size = 0
    for text, place in _list_places(terms):
        found = places.get(text)
        # 4 bytes for the number of places and alignment, 2 for each place
        size += 2 if found else len(text.encode()) + 6
        if size > _MOST_BYTES:
            break
        if not found:
            places[text] = [place]
        elif len(found) < _MOST_PLACES:
            found.append(place)
    return " ".join(f"'{text}':{','.join(found)}" for text, found in places.items())


def write_tsquery(terms: list[QueryTerm]) -> str:
    """Write a query for documents with all the terms: their words, or all their parts, in any order.

    The query does not use the order, because a tsvector does not have all places in long documents.
    """
    return " & ".join(f"('{term.word}' | ({_write_parts(term)}))" for term in terms)


def _list_places(terms: list[SearchTerm]) -> Iterator[tuple[str, str]]:
    for number, (word, parts) in enumerate(terms, 1):
        place = min(number, _LAST)
        yield word, f"{place}A"
        if parts != word:
            for part in parts.split(" "):
                yield part, f"{place}D"


def _write_parts(term: QueryTerm) -> str:
    return " & ".join(f"'{part}'" for part in term.parts.split(" ")) + (":*" if term.open else "")
