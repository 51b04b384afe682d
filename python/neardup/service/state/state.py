"""The state that a route works with."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TypeVar, cast

from fastapi import Request

from neardup.service.state.limits import Limits, Metrics
from neardup.service.state.reviews import Judgements, ReviewFolder
from neardup.service.state.served_data import LazySweepStore, ServedData, refreshing
from neardup.service.state.tokens import Tokens
from neardup.service.work.background import Background, ThreadPool
from neardup.service.work.pool import ProcessPool
from neardup.survey.survey import Survey


@dataclass(frozen=True)
class Serving:
    """The data that is served, the people that it is served to, and the workers."""

    served: ServedData
    tokens: Tokens | None
    """None if only this machine is served, and every client may write."""
    limits: Limits
    threads: ThreadPool
    processes: ProcessPool
    sweeps: LazySweepStore
    metrics: Metrics
    surveying: Background[Survey]
    judgements: Judgements
    reviews: ReviewFolder


@asynccontextmanager
async def serve(served: ServedData, tokens: Tokens | None, limits: Limits, metrics: Metrics) -> AsyncIterator[Serving]:
    """Start the workers, and wait for them at the end."""
    threads, processes, sweeps = ThreadPool(), ProcessPool(), LazySweepStore(served.sweeps)
    surveying = Background[Survey](threads)
    judgements = Judgements(served.labels)
    reviews = ReviewFolder(served.reviews, served.index, threads)
    try:
        async with refreshing(served, threads):
            yield Serving(served, tokens, limits, threads, processes, sweeps, metrics, surveying, judgements, reviews)
    finally:
        await reviews.close()
        await surveying.close()
        await sweeps.close()
        await processes.close()
        await threads.close()
        served.close()


T = TypeVar("T")


def serving(request: Request) -> Serving:
    """Return the state of the service."""
    return cast(Serving, request.state.serving)


def served(request: Request) -> ServedData:
    """Return the data that is served."""
    return serving(request).served


def limits(request: Request) -> Limits:
    """Return the limits of the service."""
    return serving(request).limits


async def work(request: Request, task: Callable[[], T]) -> T:
    """Run a task that takes a while in a thread other than that of the event loop."""
    return await serving(request).threads.do(task)
