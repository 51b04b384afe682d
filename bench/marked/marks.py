"""The main text of a page whose elements are marked by a CSS selector."""

from selectolax.lexbor import LexborHTMLParser, LexborNode

from neardup.corpus.elements import words

_INLINE = words(
    """a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr q rp rt ruby s samp small
    span strike strong sub sup time tt u var wbr"""
)
"""Elements that do not end a word."""
_UNSEEN = words("button head noscript script select style svg template textarea title")
LINKS = "a.headerlink, a.headerlink-hover, a.anchor, a.permalink"
"""Links of headings to themselves, which each generator adds."""


def read_main_text(html: str, main: str, without: str = "") -> str:
    """Return the text of the elements that `main` selects, except what `without` selects in them."""
    page = LexborHTMLParser(html)
    for node in page.css(", ".join(filter(None, [LINKS, without]))):
        node.decompose()
    found = page.css(main)
    outer = [node for node in found if not any(other.mem_id == up.mem_id for up in _ancestors(node) for other in found)]
    return "\n".join(_read(node) for node in outer)


def _ancestors(node: LexborNode) -> list[LexborNode]:
    above = []
    while node.parent is not None:
        node = node.parent
        above.append(node)
    return above


def _read(node: LexborNode) -> str:
    parts: list[str] = []
    for child in node.iter(include_text=True):
        if child.tag == "-text":
            parts.append(child.text_content or "")
        elif child.tag not in _UNSEEN and child.tag != "-comment":
            space = "" if child.tag in _INLINE else "\n"
            parts += [space, _read(child), space]
    return "".join(parts)
