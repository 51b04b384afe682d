"""The main content of a page, as HTML."""

from selectolax.lexbor import LexborHTMLParser, LexborNode

from neardup.corpus.content.edges import find_edges
from neardup.corpus.content.frames import take_frames
from neardup.corpus.content.outline import read_outline
from neardup.corpus.content.place import find_place

_LEAST = 200
"""Size in bytes below which a small share of the page is not taken for its content."""


def find_content(page: str) -> str | None:
    """Return the page without what is no main content; the time is linear in its size.

    What the names of elements call a menu, a notice or the like is left out first, if its size and its links agree.
    Then the place with most sentences is chosen, and lists of links around them are left out. If that is little, all
    but the frames is returned. None is returned for a page that is nested too deep, or has no body.
    """
    tree = LexborHTMLParser(page)
    outline = None if tree.body is None else read_outline(tree.body)
    if tree.body is None or outline is None:
        return None
    root = outline.root
    left_out = outline.unseen + take_frames(outline)
    place = find_place(root)
    if place.amount.size < _LEAST and place.amount.size * 4 < root.amount.size:
        place = root
    for node in (*left_out, *find_edges(place, outline.blocks)):
        node.decompose()
    _isolate(place.node)
    return tree.body.html or ""


def _isolate(node: LexborNode) -> None:
    """Remove all that is neither in a node nor around it; tables around it stay tables."""
    while node.tag != "body" and (parent := node.parent) is not None:
        for sibling in list(parent.iter(include_text=True)):
            if sibling.mem_id != node.mem_id:
                sibling.decompose()
        node = parent
