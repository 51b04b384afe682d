"""Content types, and the character sets they name."""

import re


def split_type(kind: str | None) -> tuple[str, str | None]:
    """Split a content type into the media type, in lower case, and the charset that it names."""
    media, _, parameters = (kind or "").partition(";")
    named = re.search(r"charset\s*=\s*[\"']?([\w.:-]+)", parameters, re.IGNORECASE)
    return media.strip().lower(), named.group(1) if named else None


def decode_text(body: bytes, charset: str | None, *, markup: bool) -> str:
    """Decode a text in `charset` if that is known, else in the one that its markup names or that is detected.

    Invalid bytes become U+FFFD. Needs the `html` extra.
    """
    from resiliparse.parse.encoding import bytes_to_str, detect_encoding, map_encoding_to_html5

    known = map_encoding_to_html5(charset, fallback_utf8=False) if charset else None
    encoding = known or detect_encoding(body, from_html_meta=markup) or "utf-8"
    return bytes_to_str(body, encoding, errors="replace")
