"""Pointers: what a response says about where its page is."""

import re
from typing import NamedTuple
from urllib.parse import urldefrag, urljoin

from neardup.corpus.record_head import Headers

MOVED = ("301", "302", "307", "308")
"""Status codes of redirects to the new place of a page. 303 leads to another page, such as the result of a form."""
_LONGEST_HEAD = 1 << 18
"""Number of characters at the beginning of a page in which a canonical URL is looked for."""
_HEAD_END = re.compile(r"</head|<body", re.IGNORECASE)
_NAMES = re.compile(r"canonical|refresh", re.IGNORECASE)
_LINK = re.compile(r"<([^<>]{1,4096})>([^<]{0,4096})")
_CANONICAL = re.compile(r"""(?:^|;)\s*rel\s*=\s*(?:canonical\b|"(?:[^"]*\s)?canonical[\s"])""", re.IGNORECASE)
_REFRESH = re.compile(r"""\s*\d*[.\d]*\s*[;,]\s*(?:url\s*=\s*)?["']?([^"']+)""", re.IGNORECASE)


class Pointer(NamedTuple):
    """Where a URL points: to another URL, by a redirect (such as "redirect 301"), or as "canonical" or "refresh"."""

    target: str
    how: str

    @property
    def remark(self) -> str:
        """The remark of a page that is gone, and whose URL points elsewhere."""
        return f"{self.how} to {self.target}"


def read_redirect(url: str | None, status: str, http: Headers) -> Pointer | None:
    """Return where a response redirects; None if it does not, or to itself."""
    location = http.find("location") if status in MOVED else None
    return _point(url, location, f"redirect {status}")


def read_canonical(url: str | None, http: Headers | None, page: str | None) -> Pointer | None:
    """Return the other URL that a response or the head of its page names as canonical, or loads by itself."""
    for value in http.values.get("link", []) if http is not None else []:
        for target, parameters in _LINK.findall(value):
            if _CANONICAL.search(parameters):
                return _point(url, target, "canonical")
    if page is None:
        return None
    head = page[:_LONGEST_HEAD]
    end = _HEAD_END.search(head)
    head = head[: end.start()] if end else head
    return _read_head(url, head) if _NAMES.search(head) else None


def _read_head(url: str | None, head: str) -> Pointer | None:
    from resiliparse.parse.html import HTMLTree

    try:
        tree = HTMLTree.parse(head)
    # the library raises TypeError for a lone surrogate
    except (ValueError, RuntimeError, TypeError):
        return None
    root = tree.document
    if root is None:
        return None
    for link in root.get_elements_by_tag_name("link"):
        if "canonical" in (link.getattr("rel") or "").lower().split():
            return _point(url, link.getattr("href"), "canonical")
    for meta in root.get_elements_by_tag_name("meta"):
        if (meta.getattr("http-equiv") or "").lower() == "refresh":
            found = _REFRESH.match(meta.getattr("content") or "")
            return _point(url, found and found[1], "refresh")
    return None


def _point(url: str | None, target: str | None, how: str) -> Pointer | None:
    if url is None or not target or not target.strip():
        return None
    try:
        whole = urldefrag(urljoin(url, target.strip())).url
    except ValueError:
        return None
    # a fragment is no other page
    return Pointer(whole, how) if whole != urldefrag(url).url else None
