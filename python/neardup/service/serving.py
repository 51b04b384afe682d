"""What every route works with, for as long as the service runs."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from neardup.service.background import Background
from neardup.service.children import Children
from neardup.service.holdings import Holdings
from neardup.service.judgements import Judgements
from neardup.service.limits import Limits
from neardup.service.metrics import Metrics
from neardup.service.refreshing import refreshing
from neardup.service.reviews import ReviewRoom
from neardup.service.sweeps import SweepRoom
from neardup.service.tokens import Tokens
from neardup.service.work import Workroom
from neardup.study.survey.survey import Survey


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
