"""A file for answers that wait for their reader."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from tempfile import TemporaryFile

_PIECE = 1 << 16
MOST = 1 << 28
"""Largest number of bytes that may wait; above it the writer waits, too."""


class Spool:
    """A queue of bytes in a file, with one writer and one reader. A `with` statement closes it.

    It has much room, so that a client that sends everything before it reads an answer is served, too: with a short
    queue both sides would wait for each other. Raises `OSError` if the disk is full.
    """

    def __init__(self) -> None:
        self._file = TemporaryFile()  # noqa: SIM115 - `__exit__` closes it
        self._put = self._taken = 0
        self._is_whole = False
        self._has_content, self._has_space = asyncio.Event(), asyncio.Event()

    async def put(self, content: bytes) -> None:
        """Add bytes at the end, as soon as there is room."""
        while self._put - self._taken > MOST:
            self._has_space.clear()
            await self._has_space.wait()
        self._file.seek(self._put)
        self._file.write(content)
        self._put += len(content)
        self._has_content.set()

    def end(self) -> None:
        """Mark the end of the bytes."""
        self._is_whole = True
        self._has_content.set()

    async def pieces(self) -> AsyncIterator[bytes]:
        """Yield the bytes as they arrive, to the end."""
        while not (self._is_whole and self._taken == self._put):
            if self._taken == self._put:
                self._has_content.clear()
                await self._has_content.wait()
                continue
            self._file.seek(self._taken)
            piece = self._file.read(_PIECE)
            self._taken += len(piece)
            if self._taken == self._put:
                # bytes that were taken out use no room on the disk
                self._file.truncate(0)
                self._taken = self._put = 0
            self._has_space.set()
            yield piece

    def __enter__(self) -> "Spool":
        return self

    def __exit__(self, *_: object) -> None:
        # the bytes are not needed any more, so an error does no harm
        with suppress(OSError):
            self._file.close()
