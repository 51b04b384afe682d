"""How many requests are answered at a time, and how long each may take."""

from asyncio import timeout

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from neardup.service.answers.problem import ProblemResponse
from neardup.service.state.limits import BULK, HEALTH

RETRY = {"Retry-After": "1"}
CLOSE = {"Connection": "close"}


class Crowd:
    """Answers 429 when too many requests are under way, 408 for a body that does not come, and 503 after that."""

    def __init__(self, app: ASGIApp, requests: int, seconds: float) -> None:
        self._app, self._most, self._seconds = app, requests, seconds
        self._open = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request pass, or answer it."""
        if scope["type"] != "http" or scope["path"] == HEALTH:
            await self._app(scope, receive, send)
            return
        if self._open >= self._most:
            refused = ProblemResponse(429, f"{self._most} requests are under way: come back in a second", RETRY)
            await refused(scope, receive, send)
            return
        began = waits = False

        async def take() -> Message:
            nonlocal waits
            waits = True
            message = await receive()
            waits = False
            return message

        async def answer(message: Message) -> None:
            nonlocal began
            began = True
            await send(message)

        self._open += 1
        try:
            async with timeout(None if scope["path"].startswith(BULK) else self._seconds):
                await self._app(scope, take, answer)
        except TimeoutError:
            # where the answer has begun nothing else can be said: the server closes the connection
            if waits and not began:
                slow = ProblemResponse(408, f"the body did not come within {self._seconds:g} seconds", CLOSE)
                await slow(scope, receive, send)
            elif not began:
                late = ProblemResponse(503, f"not answered within {self._seconds:g} seconds", RETRY)
                await late(scope, receive, send)
        finally:
            self._open -= 1
