"""Revisit records, and the responses that they refer to."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from neardup.corpus.record_head import Head


class ResponsePlace(NamedTuple):
    """Where a response is: its archive, and its offset there in bytes as it is stored."""

    path: str
    offset: int


ReadHeads = Callable[[str], Iterator[tuple[int, Head]]]
"""Reads the offset and the head of each undamaged record of an archive."""


class Responses:
    """The responses to which the revisits of some archives refer, in the same archives.

    The archives are read twice when the first revisit is met, so that the memory is that of the revisits. A response
    is found by the id of its record, else by URL and date, else by the digest of its payload, else, if the revisit
    states no date, by its URL alone: the last one before the revisit.
    """

    def __init__(self, archives: Iterable[str], read_heads: ReadHeads) -> None:
        self._archives, self._read_heads = list(archives), read_heads
        self._by_id: dict[str, ResponsePlace | None] = {}
        self._by_digest: dict[str, ResponsePlace | None] = {}
        self._by_url: dict[str, list[tuple[str, ResponsePlace]]] = defaultdict(list)
        self._is_read = False

    @property
    def is_searchable(self) -> bool:
        """Whether it is known which archives may have a response."""
        return bool(self._archives)

    def find(self, revisit: Head) -> ResponsePlace | None:
        """Return the place of the response of a revisit; None if no archive has it."""
        if not self._is_read:
            self._read()
        refers = revisit.refers
        if place := self._by_id.get(refers.id or ""):
            return place
        captures = self._by_url.get(_url_of(revisit), [])
        for date, place in captures:
            if date == refers.date:
                return place
        if place := self._by_digest.get(revisit.digest or ""):
            return place
        if refers.date is None and captures:
            earlier = [place for date, place in captures if date <= (revisit.time or "")]
            return earlier[-1] if earlier else captures[0][1]
        return None

    def _read(self) -> None:
        self._is_read = True
        for _, _, head in self._heads("revisit"):
            self._by_id[head.refers.id or ""] = None
            self._by_digest[head.digest or ""] = None
            self._by_url[_url_of(head)] = []
        self._by_id.pop("", None)
        self._by_digest.pop("", None)
        for path, offset, head in self._heads("response", "resource"):
            place = ResponsePlace(path, offset)
            for index, key in ((self._by_id, head.id), (self._by_digest, head.digest)):
                if key in index and index[key] is None:
                    index[key] = place
            if head.url in self._by_url:
                self._by_url[head.url].append((head.time or "", place))
        for captures in self._by_url.values():
            # captures of one date stay in input order
            captures.sort(key=lambda capture: capture[0])

    def _heads(self, *kinds: str) -> Iterator[tuple[str, int, Head]]:
        for path in self._archives:
            for offset, head in self._read_heads(path):
                if head.kind in kinds:
                    yield path, offset, head


def _url_of(revisit: Head) -> str:
    """Return the URL of the response of a revisit; by default it is its own (WARC 1.1, section 5.13)."""
    return revisit.refers.url or revisit.url or ""
