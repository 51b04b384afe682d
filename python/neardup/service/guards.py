"""Guards in front of the application. Each is an ASGI application around another."""

import re
from asyncio import timeout
from time import perf_counter

from starlette.datastructures import Headers
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from neardup.service.answers import ProblemResponse, Refusal
from neardup.service.state.limits import BULK, HEALTH, Metrics


class BodyLimit:
    """Answers 413 for a larger body: before it is read if its length is given, otherwise when it passes the limit."""

    def __init__(self, app: ASGIApp, most: int) -> None:
        self._app, self._most = app, most

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] != "http" or scope["path"].startswith(BULK):
            await self._app(scope, receive, send)
            return
        length = next((value for name, value in scope["headers"] if name == b"content-length"), b"0")
        if int(length) > self._most:
            await ProblemResponse(413, self._describe_limit())(scope, receive, send)
            return
        taken = 0

        async def take() -> Message:
            nonlocal taken
            message = await receive()
            taken += len(message.get("body", b""))
            if taken > self._most:
                raise Refusal(413, self._describe_limit())
            return message

        await self._app(scope, take, send)

    def _describe_limit(self) -> str:
        return f"a body has at most {self._most:,} bytes"


class Framing:
    """Answers 501 to a transfer coding other than chunked, because the coded bytes would be taken for the body."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        codings = Headers(scope=scope).getlist("transfer-encoding") if scope["type"] == "http" else []
        if codings and [coding.strip().lower() for coding in codings] != ["chunked"]:
            refused = ProblemResponse(501, "the only transfer coding of a body is chunked")
            await refused(scope, receive, send)
        else:
            await self._app(scope, receive, send)


RETRY = {"Retry-After": "1"}
CLOSE = {"Connection": "close"}


class RequestLimit:
    """Answers 429 to too many requests at a time, 408 if the body is late, and 503 if the answer is."""

    def __init__(self, app: ASGIApp, requests: int, seconds: float) -> None:
        self._app, self._most, self._seconds = app, requests, seconds
        self._open = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
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
            # once the answer has begun no other can be sent: the server closes the connection
            if waits and not began:
                slow = ProblemResponse(408, f"the body did not come within {self._seconds:g} seconds", CLOSE)
                await slow(scope, receive, send)
            elif not began:
                late = ProblemResponse(503, f"not answered within {self._seconds:g} seconds", RETRY)
                await late(scope, receive, send)
        finally:
            self._open -= 1


NOWHERE = "none"
"""Route of all paths that lead to no route. Clients choose these paths, so their number has no bound."""


class Meter:
    """Counts answers and their times."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app, self._metrics = app, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and count its answer."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began, status = perf_counter(), 500

        async def answer(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        with self._metrics.open.track_inprogress():
            try:
                await self._app(scope, receive, answer)
            finally:
                self._metrics.count_answer(_route_name(scope), status, perf_counter() - began)


def _route_name(scope: Scope) -> str:
    route = scope.get("route")
    return scope.get("root_path", "") + route.path if isinstance(route, Route) else NOWHERE


POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
_HEADERS = [
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cache-control", b"no-store"),
]


class SafeHeaders:
    """Adds security headers. An answer that has one of them itself keeps its own."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and add the headers to its answer."""

        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = {name for name, _ in message["headers"]}
                message["headers"] = [*message["headers"], *(one for one in _HEADERS if one[0] not in own)]
            await send(message)

        await self._app(scope, receive, answer)


_SAFE = frozenset(("GET", "HEAD", "OPTIONS"))
_HOST = re.compile(r"(?P<name>\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(?::[0-9]{0,5})?")
_OWN = frozenset(("same-origin", "none"))


class Origin:
    """Answers 400 to a Host that is not ours, and 403 if a page from elsewhere would change something.

    A name of another site may be made to lead here (DNS rebinding). The browser then takes our pages for those of that
    name, and only the Host that it sends shows it.
    """

    def __init__(self, app: ASGIApp, hosts: frozenset[str]) -> None:
        """Take the allowed names of this service, without ports; `*` allows any."""
        self._app, self._hosts = app, hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] == "http" and (refused := self._refuse(scope["method"], Headers(scope=scope))):
            await refused(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    def _refuse(self, method: str, headers: Headers) -> ProblemResponse | None:
        hosts = headers.getlist("host")
        # a proxy in front of this service may use one of them, and this service the other
        if len(hosts) > 1:
            return ProblemResponse(400, "a request names its host once")
        host = hosts[0] if hosts else ""
        name = _host_name(host)
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


def _host_name(host: str) -> str:
    """Remove the port from a host: `[::1]:80` -> `[::1]`. Returns an empty text for an invalid host."""
    parts = _HOST.fullmatch(host)
    return parts["name"].lower() if parts else ""
