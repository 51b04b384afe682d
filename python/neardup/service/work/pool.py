"""Work in child processes: a task that takes too long, or too much memory, ends only the process that it runs in."""

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
"""Largest number of seconds that a task may take."""
PROCESSES = 2
"""Number of tasks that run at a time; the others wait."""


class ProcessPool:
    """Runs tasks whose time is not known beforehand, and which cannot be stopped in a thread.

    The time of a parser may be quadratic in the depth of nested tags, and that of an edit distance in the length of
    texts.
    """

    def __init__(self, seconds: float = SECONDS) -> None:
        self._seconds = seconds
        self._idle: list[Process] = []
        self._slots = asyncio.Semaphore(PROCESSES)

    async def do(self, task: str, **given: Any) -> Any:
        """Run one of `TASKS`, and return its result.

        Raises the error of the task, and `DataError` if it takes too long or too much memory.
        """
        return json.loads(await self.write(task, **given))

    async def write(self, task: str, **given: Any) -> bytes:
        """Run one of `TASKS`, and return its result as JSON, which may be too large to be parsed in this process.

        Raises the same errors as `do`.
        """
        async with self._slots:
            # skips an idle process that has ended meanwhile, which is no fault of this task
            process = next((one for one in self._take_idle() if one.returncode is None), None) or await self._start()
            try:
                answer = await _ask(process, json.dumps({"task": task, "given": given}, ensure_ascii=False).encode())
            except BaseException as error:
                await _end(process)
                if not isinstance(error, OSError | asyncio.IncompleteReadError):
                    raise
                bounds = f"{self._seconds:g} seconds and {MEMORY >> 30} gigabytes of memory"
                raise errors.DataError(f"what was asked for cannot be done in {bounds}") from None
            self._idle.append(process)
        if answer.startswith(REFUSED):
            kind, message = json.loads(answer[1:])
            raise cast(type[errors.NeardupError], getattr(errors, kind))(message)
        return answer[1:]

    async def close(self) -> None:
        """End the processes."""
        while self._idle:
            await _end(self._idle.pop())

    def _take_idle(self) -> Iterator[Process]:
        while self._idle:
            yield self._idle.pop()

    async def _start(self) -> Process:
        # in a session of its own it does not receive the Ctrl+C that stops the service, which still needs it
        return await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "neardup.service.work.tasks", str(self._seconds)),
            stdin=PIPE,
            stdout=PIPE,
            stderr=DEVNULL,
            start_new_session=True,
        )


async def _ask(process: Process, frame: bytes) -> bytes:
    source, target = cast(asyncio.StreamReader, process.stdout), cast(asyncio.StreamWriter, process.stdin)
    target.write(len(frame).to_bytes(LENGTH, "big") + frame)
    await target.drain()
    length = int.from_bytes(await source.readexactly(LENGTH), "big")
    return await source.readexactly(length)


async def _end(process: Process) -> None:
    with suppress(ProcessLookupError):
        process.kill()
    await process.wait()
