"""Work in processes of their own: what takes too long, or too much memory, ends one of these and nothing else."""

import asyncio
import json
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, cast

from neardup import errors
from neardup.service.work.tasks import LENGTH, MEMORY, REFUSED

SECONDS = 5.0
"""That a task may take."""
PROCESSES = 2
"""Tasks that are done at a time; the others wait."""


class Children:
    """Does tasks whose time is not known beforehand, and cannot be stopped in a thread.

    A parser may take the square of the depth to which tags are nested, a distance the square of the length of texts.
    """

    def __init__(self, seconds: float = SECONDS) -> None:
        self._seconds = seconds
        self._idle: list[Process] = []
        self._turns = asyncio.Semaphore(PROCESSES)

    async def do(self, task: str, **given: Any) -> Any:
        """Do one of `TASKS`; raises what it raises, and `DataError` where it takes too long, or too much memory."""
        return json.loads(await self.write(task, **given))

    async def write(self, task: str, **given: Any) -> bytes:
        """Do the same, and return what comes of it as JSON, which may be too large to be read here."""
        async with self._turns:
            # one that ended meanwhile did so for no fault of what is asked for now
            child = next((one for one in self._take_idle() if one.returncode is None), None) or await self._start()
            try:
                told = await _ask(child, json.dumps({"task": task, "given": given}, ensure_ascii=False).encode())
            except BaseException as error:
                await _end(child)
                if not isinstance(error, OSError | asyncio.IncompleteReadError):
                    raise
                bounds = f"{self._seconds:g} seconds and {MEMORY >> 30} gigabytes of memory"
                raise errors.DataError(f"what was asked for cannot be done in {bounds}") from None
            self._idle.append(child)
        if told.startswith(REFUSED):
            kind, message = json.loads(told[1:])
            raise cast(type[errors.NeardupError], getattr(errors, kind))(message)
        return told[1:]

    async def close(self) -> None:
        """End the processes."""
        while self._idle:
            await _end(self._idle.pop())

    def _take_idle(self) -> Iterator[Process]:
        while self._idle:
            yield self._idle.pop()

    async def _start(self) -> Process:
        # in a session of its own it does not hear the Ctrl+C that stops the service, which still needs it
        return await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "neardup.service.work.tasks", str(self._seconds)),
            stdin=PIPE,
            stdout=PIPE,
            stderr=DEVNULL,
            start_new_session=True,
        )


async def _ask(child: Process, frame: bytes) -> bytes:
    source, target = cast(asyncio.StreamReader, child.stdout), cast(asyncio.StreamWriter, child.stdin)
    target.write(len(frame).to_bytes(LENGTH, "big") + frame)
    await target.drain()
    length = int.from_bytes(await source.readexactly(LENGTH), "big")
    return await source.readexactly(length)


async def _end(child: Process) -> None:
    with suppress(ProcessLookupError):
        child.kill()
    await child.wait()
