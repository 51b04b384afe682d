"""The application: guards around what programs ask, and what people look at."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.types import ASGIApp

from neardup.service.api.app import make_api
from neardup.service.guard.body import Body
from neardup.service.guard.crowd import Crowd
from neardup.service.guard.framing import Framing
from neardup.service.guard.headers import SafeHeaders
from neardup.service.guard.meter import Meter
from neardup.service.guard.origin import Origin
from neardup.service.pages.app import make_pages
from neardup.service.state.limits import Limits
from neardup.service.state.metrics import Metrics
from neardup.service.state.served_data import Holdings
from neardup.service.state.serving import Serving, serve
from neardup.service.state.tokens import Tokens


def make_app(holdings: Holdings, tokens: Tokens | None, limits: Limits, hosts: frozenset[str]) -> ASGIApp:
    """Make the application that serves what a folder holds, to whom the tokens name, under the names of `hosts`."""

    @asynccontextmanager
    async def live(_: Starlette) -> AsyncIterator[dict[str, Serving]]:
        async with serve(holdings, tokens, limits, metrics) as serving:
            yield {"serving": serving}

    metrics = Metrics(holdings)
    app = Starlette(routes=[Mount("/api", make_api()), Mount("/", make_pages())], lifespan=live)
    guarded = Crowd(Body(app, limits.body), limits.requests, limits.seconds)
    return SafeHeaders(Meter(Origin(Framing(guarded), hosts), metrics))
