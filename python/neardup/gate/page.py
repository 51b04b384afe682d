"""Pages, as they come from the web."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from neardup.allowed import check
from neardup.errors import DataError
from neardup.inputs.document import Document


class Page(NamedTuple):
    """A page of HTML with what is known of it; its document is the core text, without the frame of the site.

    `time` as in `Document`.
    """

    html: str
    id: str | None = None
    url: str | None = None
    time: int | str | None = None


def documents(given: Document | Page | str | Iterable[Document | Page | str]) -> Iterator[Document]:
    """Make documents of one, or of all in order.

    `DataError` for HTML that cannot be parsed, `EnvironmentFault` without the `html` extra.
    """
    for item in [given] if isinstance(given, Document | Page | str) else given:
        if isinstance(item, Page):
            check("html", item.html, str)
            yield Document(_core_text(item), item.id, item.url, item.time)
        else:
            yield Document(item) if isinstance(item, str) else item


def _core_text(page: Page) -> str:
    from neardup.corpus.markup import extract_texts

    [(text, reason)] = extract_texts([page.html], main_content=True)
    if text is None:
        raise DataError(f"page {page.url or page.id or 'without URL and id'}: {reason}")
    return text
