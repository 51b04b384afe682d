"""What the class, the id or the role of an element says about it."""

import re
from collections.abc import Mapping
from typing import Literal

from neardup.corpus.elements import words

FrameKind = Literal["landmark", "header", "links", "facts", "notice", "others"]
"""Kind of a frame: a part that HTML itself or its role names so; a head; links of the site; facts about a text, such as
its author; notices; links to other texts."""

_LANDMARKS = frozenset(["aside", "footer", "nav"])
_ROLES = words("alertdialog banner complementary contentinfo dialog menu menubar navigation search tablist toolbar")
_LINKS = r"""
    (?:(?:bottom|doc|foot|global|local|main|mobile|page|side|site|sub|top)[-_]?)?
        (?:nav|menu)(?:igation|bar|box|footer|header|items?|list|path)?s?
    | side[-_]?(?:bar|menu|nav)\w* | bread[-_]?crumbs? | crumbs? | mast[-_]?head | top[-_]?bar | tool[-_]?bar
    | foot(?:er)? | (?:page|site)[-_]?(?:footer|header) | pag(?:er|inat(?:ion|or)|ing) | prev(?:ious)? | next
    | shar(?:e|ing) | social | widgets? | log[-_]?in | search\w* | skip\w* | quick[-_]?links?
    | tag[-_]?(?:cloud|list) | (?:bottom|top)lang | lang(?:uage)?s?[-_]?(?:links?|list|menu|select\w*|switch\w*)"""
_FACTS = r"""
    author(?:[-_]?(?:box|info|name))? | by[-_]?line | (?:article|comment|entry|post)[-_]?(?:author|info|meta(?:data)?)
    | (?:article|entry|post|pub(?:lish(?:ed)?)?)[-_]?date | cat(?:egory)?[-_]?links | date[-_]?line | edit[-_]?links?
    | meta | perma[-_]?links? | post[-_]?profile | posted[-_]?(?:by|in|on) | reply | tags[-_]?(?:links)?
    | user[-_]?(?:details|info|name|profile) | (?:comment|like|view|vote)[-_]?counts? | votes"""
_NOTICE = r"""
    ads? | advert(?:isement|s)? | comment[-_]?(?:form|respond) | consent | cookies? | copyright | gdpr | legal | modal
    | newsletter | pop[-_]?up | promo | respond | sponsor(?:ed)? | subscri(?:be|ption)"""
_OTHERS = r"cross[-_]?sell | most[-_]?read | recommend(?:ations?|ed) | related | trending | upsell"
_KINDS = rf"(?P<links>{_LINKS})|(?P<facts>{_FACTS})|(?P<notice>{_NOTICE})|(?P<others>{_OTHERS})"
_CLASS = re.compile(rf"(?:^|[^a-z])(?:{_KINDS})(?![a-z])", re.VERBOSE | re.IGNORECASE | re.ASCII)
# the id of a section is often its title, so it must be the name of a frame as a whole
_ID = re.compile(
    rf"(?:{_KINDS})(?:[-_]?(?:area|banner|bar|block|box|container|links|notice|posts|wrap|wrapper|\d+))?",
    re.VERBOSE | re.IGNORECASE | re.ASCII,
)
_LONGEST = 200
"""Maximum number of characters of a class or an id that are looked at."""
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)


def find_kind(tag: str, attributes: Mapping[str, str | None]) -> FrameKind | None:
    """Return which part of a frame an element is by its names; None if they do not say so."""
    if tag in _LANDMARKS or (attributes.get("role") or "").lower() in _ROLES:
        return "landmark"
    if tag in ("form", "header"):
        return "header" if tag == "header" else "facts"
    names, name = ((attributes.get(key) or "")[:_LONGEST] for key in ("class", "id"))
    match = (_CLASS.search(names) if names else None) or (_ID.fullmatch(name) if name else None)
    if match:
        return match.lastgroup  # type: ignore[return-value]
    return "header" if "header" in (*names.lower().split(), name.lower()) else None


def is_hidden(attributes: Mapping[str, str | None]) -> bool:
    """Whether an element is not shown."""
    return "hidden" in attributes or _HIDDEN.search(attributes.get("style") or "") is not None


def main_tag(tag: str, attributes: Mapping[str, str | None]) -> str:
    """Return `main` or `article` for an element that is so by its role or its property, else its tag."""
    if (attributes.get("role") or "").lower() == "main":
        return "main"
    return "article" if attributes.get("itemprop") == "articleBody" else tag
