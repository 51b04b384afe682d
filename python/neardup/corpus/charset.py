"""Content types, and the character sets they name."""

import re


def split_type(kind: str | None) -> tuple[str, str | None]:
    """Split a content type into what it is, in lower case, and the charset it names."""
    media, _, parameters = (kind or "").partition(";")
    named = re.search(r"charset\s*=\s*[\"']?([\w.:-]+)", parameters, re.IGNORECASE)
    return media.strip().lower(), named.group(1) if named else None


def decode_text(body: bytes, charset: str | None, *, markup: bool) -> str:
    """Decode a text in the charset that is named, in its markup or else beside it, or that it looks like.

    Bytes that are none become U+FFFD. Needs the `html` extra.
    """
    from resiliparse.parse.encoding import bytes_to_str, detect_encoding, map_encoding_to_html5

    known = map_encoding_to_html5(charset, fallback_utf8=False) if charset else None
    encoding = known or detect_encoding(body, from_html_meta=markup) or "utf-8"
    return bytes_to_str(body, encoding, errors="replace")
