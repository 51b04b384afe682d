"""How a body is framed: by its length or in chunks, and in no other way."""

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from neardup.service.answers.problem import ProblemResponse


class Framing:
    """Answers 501 to a transfer coding other than chunked, which would be taken as the body itself."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request pass, or answer it."""
        codings = Headers(scope=scope).getlist("transfer-encoding") if scope["type"] == "http" else []
        if codings and [coding.strip().lower() for coding in codings] != ["chunked"]:
            refused = ProblemResponse(501, "the only transfer coding of a body is chunked")
            await refused(scope, receive, send)
        else:
            await self._app(scope, receive, send)
