"""Lines of a body as it comes."""

from asyncio import get_running_loop, timeout_at
from collections.abc import AsyncIterator
from itertools import takewhile

from fastapi import Request

from neardup.service.answers.problem import Refusal


async def read_lines(request: Request, most: int, seconds: float) -> AsyncIterator[list[bytes]]:
    """Yield the lines of a body without their ends, those together that came together; one that is blank is left out.

    `Refusal` for a line of more than `most` bytes (413), and when none comes to its end for so many seconds (408).
    """
    clock = get_running_loop().time
    stream, rest, piece, due = aiter(request.stream()), b"", b".", clock() + seconds
    while piece:
        try:
            async with timeout_at(due):
                piece = await anext(stream, b"")
        except TimeoutError:
            raise Refusal(408, f"no line came for {seconds:g} seconds") from None
        lines = (rest + piece).split(b"\n")
        rest = lines.pop() if piece else b""
        fitting = list(takewhile(lambda line: len(line) <= most, lines))
        told = [line for line in fitting if line.strip()]
        if told:
            yield told
            # whoever sent them does not answer for how long they took here
            due = clock() + seconds
        if len(fitting) < len(lines) or len(rest) > most:
            raise Refusal(413, f"a line has at most {most:,} bytes")
