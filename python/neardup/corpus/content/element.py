"""A block of a page, and how much text it has."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

    from neardup.corpus.content.names import FrameKind

HEADINGS = frozenset(["h1", "h2", "h3", "h4", "h5", "h6"])
TITLES = frozenset(["h1", "h2", "h3"])
MAINS = frozenset(["article", "main"])
"""Tags of main content; elements with such a role have them, too."""


class Amount:
    """How much text there is, in bytes of UTF-8 without surplus white space.

    Bytes and not characters, because a script that needs few characters for a sentence needs more bytes for each.
    """

    __slots__ = ("linked", "links", "prose", "size", "weight")

    def __init__(self) -> None:
        self.size = 0
        """Bytes of all text."""
        self.linked = 0
        """Bytes in links to other pages."""
        self.links = 0
        """Number of links to other pages."""
        self.prose = 0
        """Bytes outside links in blocks as long as a sentence."""
        self.weight = 0
        """Bytes outside links, of which those in short blocks count less."""

    def add(self, other: "Amount") -> None:
        """Add another amount to this."""
        self.size += other.size
        self.linked += other.linked
        self.links += other.links
        self.prose += other.prose
        self.weight += other.weight

    @property
    def is_menu(self) -> bool:
        """Whether more than a quarter is in links to other pages."""
        return self.linked * 4 > self.size


class Element:
    """A block of a page with the blocks in it."""

    __slots__ = ("amount", "children", "end", "first", "frame", "has_title", "in_main", "node", "own", "tag")

    def __init__(self, node: "LexborNode", tag: str, first: int, *, in_main: bool) -> None:
        self.node = node
        self.tag = tag
        self.children: list[Element] = []
        self.first = first
        """Number of its first block of text."""
        self.end = first
        """Number of the first block of text after it."""
        self.frame: FrameKind | None = None
        """Part of a frame that its names say it is."""
        self.in_main = in_main
        """Whether it is in an element that the page marks as its main content."""
        self.own = Amount()
        """Text that is in no block of it."""
        self.amount = self.own
        """Text of it and of the blocks in it, after `total`."""
        self.has_title = False
        """Whether it contains a heading of level 1 to 3, after `total`."""

    def total(self) -> None:
        """Add up the text of its blocks, of which each is totalled already."""
        self.amount = Amount()
        self.amount.add(self.own)
        self.has_title = self.tag in TITLES
        for child in self.children:
            self.amount.add(child.amount)
            self.has_title = self.has_title or child.has_title
