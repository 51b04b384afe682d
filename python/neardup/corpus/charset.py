"""Content types, and what a text without one is."""

import re

MARKUP = ("text/html", "application/xhtml+xml", "application/vnd.wap.xhtml+xml")
PLAIN = ("text/plain",)
_UNKNOWN = ("", "*/*", "application/unknown", "unknown/unknown")
"""Types by which a server says that it does not know the type."""
_TYPES = re.compile(r"""(?:[^,"]|"[^"]*"?)+""")
"""The types of a header: a comma in quotes does not part them."""
_SNIFFED = 1 << 12
# what may precede the first tag of a page, and the tags that show a page (WHATWG, MIME Sniffing, section 7.1)
_HTML = re.compile(
    rb"""(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?(?:[\t\n\f\r ]|<\?xml[^>]*>)*
    <(?:!--|(?:!doctype[ ]html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p|meta)
    [\t\n\f\r />])""",
    re.IGNORECASE | re.VERBOSE,
)


def split_type(kind: str | None) -> tuple[str, str | None]:
    """Split a content type into the media type, in lower case, and the charset that it names.

    Of several types, as two headers joined by a comma are, the last that is known counts (Fetch, "extract a MIME
    type"); one that repeats the type before it without a charset has the charset of that.
    """
    media, charset = "", None
    for one in _TYPES.findall(kind or ""):
        name, _, parameters = one.strip().strip("\"'").partition(";")
        name = name.strip(" \t\"'").lower()
        named = re.search(r"charset\s*=\s*[\"']?([\w.:-]+)", parameters, re.IGNORECASE)
        if media and (is_unknown(name) or (name == media and not named)):
            continue
        media, charset = name, named.group(1) if named else None
    return media, charset


def is_unknown(media: str) -> bool:
    """Whether a media type says nothing about the content."""
    return media in _UNKNOWN or "/" not in media


def is_html(body: bytes) -> bool:
    """Whether content of an unknown type begins as a page does; one in UTF-16 needs a byte order mark."""
    begin = body[:_SNIFFED]
    if begin[:2] in (b"\xff\xfe", b"\xfe\xff"):
        begin = begin[2:].replace(b"\0", b"")
    return _HTML.match(begin) is not None
