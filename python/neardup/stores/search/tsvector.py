"""Terms as PostgreSQL's text search takes them: as text that casts to a tsvector or tsquery.

Terms hold no quote and no backslash, so that between quotes each stands for itself.
"""

from collections.abc import Iterator

from neardup.stores.search.terms import QueryTerm, SearchTerm

_LAST = 16_383
"""Places above count as this one, by PostgreSQL's rule."""
_MOST_PLACES = 255
"""Places of one term that PostgreSQL keeps."""
_MOST_BYTES = 1_000_000
"""A tsvector has less than 1 MiB. Terms of a document that go beyond this are left out."""


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

    Order is not asked of the tsvector, since it does not know the places in long documents.
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
