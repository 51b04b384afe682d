"""How often a route answers, with which status, and how long that takes."""

from time import perf_counter

from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from neardup.service.state.metrics import Metrics

NOWHERE = "none"
"""Stands for every path that leads to no route: paths are of whoever asks, and there is no end of them."""


class Meter:
    """Counts answers."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app, self._metrics = app, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request pass, and count its answer."""
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
                self._metrics.count_answer(_name(scope), status, perf_counter() - began)


def _name(scope: Scope) -> str:
    route = scope.get("route")
    return scope.get("root_path", "") + route.path if isinstance(route, Route) else NOWHERE
