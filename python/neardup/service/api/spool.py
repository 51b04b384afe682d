"""Answers that wait for their reader, in a file."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from tempfile import TemporaryFile

_PIECE = 1 << 16
MOST = 1 << 28
"""Bytes that may wait; then the writer waits, too."""


class Spool:
    """Bytes that one puts in and another takes out, in order. A `with` statement closes it.

    There is so much room that a client that sends all it has before it reads an answer is served, too: with a short
    queue both sides would wait for each other. `OSError` when the disk is full.
    """

    def __init__(self) -> None:
        self._file = TemporaryFile()  # noqa: SIM115 - closed by the statement that makes this one
        self._put = self._taken = 0
        self._is_whole = False
        self._news, self._room = asyncio.Event(), asyncio.Event()

    async def put(self, content: bytes) -> None:
        """Add bytes at the end, when there is room."""
        while self._put - self._taken > MOST:
            self._room.clear()
            await self._room.wait()
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
            if self._taken == self._put:
                # what was taken takes no room on the disk
                self._file.truncate(0)
                self._taken = self._put = 0
            self._room.set()
            yield piece

    def __enter__(self) -> "Spool":
        return self

    def __exit__(self, *_: object) -> None:
        # what is not wanted any more need not be kept
        with suppress(OSError):
            self._file.close()
