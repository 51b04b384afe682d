"""The tags of a page of HTML, as its parser sees them."""

import re
from collections.abc import Callable, Iterator

Tag = re.Match[str]
"""A tag, by its groups `end` (the slash), `name` and `attributes`; or a comment, which has no name."""

ATTRIBUTE = re.compile(
    r"""[^ \t\n\f\r/>][^ \t\n\f\r/=>]*+
    (?:[ \t\n\f\r]*+=[ \t\n\f\r]*+(?:"[^"]*+"?|'[^']*+'?|[^ \t\n\f\r>"'][^ \t\n\f\r>]*+)?)?""",
    re.VERBOSE,
)
# each character is taken once, whatever is left open
_TAG = re.compile(
    rf"""<!--(?:-?>|.*?(?:--!?>|\Z))
    | <(?:[!?]|/(?![a-z]))[^>]*+>?
    | <(?P<end>/?)(?P<name>[a-z][^ \t\n\f\r/>]*+)(?P<attributes>(?:[ \t\n\f\r/]++|{ATTRIBUTE.pattern})*+)>?""",
    re.IGNORECASE | re.DOTALL | re.VERBOSE | re.ASCII,
)
RAW = frozenset(["iframe", "noembed", "noframes", "script", "style", "textarea", "title", "xmp"])
"""Elements in which nothing is a tag but their own end; in pictures and formulas they are as all others."""


def name_of(tag: Tag) -> str:
    """Return the name of a tag in lower case; of a comment it is empty."""
    return (tag["name"] or "").lower()


def find_tags(page: str) -> Iterator[tuple[Tag, str, bool]]:
    """Yield every tag and comment with its name, and whether it stands in a picture (svg) or a formula (math)."""
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
