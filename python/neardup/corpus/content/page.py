"""The main content of a page, as HTML."""

from selectolax.lexbor import LexborHTMLParser, LexborNode

from neardup.corpus.content.edges import find_edges
from neardup.corpus.content.element import Element
from neardup.corpus.content.frames import take_frames
from neardup.corpus.content.outline import Outline, read_outline
from neardup.corpus.content.place import SHORT, descend, find_place, has_mark

_LEAST = 200
"""Size in bytes below which a small share of the page is not taken for its content."""


def find_content(page: str) -> str | None:
    """Return the page without what is no main content; the time is linear in its size.

    What the names of elements call a menu, a notice or the like is left out first, if its size and its links agree.
    Then the place with most sentences is chosen, and lists of links around them are left out. If that is little, or if
    another part of a short page may be its content, all but the frames is returned. None is returned for a page that is
    nested too deep, or has no body.
    """
    tree = LexborHTMLParser(page)
    outline = None if tree.body is None else read_outline(tree.body)
    if tree.body is None or outline is None:
        return None
    root = outline.root
    left_out = outline.unseen + take_frames(outline)
    place = find_place(root)
    if _is_doubtful(place, outline):
        place = root
    for node in (*left_out, *find_edges(place, outline.blocks)):
        node.decompose()
    _isolate(place.node)
    return tree.body.html or ""


def _is_doubtful(place: Element, outline: Outline) -> bool:
    """Whether a place has so little text that another part of the page may be the content."""
    amount, page = place.amount, outline.root.amount
    if has_mark(place):
        return False
    if amount.size < _LEAST and amount.size * 4 < page.size:
        return True
    is_short = amount.size - amount.linked < SHORT
    return is_short and (amount.weight * 10 < page.weight * 9 or _is_below_title(place, outline))


def _is_below_title(place: Element, outline: Outline) -> bool:
    """Whether the first of the highest headings has text below it, both outside a place."""
    shown = set(descend(outline.root))
    titles = [at for at, block in enumerate(outline.blocks) if block.kind == "title" and block.owner in shown]
    if not titles:
        return False
    first = min(titles, key=lambda at: outline.blocks[at].owner.tag)
    is_outside = place.first not in (first, first + 1) and not place.first <= first < place.end
    return is_outside and any(block.kind in ("prose", "other") for block in outline.blocks[first + 1 : first + 2])


def _isolate(node: LexborNode) -> None:
    """Remove all that is neither in a node nor around it; tables around it stay tables."""
    while node.tag != "body" and (parent := node.parent) is not None:
        for sibling in list(parent.iter(include_text=True)):
            if sibling.mem_id != node.mem_id:
                sibling.decompose()
        node = parent
