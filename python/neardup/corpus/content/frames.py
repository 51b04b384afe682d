"""The parts of a page that belong to its site: menus, heads and feet, notices, links to other pages."""

from typing import TYPE_CHECKING

from neardup.corpus.content.element import Element
from neardup.corpus.content.outline import Outline

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

_LINE = 300
"""Size in bytes of a few short lines."""
_LONGEST_NOTICE = 1200
"""Size in bytes of the longest notice about cookies, rights or letters."""


def take_frames(outline: Outline) -> "list[LexborNode]":
    """Take out of an outline what is frame by its names and its size; return its nodes. The amounts are those left."""
    for element in (*reversed(outline.elements), outline.root):
        element.total()
    page = outline.root.amount.size
    frames, left = [], [outline.root]
    for element in left:
        kept = []
        for child in element.children:
            if _is_frame(child, page):
                frames.append(child.node)
            else:
                kept.append(child)
        element.children = kept
        left += kept
    for element in reversed(left):
        element.total()
    return frames


def _is_frame(element: Element, page: int) -> bool:
    """Whether an element that is a frame by its names is one by its text, too; `page` is the size of the page."""
    amount = element.amount
    size = amount.size
    if element.frame is None or size == 0:
        return False
    match element.frame:
        case "landmark":
            # documents have asides and lists of contents of their own
            if element.in_main:
                return element.tag == "footer" or (amount.is_menu and size * 3 < page)
            return amount.is_menu or size * 2 < page
        case "header":
            if element.has_title:
                return amount.is_menu and not element.in_main
            return amount.is_menu or (not element.in_main and size * 8 < page)
        case "links":
            if amount.is_menu:
                return size * 2 < page and not (element.in_main and element.has_title)
            return amount.prose == 0 and size < _LINE and size * 3 < page and not element.has_title
        case "facts":
            return amount.prose == 0 and size < _LINE and size * 3 < page and not element.has_title
        case "notice":
            return size < _LONGEST_NOTICE and size * 3 < page
        case "others":
            return size * 5 < page * 2
