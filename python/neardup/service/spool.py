"""Answers that wait for whoever reads them, in a file."""

import asyncio
from collections.abc import AsyncIterator
from tempfile import TemporaryFile

_PIECE = 1 << 16


class Spool:
    """Bytes that one puts in and another takes out, in order; none waits for room. A `with` statement closes it.

    So a client that sends all it has before it reads an answer is served, too: with a queue of a bounded length both
    sides would wait for each other.
    """

    def __init__(self) -> None:
        self._file = TemporaryFile()  # noqa: SIM115 - closed by the statement that makes this one
        self._put = self._taken = 0
        self._is_whole = False
        self._news = asyncio.Event()

    def put(self, content: bytes) -> None:
        """Add bytes at the end."""
        self._file.seek(self._put)
        self._file.write(content)
        self._put += len(content)
        self._news.set()

    def end(self) -> None:
        """Say that nothing more comes."""
        self._is_whole = True
        self._news.set()

    async def pieces(self) -> AsyncIterator[bytes]:
        """Take the bytes out as they come, to the end."""
        while not (self._is_whole and self._taken == self._put):
            if self._taken == self._put:
                self._news.clear()
                await self._news.wait()
                continue
            self._file.seek(self._taken)
            piece = self._file.read(_PIECE)
            self._taken += len(piece)
            yield piece

    def __enter__(self) -> "Spool":
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()
