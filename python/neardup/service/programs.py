"""The address of the search page, for programs."""

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

PAGE, API = "/search", "/api/search"


class SearchForPrograms:
    """Lets the API answer `GET /search` if the client accepts JSON and no page."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, with the path of the API if it is one."""
        if scope["type"] == "http" and scope["method"] == "GET" and scope["path"] == PAGE:
            accepted = Headers(scope=scope).get("accept", "")
            if "application/json" in accepted and "text/html" not in accepted:
                scope = {**scope, "path": API, "raw_path": API.encode()}
        await self._app(scope, receive, send)
