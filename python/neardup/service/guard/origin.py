"""Where a request comes from: pages of others may not use the browser of somebody who is known here."""

import re

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from neardup.service.answers.problem import ProblemResponse

_SAFE = frozenset(("GET", "HEAD", "OPTIONS"))
_HOST = re.compile(r"(?P<name>\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(?::[0-9]{0,5})?")
_OWN = frozenset(("same-origin", "none"))


class Origin:
    """Answers 400 to a host that is not ours, and 403 when a page from elsewhere would change something.

    A name of another may be made to lead here (DNS rebinding): then the browser takes our pages for those of that name,
    and only the Host that it sends tells.
    """

    def __init__(self, app: ASGIApp, hosts: frozenset[str]) -> None:
        """Take the names that this service goes by, without ports; `*` for any."""
        self._app, self._hosts = app, hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request pass, or answer it."""
        if scope["type"] == "http" and (refused := self._refuse(scope["method"], Headers(scope=scope))):
            await refused(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    def _refuse(self, method: str, headers: Headers) -> ProblemResponse | None:
        hosts = headers.getlist("host")
        # what stands before this service may go by the one and we by the other
        if len(hosts) > 1:
            return ProblemResponse(400, "a request names its host once")
        host = hosts[0] if hosts else ""
        name = _name(host)
        if not name or not self._hosts & {"*", name}:
            return ProblemResponse(400, "this service does not go by that name; --name allows another one")
        if len(headers.getlist("origin")) > 1:
            return ProblemResponse(400, "a request names its origin once")
        origin, site = headers.get("origin"), headers.get("sec-fetch-site")
        is_foreign = (origin is not None and origin.partition("://")[2] != host) or (
            site is not None and site not in _OWN
        )
        if method not in _SAFE and is_foreign:
            return ProblemResponse(403, "a page from elsewhere may change nothing here")
        return None


def _name(host: str) -> str:
    """Take the port from a host: `[::1]:80` -> `[::1]`; nothing of what is no name and port."""
    parts = _HOST.fullmatch(host)
    return parts["name"].lower() if parts else ""
