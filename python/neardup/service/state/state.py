"""What a route works with."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TypeVar, cast

from fastapi import Request

from neardup.service.state.limits import Limits, Metrics
from neardup.service.state.reviews import Judgements, ReviewRoom
from neardup.service.state.served_data import Holdings, SweepRoom, refreshing
from neardup.service.state.tokens import Tokens
from neardup.service.work.background import Background, Workroom
from neardup.service.work.pool import Children
from neardup.survey.survey import Survey


@dataclass(frozen=True)
class Serving:
    """What is served, to whom, and who does the work."""

    holdings: Holdings
    tokens: Tokens | None
    """None where only this machine is served, and everybody may write."""
    limits: Limits
    workroom: Workroom
    children: Children
    sweeps: SweepRoom
    metrics: Metrics
    surveying: Background[Survey]
    judgements: Judgements
    reviews: ReviewRoom


@asynccontextmanager
async def serve(holdings: Holdings, tokens: Tokens | None, limits: Limits, metrics: Metrics) -> AsyncIterator[Serving]:
    """Start what does the work, and in the end wait for it."""
    workroom, children, sweeps = Workroom(), Children(), SweepRoom(holdings.sweeps)
    surveying = Background[Survey](workroom)
    judgements = Judgements(holdings.labels)
    reviews = ReviewRoom(holdings.reviews, holdings.index, workroom)
    try:
        async with refreshing(holdings, workroom):
            yield Serving(holdings, tokens, limits, workroom, children, sweeps, metrics, surveying, judgements, reviews)
    finally:
        await reviews.close()
        await surveying.close()
        await sweeps.close()
        await children.close()
        await workroom.close()
        holdings.close()


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
