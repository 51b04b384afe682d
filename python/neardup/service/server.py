"""The server: one process, which ends when all accepted requests are answered."""

import resource
import signal
import socket
from asyncio import Protocol
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from ipaddress import ip_address
from types import FrameType
from typing import cast

import uvicorn
from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.types import ASGIApp

from neardup.errors import EnvironmentFault, UsageError
from neardup.service.api.app import make_api
from neardup.service.guards import BodyLimit, Framing, Meter, Origin, RequestLimit, SafeHeaders
from neardup.service.pages.app import make_pages
from neardup.service.programs import SearchForPrograms
from neardup.service.slow_clients import LimitedProtocol
from neardup.service.state.limits import Limits, Metrics
from neardup.service.state.served_data import ServedData
from neardup.service.state.state import Serving, serve
from neardup.service.state.tokens import Tokens


def make_app(served: ServedData, tokens: Tokens | None, limits: Limits, hosts: frozenset[str]) -> ASGIApp:
    """Return the application that serves a folder to the people in `tokens`, under the names in `hosts`."""

    @asynccontextmanager
    async def live(_: Starlette) -> AsyncIterator[dict[str, Serving]]:
        async with serve(served, tokens, limits, metrics) as serving:
            yield {"serving": serving}

    metrics = Metrics(served)
    app = Starlette(routes=[Mount("/api", make_api()), Mount("/", make_pages())], lifespan=live)
    app.add_middleware(SearchForPrograms)
    guarded = RequestLimit(BodyLimit(app, limits.body), limits.requests, limits.seconds)
    return SafeHeaders(Meter(Origin(Framing(guarded), hosts), metrics))


LOCAL = frozenset(("localhost", "127.0.0.1", "[::1]"))


def is_loopback(host: str) -> bool:
    """Return whether only this machine can reach a server that listens at a host."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def own_names(host: str, others: tuple[str, ...], *, has_tokens: bool) -> frozenset[str]:
    """Return the names of hosts that requests may have: those of this machine, `host` and `others`.

    Raises `UsageError` for a host that other machines reach when no token is needed.
    """
    if not is_loopback(host) and not has_tokens:
        raise UsageError(f"host is {host}, which others reach: name a file of --tokens, or listen at 127.0.0.1")
    shown = f"[{host}]" if ":" in host else host
    return LOCAL | {shown.lower(), *(name.lower() for name in others)}


_IDLE = 65
"""Number of seconds that a connection is kept open between two requests."""
_GRACE = 5
"""Number of seconds that a shutdown may take beyond the time of a request."""


def listen(host: str, port: int) -> socket.socket:
    """Listen at a port, or at any free one for 0. Raises `EnvironmentFault` if that is not possible."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=2048)
    except OSError as error:
        raise EnvironmentFault(f"cannot listen at {host}, port {port}: {error.strerror}") from error


def run(app: ASGIApp, listening: socket.socket, seconds: float, ready: Callable[[], None]) -> None:
    """Serve until SIGINT or SIGTERM, and call `ready` at the start.

    After the signal, open requests have `seconds` to be answered.
    """
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    # raises the limit of open files, because every connection is one
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    config = uvicorn.Config(
        app,
        http=cast(type[Protocol], partial(LimitedProtocol, seconds)),
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_keep_alive=_IDLE,
        timeout_graceful_shutdown=int(seconds) + _GRACE,
    )
    _Server(config, ready).run(sockets=[listening])


class _Server(uvicorn.Server):
    """A server for which a stop by a signal is success: the process does not end by the signal."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, and call `ready`."""
        await super().startup(sockets)
        self._ready()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002 - the frame that was interrupted
        """Stop; at once if SIGINT follows an earlier signal."""
        self.force_exit = self.should_exit and sig == signal.SIGINT
        self.should_exit = True
