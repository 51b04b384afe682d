"""The blocks of a page, and how much text each has."""

import re
from typing import TYPE_CHECKING, Literal, NamedTuple

from neardup.corpus.content.element import HEADINGS, MAINS, TITLES, Element
from neardup.corpus.content.names import find_kind, is_hidden, main_tag
from neardup.corpus.elements import words

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

DEEPEST = 500
"""Maximum depth of nested elements."""
SENTENCE = 60
"""Size in bytes from which a block of text counts as prose."""
_UNSEEN = words(
    """audio button canvas datalist dialog embed head iframe input map noscript object optgroup option script select
    style svg template textarea title video"""
)
_INLINE = words(
    """a abbr acronym b bdi bdo big br cite code data del dfn em font i img ins kbd label mark math nobr q rp rt ruby s
    samp small span strike strong sub sup time tt u var wbr"""
)
_LONGEST_NOTICE = 600
_RIGHTS = re.compile(
    r"©|\(c\) ?(?:19|20)\d\d|copyright|all rights reserved|rechte vorbehalten|tous droits"
    r"|저작권|著作権|版权|版權|حقوق النشر",
    re.IGNORECASE,
)

Kind = Literal["prose", "title", "link", "other"]


class Block(NamedTuple):
    """A block of text. Of a long one only the first bytes of `text` are known."""

    owner: Element
    kind: Kind
    text: str


class Outline(NamedTuple):
    """The elements of a page, its blocks of text in their order, and the nodes that are not shown."""

    root: Element
    elements: list[Element]
    blocks: list[Block]
    unseen: "list[LexborNode]"


class _Open(NamedTuple):
    """A node that is open while it is read."""

    node: "LexborNode"
    owner: Element
    """The block that continues after it."""
    is_block: bool
    is_link: bool


class _Reader:
    """Reads the nodes of a page in their order, each once."""

    def __init__(self, body: "LexborNode") -> None:
        self.outline = Outline(Element(body, "body", 0, in_main=False), [], [], [])
        self._owner = self.outline.root
        self._opened: list[_Open] = []
        self._links = 0
        self._pieces: list[str] = []
        self._size = self._linked = 0

    def read(self) -> Outline | None:
        """Read all nodes; None if they are nested too deep."""
        node = self.outline.root.node.first_child
        while node is not None:
            down = self._begin(node)
            if len(self._opened) > DEEPEST:
                return None
            following = node.first_child if down else node.next
            if down and following is None:
                following = self._end()
            while following is None and self._opened:
                following = self._end()
            node = following
        self._end_block()
        self.outline.root.end = len(self.outline.blocks)
        return self.outline

    def _begin(self, node: "LexborNode") -> bool:
        """Read the begin of a node; return whether its content is to be read."""
        tag = node.tag or "-"
        if tag == "-text":
            self._add(node.text_content or "")
        elif tag in _UNSEEN:
            self.outline.unseen.append(node)
        elif tag == "a":
            return self._begin_link(node)
        elif tag in _INLINE:
            self._opened.append(_Open(node, self._owner, is_block=False, is_link=False))
            return True
        elif tag[0] != "-":
            return self._begin_block(node, tag)
        return False

    def _begin_link(self, node: "LexborNode") -> bool:
        attributes = node.attributes
        target = attributes.get("href") or ""
        is_other = bool(target) and (target[0] != "#" or "rel" in attributes)
        if target and not is_other and _is_sign(node):
            # the link of a heading to itself
            self.outline.unseen.append(node)
            return False
        self._links += is_other
        self._owner.own.links += is_other
        self._opened.append(_Open(node, self._owner, is_block=False, is_link=is_other))
        return True

    def _begin_block(self, node: "LexborNode", tag: str) -> bool:
        attributes = node.attributes
        if is_hidden(attributes):
            self.outline.unseen.append(node)
            return False
        self._end_block()
        owner = self._owner
        in_main = owner.in_main or owner.tag in MAINS
        element = Element(node, main_tag(tag, attributes), len(self.outline.blocks), in_main=in_main)
        if tag not in HEADINGS:
            element.frame = find_kind(tag, attributes)
        owner.children.append(element)
        self.outline.elements.append(element)
        self._opened.append(_Open(node, owner, is_block=True, is_link=False))
        self._owner = element
        return True

    def _end(self) -> "LexborNode | None":
        """End the node that was opened last, and return the one after it."""
        ended = self._opened.pop()
        self._links -= ended.is_link
        if ended.is_block:
            self._end_block()
            self._owner.end = len(self.outline.blocks)
            self._owner = ended.owner
        return ended.node.next

    def _add(self, text: str) -> None:
        shown = " ".join(text.split())
        if shown:
            size = len(shown.encode("utf-8", "replace"))
            if self._size < _LONGEST_NOTICE:
                self._pieces.append(shown)
            self._size += size
            self._linked += size if self._links else 0

    def _end_block(self) -> None:
        if not self._size:
            return
        owner, own, text = self._owner, self._size - self._linked, " ".join(self._pieces)
        weight = own * min(SENTENCE, own) // SENTENCE if self._linked < own else 0
        if self._size < _LONGEST_NOTICE and _RIGHTS.search(text):
            weight = 0
        is_prose = own >= SENTENCE and own > 2 * self._linked and weight > 0
        kind: Kind = "other"
        if is_prose:
            kind = "prose"
        elif owner.tag in TITLES and self._linked < own:
            kind = "title"
        elif self._linked * 10 >= self._size * 9:
            kind = "link"
        amount = owner.own
        amount.size += self._size
        amount.linked += self._linked
        amount.weight += weight
        amount.prose += own if is_prose else 0
        self.outline.blocks.append(Block(owner, kind, text))
        self._pieces, self._size, self._linked = [], 0, 0


def read_outline(body: "LexborNode") -> Outline | None:
    """Return the blocks of a page; None if its elements are nested more than `DEEPEST` deep."""
    return _Reader(body).read()


def _is_sign(node: "LexborNode") -> bool:
    """Whether a node contains nothing but one character."""
    child = node.first_child
    return child is None or (child.next is None and child.tag == "-text" and len(child.text_content or "") <= 1)
