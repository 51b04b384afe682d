"""The place of the main content among the blocks of a page."""

from collections.abc import Iterator

from neardup.corpus.content.element import HEADINGS, Element

_TEXTS = HEADINGS | {"blockquote", "dl", "figure", "ol", "p", "pre", "ul"}
"""Elements that are parts of a text, and no columns of a page."""
SHORT = 600
"""Size in bytes outside links of a short text. On a page without a longer one, a box beside the content may have more
sentences than the content has."""
_CELLS = frozenset(["table", "tbody", "td", "tr"])


def find_place(root: Element) -> Element:
    """Return the element with the main content: the one that is marked as such, if it has enough text.

    Otherwise the way leads from the whole page into the part with most of the text, as long as what is left behind is
    a column of the page, and no part of the content.
    """
    marked = next((one for one in descend(root) if one.tag == "main"), None)
    if marked is not None and marked.amount.size * 5 > root.amount.size:
        return marked
    place = root
    while (inner := _heaviest(place)) is not None and _is_column(inner, place):
        place = inner
    is_short = place.amount.size - place.amount.linked < SHORT
    if is_short and marked is not None and marked.amount.size:
        return marked if has_mark(marked) else root
    return place


def has_mark(place: Element) -> bool:
    """Whether the page marks a place as its main content, and has a heading or a sentence there."""
    return place.tag == "main" and (place.has_title or place.amount.prose > 0)


def descend(root: Element) -> Iterator[Element]:
    """Yield an element and the elements in it, except those that were taken out."""
    left = [root]
    for element in left:
        yield element
        left += element.children


def _heaviest(place: Element) -> Element | None:
    """Return the child with most text; None if the texts of the place are its own."""
    if any(child.tag in _TEXTS and child.amount.weight for child in place.children):
        return None
    return max(place.children, key=lambda child: child.amount.weight, default=None)


def _is_column(inner: Element, place: Element) -> bool:
    """Whether the rest of a place is other columns than that of the content."""
    rest = [child for child in place.children if child is not inner and child.amount.prose]
    if any(
        child.has_title and child.amount.linked * 2 < child.amount.size and child.first < inner.first for child in rest
    ):
        return False
    has_texts = any(child.has_title and child.amount.prose * 2 > child.amount.linked for child in rest)
    share = 85 if has_texts else 50 if inner.tag in _CELLS else 60
    return inner.amount.weight > 0 and inner.amount.weight * 100 >= place.amount.weight * share
