"""Texts of pages of HTML that an earlier sweep extracted: an unchanged page is not extracted again."""

import sqlite3
from collections import deque
from collections.abc import Callable, Iterator
from functools import cache
from hashlib import blake2b
from pathlib import Path
from threading import Lock
from typing import NamedTuple

from neardup.corpus.extractors import Extracted, ExtractTexts, state_versions
from neardup.errors import DataError
from neardup.sweeps.database import faults, read_database

_SIZE = 16
"""Number of bytes of a digest, as many as those of the id of a text."""


class Extraction(NamedTuple):
    """The digest of a page, the id of its text, which is not blank, and the flaw of the extraction."""

    digest: bytes
    text: str
    flaw: str | None


class Extractions:
    """The pages of HTML that the sweeps of a store extracted.

    A page is known by the digest of its HTML, of the extractor and of the versions of whatever takes part. One thread
    may extract while another one takes what is new.
    """

    def __init__(self, path: Path, read_text: Callable[[str], str], name_text: Callable[[str], str | None]) -> None:
        """Take the path of a database, of which one state is read, that of the first page.

        `read_text` returns the text of an id, or raises `DataError`; `name_text` the id of a text, None for a blank
        one.
        """
        self._path, self._read_text, self._name_text = path, read_text, name_text
        self._connection: sqlite3.Connection | None = None
        self._is_closed = False
        self._lock = Lock()
        self._noted: deque[Extraction] = deque()

    def close(self) -> None:
        """Close the database. From then on no page is known."""
        with self._lock:
            self._is_closed = True
            if self._connection is not None:
                self._connection.close()

    def recall(self, extract: ExtractTexts, label: str | None) -> ExtractTexts:
        """Return a function that returns the same as `extract`, which it calls only for pages that are not known.

        `label` is the extractor of the main content with its version; None if pages are taken whole.
        """
        begin = cache(lambda: blake2b(f"{state_versions(label)}\n".encode(), digest_size=_SIZE))

        def extract_unknown(pages: list[str]) -> list[Extracted]:
            digests = [_digest(begin().copy(), page) for page in pages]
            known = self._find(digests)
            unknown = [page for page, text in zip(pages, known, strict=True) if text is None]
            extracted = iter(extract(unknown) if unknown else [])
            texts = [text or next(extracted) for text in known]
            self._note(digests, texts)
            return texts

        return extract_unknown

    def take(self) -> Iterator[Extraction]:
        """Yield each page that was extracted or recalled, once."""
        while self._noted:
            yield self._noted.popleft()

    def _find(self, digests: list[bytes]) -> list[Extracted | None]:
        with self._lock, faults(self._path):
            if self._is_closed:
                return [None for _ in digests]
            if self._connection is None:
                self._connection = read_database(self._path)
            query = "SELECT id, flaw FROM extraction JOIN text ON text.number = text WHERE digest = ?"
            return [self._read(self._connection.execute(query, (digest,)).fetchone()) for digest in digests]

    def _read(self, found: tuple[str, str | None] | None) -> Extracted | None:
        if found is None:
            return None
        name, flaw = found
        try:
            return Extracted(self._read_text(name), flaw=flaw)
        # another process removes texts that no sweep refers to
        except DataError:
            return None

    def _note(self, digests: list[bytes], texts: list[Extracted]) -> None:
        for digest, (text, _, flaw) in zip(digests, texts, strict=True):
            # a known page is noted, too: the sweep that extracted it may be replaced by this one
            if text is not None and (name := self._name_text(text)) is not None:
                self._noted.append(Extraction(digest, name, flaw))


def _digest(begun: blake2b, page: str) -> bytes:
    begun.update(page.encode(errors="surrogatepass"))
    return begun.digest()
