"""Links around the main content: lists of pages before its title and after its last sentence, and repeated buttons."""

from collections import Counter
from typing import TYPE_CHECKING

from neardup.corpus.content.element import Element
from neardup.corpus.content.outline import Block

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

_REPEATED = 3
"""Number of times that a button is on a page, as Reply below each answer."""


def find_edges(place: Element, blocks: list[Block]) -> "list[LexborNode]":
    """Return the nodes of a place that are links around its content; none of a page that is a list of links."""
    within = range(place.first, place.end)
    prose = [at for at in within if blocks[at].kind == "prose"]
    if not prose or place.amount.linked * 2 > place.amount.size:
        return []
    begin, last = next(at for at in within if blocks[at].kind in ("prose", "title")), prose[-1]
    links = [blocks[at] for at in within if blocks[at].kind == "link"]
    counts = Counter(block.text for block in links)
    buttons = {block.owner for block in links if counts[block.text] >= _REPEATED}
    found, left = [], list(place.children)
    for element in left:
        is_outside = element.end <= begin or element.first > last
        if (is_outside and _is_list(element, place)) or (element in buttons and not element.children):
            found.append(element.node)
        else:
            left += element.children
    return found


def _is_list(element: Element, place: Element) -> bool:
    """Whether an element is a list of links, and less than half of the content."""
    amount = element.amount
    is_most = amount.size * 2 >= place.amount.size
    return place.tag != "main" and amount.links > 1 and amount.linked * 5 > amount.size * 3 and not is_most
