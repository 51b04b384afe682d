"""Snippets: the stretch of a text where the words of a query occur, with these marked."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from neardup import _core
from neardup.stores.terms import QueryTerm, SearchTerm, occurs_in, search_terms

LENGTH, BEFORE = 240, 60
"""Number of characters of a snippet, and of those before the first word that was found."""
_READ = 200_000
"""Number of characters of a text that are searched for the place of a snippet."""
_WORDS, _PLACED, _PLACES = 16, 8, 2
"""Number of words of a query that are marked, of those that are searched for, and of places of each."""
_EDGE = 24
"""Number of characters by which an end is moved so that it cuts no word."""
_TOKENS = "eojeol | shingles:1 | whole | each | resemblance>=1"
"""A scheme whose tokens are the words of the document stores."""


class Snippet(NamedTuple):
    """A stretch of a text, and the marked ranges in it, in code points: half-open and ascending."""

    text: str
    marks: list[tuple[int, int]]
    is_begun: bool
    """Whether text before it is left out."""
    is_cut: bool
    """Whether text after it is left out."""

    @property
    def parts(self) -> Iterator[tuple[str, bool]]:
        """Its text in parts, each with whether it is marked."""
        at = 0
        for start, end in self.marks:
            yield self.text[at:start], False
            yield self.text[start:end], True
            at = end
        yield self.text[at:], False


def cut_snippet(text: str, terms: Sequence[QueryTerm]) -> Snippet:
    """Return the stretch in which most of the words occur, the first of several; the beginning if none does."""
    terms = terms[:_WORDS]
    stretches = [_stretch(text, place) for place in sorted({0, *_places(text, terms)})]
    marked = [(_mark(text[start:end], terms), start, end) for start, end in stretches]
    (_, marks), start, end = max(marked, key=lambda one: (one[0][0], -one[1]))
    return Snippet(text[start:end], marks, start > 0, end < len(text))


def _places(text: str, terms: Sequence[QueryTerm]) -> Iterator[int]:
    """Yield where the words seem to occur; words in another normal form are not found."""
    some = text[:_READ]
    for term in terms[:_PLACED]:
        for number, match in enumerate(re.finditer(re.escape(term.word), some, re.IGNORECASE)):
            if number == _PLACES:
                break
            yield match.start()


def _stretch(text: str, place: int) -> tuple[int, int]:
    """Return the ends of the stretch around a place, between words if one ends near."""
    start = max(0, place - BEFORE)
    end = min(len(text), start + LENGTH)
    if start and (space := re.search(r"\s", text[start : min(place, start + _EDGE)])):
        start += space.end()
    if end < len(text) and (space := re.search(r"\s(?=\S*$)", text[max(place, end - _EDGE) : end])):
        end = max(place, end - _EDGE) + space.start()
    return start, end


def _mark(stretch: str, terms: Sequence[QueryTerm]) -> tuple[int, list[tuple[int, int]]]:
    """Return the number of words that occur in a stretch, and their ranges."""
    coded, marks, found = stretch.encode(), list[tuple[int, int]](), set[str]()
    for token, first, last in _core.tokens(stretch, _TOKENS):
        written = coded[first:last].decode()
        start = len(coded[:first].decode())
        # a word of ASCII has no other parts, so that it need not be cut
        words = [SearchTerm(token, token)] if token.isascii() else search_terms(token)
        for term in terms:
            if any(occurs_in(term, word) for word in words):
                found.add(term.word)
                first, last = _place(written, term.word)
                marks.append((start + first, start + last))
    return len(found), _join(marks)


def _place(written: str, word: str) -> tuple[int, int]:
    """Return the range of a word in a token that has it; the whole token if it is written in another form."""
    at = written.lower().find(word)
    return (0, len(written)) if at < 0 else (at, at + len(word))


def _join(marks: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Join ranges that overlap."""
    joined: list[tuple[int, int]] = []
    for start, end in sorted(marks):
        if joined and start < joined[-1][1]:
            joined[-1] = joined[-1][0], max(end, joined[-1][1])
        else:
            joined.append((start, end))
    return joined
