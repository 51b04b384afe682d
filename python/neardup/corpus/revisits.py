"""Revisit records, and the responses that they refer to."""

import re
from base64 import b32decode
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
        if refers.date and (place := _of_date(captures, _spell_date(refers.date))):
            return place
        if place := self._by_digest.get(spell_digest(revisit.digest)):
            return place
        if refers.date is None and captures:
            earlier = [place for date, place in captures if date <= _spell_date(revisit.time)]
            return earlier[-1] if earlier else captures[0][1]
        return None

    def _read(self) -> None:
        self._is_read = True
        for _, _, head in self._heads("revisit"):
            self._by_id[head.refers.id or ""] = None
            self._by_digest[spell_digest(head.digest)] = None
            self._by_url[_url_of(head)] = []
        self._by_id.pop("", None)
        self._by_digest.pop("", None)
        for path, offset, head in self._heads("response", "resource"):
            place = ResponsePlace(path, offset)
            for index, key in ((self._by_id, head.id), (self._by_digest, spell_digest(head.digest))):
                if key in index and index[key] is None:
                    index[key] = place
            if head.url in self._by_url:
                self._by_url[head.url].append((_spell_date(head.time), place))
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


def _of_date(captures: list[tuple[str, ResponsePlace]], date: str) -> ResponsePlace | None:
    """Return the first capture of a date; else the only one of its second, if one of both states no fraction."""
    second = date[:_SECOND]
    near: list[ResponsePlace] = []
    for other, place in captures:
        if other == date:
            return place
        if other[:_SECOND] == second and _SECOND in (len(other), len(date)):
            near.append(place)
    return near[0] if len(near) == 1 else None


_SECOND = len("2020-01-01T00:00:00")
_FRACTION = re.compile(r"(\.[0-9]*?)0*$")


def _spell_date(date: str | None) -> str:
    """Return a date as all spellings of it are compared: in UTC without its letter, with no zeros that say nothing."""
    plain = re.sub(r"(?:Z|[+-]00:?00)$", "", (date or "").strip().upper().replace(" ", "T"))
    return _FRACTION.sub(r"\1", plain).removesuffix(".")


_SIZES = {"md5": 16, "sha1": 20, "sha256": 32, "sha512": 64}
"""Bytes of the digests of each algorithm."""


def spell_digest(digest: str | None) -> str:
    """Return a digest as all spellings of it are compared: by its bytes where it is certain which they are.

    Hexadecimal and Base32 may be in either case; Base64 may not. Without an algorithm, Base32 of 20 bytes is SHA-1.
    """
    name, _, value = (digest or "").strip().rpartition(":")
    algorithm = (name or "sha1").lower().replace("-", "")
    plain = value.rstrip("=")
    size = _SIZES.get(algorithm, 0)
    if size and len(plain) == 2 * size and re.fullmatch("[0-9A-Fa-f]+", plain):
        return f"{algorithm}:{plain.lower()}"
    if size and len(plain) == -(-size * 8 // 5) and re.fullmatch("[A-Za-z2-7]+", plain):
        return f"{algorithm}:{b32decode(plain.upper() + '=' * (-len(plain) % 8)).hex()}"
    return digest or ""
