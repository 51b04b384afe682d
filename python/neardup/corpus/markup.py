"""HTML to text."""

import re

from neardup.corpus.simplify import simplify_page
from neardup.errors import EnvironmentFault

DEEPEST = 500
"""Maximum depth of nested blocks in which the main content is searched: the time is quadratic in the depth."""
_BLOCK = re.compile(r"<(/?)(?:div|article|section|table)\b", re.IGNORECASE)


def extract_texts(pages: list[str], *, main_content: bool = False) -> list[tuple[str | None, str | None]]:
    """Turn HTML pages into the text they show.

    Returns for each page (text, None), or (None, reason) when it cannot be parsed. Blocks, list items and preformatted
    text keep their line breaks; scripts, styles, comments and alternative texts are left out. `main_content` leaves
    out navigation, headers, footers and the like too, as far as the library's heuristics recognise them; a page whose
    blocks are nested more than `DEEPEST` deep is taken whole. The time is linear in the size of a page, whatever its
    tags are; see `simplify_page`. Raises `EnvironmentFault` without the `html` extra.
    """
    try:
        from resiliparse.extract.html2text import extract_plain_text
    except ImportError as error:
        raise EnvironmentFault("HTML needs an extra library: pip install 'neardup[html]'") from error
    texts: list[tuple[str | None, str | None]] = []
    for page, is_flat in map(simplify_page, pages):
        try:
            text = extract_plain_text(
                page,
                preserve_formatting=True,
                main_content=main_content and not is_flat and not _is_deep(page),
                list_bullets=False,
                alt_texts=False,
            )
        # the library raises TypeError for a lone surrogate
        except (ValueError, RuntimeError, TypeError) as error:
            texts.append((None, f"the HTML cannot be parsed: {error}"))
        else:
            texts.append((text, None))
    return texts


def _is_deep(page: str) -> bool:
    """Whether more than `DEEPEST` blocks are open at one place."""
    if page.count("<") <= DEEPEST:
        return False
    depth = 0
    for tag in _BLOCK.finditer(page):
        depth += -1 if tag.group(1) else 1
        if depth > DEEPEST:
            return True
    return False
