"""Notes about the records of web archives: what a sweep needs of them besides texts."""

from collections import deque
from collections.abc import Callable, Iterator
from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple

from neardup.corpus.archives import MISSING
from neardup.corpus.pointers import Pointer
from neardup.corpus.revisits import spell_digest

if TYPE_CHECKING:
    from neardup.corpus.record_head import Head
    from neardup.corpus.web_document import WebDocument


class MissingRevisit(NamedTuple):
    """A revisit whose response is in none of the archives of a sweep."""

    url: str
    keys: list[int]
    """The keys of the record and of the payload to which it refers."""
    refers: str | None
    """The URL to which it refers, if it states one."""


class ArchiveNotes:
    """Notes of the records that were read so far. Another thread may read while they are taken."""

    def __init__(self, name_text: Callable[[str], str | None]) -> None:
        """Name texts with a function, which returns None for a blank one."""
        self._name_text = name_text
        self._captures: deque[tuple[int, str]] = deque()
        self.pointers: dict[str, Pointer] = {}
        self.missing: list[MissingRevisit] = []

    def note(self, head: "Head", document: "WebDocument") -> None:
        """Note a record."""
        if document.pointer is not None and head.url is not None:
            self.pointers.setdefault(head.url, document.pointer)
        if document.text is not None and (name := self._name_text(document.text)) is not None:
            self._captures.extend((key, name) for key in _find_keys(head.id, head.digest))
        if document.passed_over == MISSING and head.url is not None:
            keys = _find_keys(head.refers.id, head.digest)
            self.missing.append(MissingRevisit(head.url, keys, head.refers.url))

    def take_captures(self) -> Iterator[tuple[int, str]]:
        """Yield the key of each record and payload that was read, with the id of its text, once."""
        while self._captures:
            yield self._captures.popleft()


def _find_keys(record: str | None, digest: str | None) -> list[int]:
    """Return the keys of a record, by its id and by the digest of its payload: 64 bits each; none for what is None."""
    names = [f"record {record}" if record else "", f"payload {spell_digest(digest)}" if digest else ""]
    digests = (blake2b(name.encode(), digest_size=8).digest() for name in names if name)
    return [int.from_bytes(one, "big", signed=True) for one in digests]
