"""The elements of a page of HTML: its tags as a parser sees them, and the elements that are open at once."""

import re
from collections.abc import Callable, Iterator

Tag = re.Match[str]
"""A tag, with the groups `end` (the slash), `name` and `attributes`; or a comment, which has no name."""
ATTRIBUTE = re.compile(
    r"""[^ \t\n\f\r/>][^ \t\n\f\r/=>]*+
    (?:[ \t\n\f\r]*+=[ \t\n\f\r]*+(?:"[^"]*+"?|'[^']*+'?|[^ \t\n\f\r>"'][^ \t\n\f\r>]*+)?)?""",
    re.VERBOSE,
)
# each character is matched once, even if a quotation or a tag is never closed
_TAG = re.compile(
    rf"""<!--(?:-?>|.*?(?:--!?>|\Z))
    | <(?:[!?]|/(?![a-z]))[^>]*+>?
    | <(?P<end>/?)(?P<name>[a-z][^ \t\n\f\r/>]*+)(?P<attributes>(?:[ \t\n\f\r/]++|{ATTRIBUTE.pattern})*+)>?""",
    re.IGNORECASE | re.DOTALL | re.VERBOSE | re.ASCII,
)
RAW = frozenset(["iframe", "noembed", "noframes", "script", "style", "textarea", "title", "xmp"])
"""Elements in which only their own end is a tag; in pictures and formulas they are like all others."""


def name_of(tag: Tag) -> str:
    """Return the name of a tag in lower case; it is empty for a comment."""
    return (tag["name"] or "").lower()


def find_tags(page: str) -> Iterator[tuple[Tag, str, bool]]:
    """Yield every tag and comment with its name, and whether it is in a picture (svg) or a formula (math)."""
    at, foreign = 0, 0
    while tag := _TAG.search(page, at):
        name, at = name_of(tag), tag.end()
        yield tag, name, foreign > 0
        if name in ("svg", "math"):
            foreign = max(0, foreign + (-1 if tag["end"] else not tag["attributes"].endswith("/")))
        elif name in RAW and not tag["end"] and not foreign:
            end = re.compile(rf"</{name}(?=[ \t\n\f\r/>])", re.IGNORECASE | re.ASCII).search(page, at)
            at = end.start() if end else len(page)


def replace_tags(page: str, by: Callable[[Tag, str, bool], str]) -> str:
    """Return the page with something in place of each tag."""
    parts, at = [], 0
    for tag, name, is_foreign in find_tags(page):
        parts += [page[at : tag.start()], by(tag, name, is_foreign)]
        at = tag.end()
    return "".join([*parts, page[at:]])


def words(names: str) -> frozenset[str]:
    """Return the names that are written with white space between them."""
    return frozenset(names.split())


FORMATS = words("a b big code em font i nobr s small strike strong tt u")
"""Formatting elements: left open, they continue in the blocks after the one in which they began."""
VOID = words("area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr")
_PAGE = words("body head html")
_LISTS = words("ol ul")
_ROWS = words("caption colgroup table tbody td tfoot th thead tr")
_SCOPES = words("applet button caption frameset marquee math object select svg table td template th")
"""Elements that bound the effect of tags: a tag inside ends no element that is open outside."""
_POINTS = words("annotation-xml desc foreignobject math mi mn mo ms mtext svg title")
"""Elements of pictures and formulas that bound it, too, because they or parts of them contain HTML."""
_CLOSERS = words(
    """address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption figure footer form
    h1 h2 h3 h4 h5 h6 header hgroup li listing main menu nav ol p plaintext pre search section summary table ul xmp"""
)
"""Elements that end an open paragraph when they begin."""
BLOCKS = (_CLOSERS | _ROWS | words("frameset legend noscript optgroup option")) - {"colgroup"}
_LOOSE = words("address div p")
"""Blocks that do not keep an item of a list from ending the item before it."""
_SIBLINGS = {
    **dict.fromkeys(("dd", "dt"), ("dd", "dt")),
    **dict.fromkeys(("td", "th"), ("td", "th")),
    **dict.fromkeys(("tbody", "tfoot", "thead"), ("tbody", "tfoot", "thead")),
    **{name: (name,) for name in ("li", "tr")},
}
"""For each element, the elements that end when it begins."""


class Opened:
    """The open elements of a page, updated tag by tag.

    In cases of a parser that are not handled here, an element stays open. Each tag takes constant time.
    """

    def __init__(self) -> None:
        self.formats = 0
        """Number of formatting elements with attributes, except links, that may continue in a later block."""
        self._names: list[str] = []
        self._places: dict[str, list[int]] = {}
        self._scopes: list[int] = [-1]
        self._blocks: list[int] = [-1]
        self._special: list[int] = [-1]
        """Places of scopes and of blocks, except those of `_LOOSE`."""

    def __len__(self) -> int:
        return len(self._names)

    def take(self, tag: Tag, name: str, *, is_foreign: bool) -> None:
        """Update the open elements with the next tag."""
        if not name or name in _PAGE or name in VOID:
            return
        if tag["end"]:
            self._end(name)
        elif is_foreign:
            if not tag["attributes"].endswith("/"):
                self._push(name, is_scope=name in _POINTS)
        elif name not in _ROWS or name == "table" or self._last("table") >= 0 or self._last("template") >= 0:
            # outside tables and templates, parts of a table are ignored
            self._begin(name)
        if not tag["end"]:
            self.formats += name in FORMATS and name != "a" and bool(tag["attributes"].strip())

    def _begin(self, name: str) -> None:
        if name in _CLOSERS:
            self._close("p", self._scopes[-1])
        if name in ("option", "optgroup") and self._names[-1:] == ["option"]:
            self._close("option", -1)
        for other in _SIBLINGS.get(name, ()):
            self._close(other, self._table() if name in _ROWS else self._special[-1])
        self._push(name, is_scope=name in _SCOPES)

    def _push(self, name: str, *, is_scope: bool) -> None:
        place = len(self._names)
        self._names.append(name)
        self._places.setdefault(name, []).append(place)
        if is_scope:
            self._scopes.append(place)
        if is_scope or name in BLOCKS:
            self._blocks.append(place)
            if name not in _LOOSE:
                self._special.append(place)

    def _end(self, name: str) -> None:
        if name == "form":
            # elements that are open in a form stay open
            is_closed = self._names[-1:] == ["form"] and self._close("form", -1)
        elif name in _ROWS:
            is_closed = self._close(name, self._table())
        elif name == "li":
            is_closed = self._close(name, max(self._scopes[-1], *map(self._last, _LISTS)))
        else:
            is_closed = self._close(name, (self._scopes if name in BLOCKS or name in _SCOPES else self._blocks)[-1])
        if is_closed and name in FORMATS and name != "a":
            self.formats = max(0, self.formats - 1)

    def _close(self, name: str, scope: int) -> bool:
        """End the last element of a name with all in it, unless `scope` is after it; return whether it ended."""
        place = self._last(name)
        if place < 0 or place < scope:
            return False
        for inner in self._names[place:]:
            self._places[inner].pop()
        del self._names[place:]
        for places in (self._scopes, self._blocks, self._special):
            while places[-1] >= place:
                places.pop()
        return True

    def _last(self, name: str) -> int:
        places = self._places.get(name)
        return places[-1] if places else -1

    def _table(self) -> int:
        return max(map(self._last, ("table", "template", "svg", "math")))
