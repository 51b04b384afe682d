"""Changes pages on which a parser would take time quadratic in their size; no text is lost.

A parser compares each attribute of a tag with those before it, searches the open elements at many tags, repeats open
formatting in every block, and scans a list at each choice. Real pages have little of that and are not changed.
"""

import re
from itertools import islice
from typing import NamedTuple

from neardup.corpus.elements import ATTRIBUTE, BLOCKS, FORMATS, RAW, Opened, Tag, find_tags, replace_tags

ATTRIBUTES = 250
"""Maximum number of attributes of a tag; further ones are left out."""
FORMATTING = 64
"""Maximum number of open formatting elements with attributes; a page with more loses all formatting."""
DEPTH = 1000
"""Maximum number of open elements; a page with more loses all tags, except line breaks for blocks."""
CHOICES = 1000
"""Maximum number of options of a list; the tags of further ones are left out. No option is shown anyway."""
FEW = 20_000
"""Number of tags up to which a page is parsed quickly, in whatever order they are."""

_FORMATTED = re.compile(
    r"<(?=[bcefinstu][^>]{0,7}[ \t\n\f\r/])(?:b|big|code|em|font|i|nobr|s|small|strike|strong|tt|u)[ \t\n\f\r/]",
    re.IGNORECASE | re.ASCII,
)
# formatting of an icon or a word: it ends before another element begins
_LEAF = re.compile(
    r"""<(b|big|code|em|font|i|nobr|s|small|strike|strong|tt|u)[ \t\n\f\r]
    (?:[^<>"']|"[^"<>]*"|'[^'<>]*')*+>[^<]*+</\1>""",
    re.IGNORECASE | re.ASCII | re.VERBOSE,
)
_LONG = re.compile(rf"<[^<>]{{{2 * ATTRIBUTES}}}")


class SimplifiedPage(NamedTuple):
    """A page that is parsed in time linear in its size; one that is flat has no elements left."""

    page: str
    is_flat: bool


def simplify_page(page: str) -> SimplifiedPage:
    """Return a page that shows the same text and is parsed in time linear in its size."""
    tags, formats = page.count("<"), len(_FORMATTED.findall(page))
    # an attribute may contain `<` and `>`, which hide a long tag from `_LONG`
    if _LONG.search(page) or page.count(">") > tags + ATTRIBUTES or tags > FEW:
        page = replace_tags(page, _Shortened())
    if formats > FORMATTING and formats - len(_LEAF.findall(page)) > FORMATTING and _has_much_formatting(page):
        page = replace_tags(page, lambda tag, name, _: "" if name in FORMATS else tag[0])
    if tags > FEW and _is_deep(page):
        return SimplifiedPage(replace_tags(page, _flatten), is_flat=True)
    return SimplifiedPage(page, is_flat=False)


class _Shortened:
    """Leaves out excess options of a list and excess attributes of a tag; all `html` and `body` tags count as one."""

    def __init__(self) -> None:
        self._of_page = 0
        self._choices: int | None = None

    def __call__(self, tag: Tag, name: str, _: bool) -> str:
        attributes = tag["attributes"] or ""
        if name == "select":
            self._choices = None if tag["end"] else CHOICES
        elif self._choices is not None and name in ("option", "optgroup"):
            self._choices -= not tag["end"]
            if self._choices < 0:
                return ""
        is_page = name in ("html", "body")
        if not is_page and len(attributes) <= 2 * ATTRIBUTES:
            return tag[0]
        left = max(0, ATTRIBUTES - self._of_page) if is_page else ATTRIBUTES
        kept = list(islice(ATTRIBUTE.finditer(attributes), left + 1))
        if is_page:
            self._of_page += len(kept)
        if len(kept) <= left:
            return tag[0]
        return f"<{tag['end']}{tag['name']}{attributes[: kept[left].start()]}{'/' if attributes.endswith('/') else ''}>"


def _has_much_formatting(page: str) -> bool:
    opened = Opened()
    for tag, name, is_foreign in find_tags(page):
        opened.take(tag, name, is_foreign=is_foreign)
        if opened.formats > FORMATTING:
            return True
    return False


def _is_deep(page: str) -> bool:
    opened = Opened()
    for tag, name, is_foreign in find_tags(page):
        opened.take(tag, name, is_foreign=is_foreign)
        if len(opened) > DEPTH:
            return True
    return False


def _flatten(tag: Tag, name: str, is_foreign: bool) -> str:
    if name in RAW and not is_foreign:
        return f"<{tag['end']}{name}>"
    return "<br>" if name in BLOCKS or name in ("br", "hr") else ""
