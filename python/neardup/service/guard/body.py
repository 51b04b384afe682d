"""How large a body may be."""

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from neardup.service.answers.problem import ProblemResponse, Refusal
from neardup.service.state.limits import BULK


class Body:
    """Answers 413 for a larger body, before it is read where its length is told, else when it passes the bound."""

    def __init__(self, app: ASGIApp, most: int) -> None:
        self._app, self._most = app, most

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request pass, or answer it."""
        if scope["type"] != "http" or scope["path"].startswith(BULK):
            await self._app(scope, receive, send)
            return
        told = next((value for name, value in scope["headers"] if name == b"content-length"), b"0")
        if int(told) > self._most:
            await ProblemResponse(413, self._say())(scope, receive, send)
            return
        taken = 0

        async def take() -> Message:
            nonlocal taken
            message = await receive()
            taken += len(message.get("body", b""))
            if taken > self._most:
                raise Refusal(413, self._say())
            return message

        await self._app(scope, take, send)

    def _say(self) -> str:
        return f"a body has at most {self._most:,} bytes"
