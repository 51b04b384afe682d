"""Spellings of a URL, as people copy it, and as a document or a sweep may have it."""

import re
from collections.abc import Iterator
from itertools import product
from urllib.parse import urlsplit

_LONGEST = 4000
"""Largest number of characters of a URL."""
_PLACE = re.compile(r"(?:(?:https?:)?//)?[^\s/?#]+\.[^\s/?#.]{2,}(?::\d+)?(?:[/?#]\S*)?", re.IGNORECASE)
_SCHEME = re.compile(r"(?:https?:)?//", re.IGNORECASE)


def spell_url(asked: str) -> Iterator[str]:
    """Yield a URL as it was asked for and, if it is one of the web, its other spellings.

    They have the host in lower case, no fragment, a slash at the end or none, and each of the schemes https and http.
    """
    yield asked
    if len(asked) > _LONGEST or not _PLACE.fullmatch(asked):
        return
    try:
        parts = urlsplit(asked if _SCHEME.match(asked) else f"//{asked}", "https")
    except ValueError:
        return
    path = parts.path.rstrip("/")
    schemes, paths = dict.fromkeys([parts.scheme, "https", "http"]), dict.fromkeys([parts.path, path, f"{path}/"])
    for scheme, place in product(schemes, paths):
        url = parts._replace(scheme=scheme, netloc=parts.netloc.lower(), path=place, fragment="").geturl()
        if url != asked:
            yield url
