"""What every route works with, for as long as the service runs."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from neardup.service.state.judgements import Judgements
from neardup.service.state.limits import Limits
from neardup.service.state.metrics import Metrics
from neardup.service.state.refreshing import refreshing
from neardup.service.state.reviews import ReviewRoom
from neardup.service.state.served_data import Holdings
from neardup.service.state.sweeps import SweepRoom
from neardup.service.state.tokens import Tokens
from neardup.service.work.background import Background
from neardup.service.work.pool import Children
from neardup.service.work.threads import Workroom
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
