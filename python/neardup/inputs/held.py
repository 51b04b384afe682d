"""The documents that an index holds, one after another."""

from collections.abc import Iterator

from neardup._core import Index
from neardup.inputs.document import Document

Held = tuple[int, str, str, str | None, int | str | None, str]
"""A document: the number of its step, id, text, url, time, original."""

_BATCH = 256


def all_held(index: Index) -> Iterator[Held]:
    """Yield all documents in order of arrival; what is added meanwhile is seen, too."""
    step = 0
    while held := index.held(step + 1, _BATCH):
        yield from held
        step = held[-1][0]


def documents_of(index: Index) -> Iterator[Document]:
    """Return the same as documents."""
    return map(document_of, all_held(index))


def document_of(held: Held) -> Document:
    """Make a document of what an index holds."""
    _, name, text, url, time, _ = held
    return Document(text, name, url, time)
