"""What a route works with."""

from collections.abc import Callable
from typing import TypeVar, cast

from fastapi import Request

from neardup.service.state.limits import Limits
from neardup.service.state.served_data import Holdings
from neardup.service.state.serving import Serving

T = TypeVar("T")


def serving(request: Request) -> Serving:
    """Return all of it."""
    return cast(Serving, request.state.serving)


def holdings(request: Request) -> Holdings:
    """Return what is served."""
    return serving(request).holdings


def limits(request: Request) -> Limits:
    """Return what one client may take."""
    return serving(request).limits


async def work(request: Request, task: Callable[[], T]) -> T:
    """Do what takes a while beside the thread that answers."""
    return await serving(request).workroom.do(task)
