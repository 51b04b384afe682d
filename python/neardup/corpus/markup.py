"""HTML to text."""

import logging
import re
from collections.abc import Callable
from functools import partial

from neardup.corpus.extractors import AUTO, Extracted, label_of, missing
from neardup.corpus.simplify import simplify_page
from neardup.errors import DataError, EnvironmentFault

DEEPEST = 500
"""Maximum depth of nested blocks in which the main content is searched: the time is quadratic in the depth."""
MOST = 10_000
"""Maximum number of tags of a page that trafilatura reads: its time is not linear in them."""
DEEP = "page nested too deep for its main content, taken whole"
"""Flaw of a page whose main content is not searched."""
FALLEN_BACK = "page of which trafilatura takes no text, taken by auto"
"""Flaw of a page that the library refuses, or that is too large for it."""
_BLOCK = re.compile(r"<(/?)(?:div|article|section|table)\b", re.IGNORECASE)

Render = Callable[..., str]
"""The library's function that returns the text of a page."""


def extract_main_text(html: str, extractor: str = AUTO) -> str:
    r"""Return the main text of a page of HTML, without menus, notices and whatever else its site adds.

    Args:
        html: The page.
        extractor: What takes the text: `auto`, by the structure of the page; `resiliparse`; or `trafilatura`.

    Raises:
        UsageError: There is no such extractor.
        DataError: The page cannot be parsed.
        EnvironmentFault: The library of the extractor is not installed.

    Example:
        >>> neardup.extract_main_text("<nav><a href='/'>Home</a></nav><main><h1>Tides</h1><p>High at noon.</p></main>")
        'Tides\n\nHigh at noon.'
    """
    label_of(extractor)
    [(text, reason, _)] = extract_texts([html], extractor)
    if text is None:
        raise DataError(str(reason))
    return text


def extract_texts(pages: list[str], extractor: str | None = None) -> list[Extracted]:
    """Turn HTML pages into the text they show.

    Blocks, list items and preformatted text keep their line breaks; scripts, styles, comments and alternative texts are
    left out. With an extractor, navigation, headers, footers and the like are left out too, as far as it recognises
    them; a page whose blocks are nested more than `DEEPEST` deep is taken whole, and has a flaw. The time is linear in
    the size of a page, whatever its tags are; see `simplify_page`. Raises `EnvironmentFault` without the extra of the
    extractor.
    """
    try:
        from resiliparse.extract.html2text import extract_plain_text
    except ImportError as error:
        raise EnvironmentFault("HTML needs an extra library: pip install 'neardup[html]'") from error
    render = partial(extract_plain_text, preserve_formatting=True, list_bullets=False, alt_texts=False)
    take = _TAKE[extractor] if extractor else None
    texts: list[Extracted] = []
    for page, is_flat in map(simplify_page, pages):
        is_deep = take is not None and (is_flat or _is_deep(page))
        try:
            # a lone surrogate is no text, and only some libraries refuse it
            page.encode()
            if take is None or is_deep:
                texts.append(Extracted(render(page), flaw=DEEP if is_deep else None))
            else:
                texts.append(take(page, render))
        except (ValueError, RuntimeError, TypeError) as error:
            texts.append(Extracted(reason=f"the HTML cannot be parsed: {error}"))
    return texts


def _take_auto(page: str, render: Render) -> Extracted:
    try:
        from neardup.corpus.content.page import find_content
    except ImportError as error:
        raise missing(AUTO) from error
    content = find_content(page)
    return Extracted(render(page), flaw=DEEP) if content is None else Extracted(render(content))


def _take_resiliparse(page: str, render: Render) -> Extracted:
    return Extracted(render(page, main_content=True))


def _take_trafilatura(page: str, render: Render) -> Extracted:
    try:
        import trafilatura
    except ImportError as error:
        raise missing("trafilatura") from error
    # it would print that a page has no text, which is counted instead
    logging.getLogger("trafilatura").addHandler(logging.NullHandler())
    text = None
    if page.count("<") <= MOST:
        try:
            text = trafilatura.extract(page)
        # it lets errors of several libraries through
        except Exception:  # noqa: BLE001
            text = None
    return Extracted(text) if text else _take_auto(page, render)._replace(flaw=FALLEN_BACK)


_TAKE: dict[str, Callable[[str, Render], Extracted]] = {
    AUTO: _take_auto,
    "resiliparse": _take_resiliparse,
    "trafilatura": _take_trafilatura,
}


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
