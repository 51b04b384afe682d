"""The server: one process, which ends when all that it took on is answered."""

import resource
import signal
import socket
from asyncio import Protocol
from collections.abc import Callable
from functools import partial
from types import FrameType
from typing import cast

import uvicorn
from starlette.types import ASGIApp

from neardup.errors import EnvironmentFault
from neardup.service.slow_clients import Patient

_IDLE = 65
"""Seconds that a connection is kept between two requests."""
_GRACE = 5
"""Seconds of the end that are for more than waiting for requests."""


def listen(host: str, port: int) -> socket.socket:
    """Take a port, or any free one for 0; `EnvironmentFault` when it is taken."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=2048)
    except OSError as error:
        raise EnvironmentFault(f"cannot listen at {host}, port {port}: {error.strerror}") from error


def run(app: ASGIApp, listening: socket.socket, seconds: float, ready: Callable[[], None]) -> None:
    """Serve, once it is ready, until SIGINT or SIGTERM; then what is under way has so many seconds to be answered."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    # every connection is an open file
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    config = uvicorn.Config(
        app,
        http=cast(type[Protocol], partial(Patient, seconds)),
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_keep_alive=_IDLE,
        timeout_graceful_shutdown=int(seconds) + _GRACE,
    )
    _Server(config, ready).run(sockets=[listening])


class _Server(uvicorn.Server):
    """A server that was stopped has done what it was asked for: the process does not end by the signal."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin, and say so."""
        await super().startup(sockets)
        self._ready()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002 - the frame that was interrupted
        """Stop; at once, when a person asks again."""
        self.force_exit = self.should_exit and sig == signal.SIGINT
        self.should_exit = True
