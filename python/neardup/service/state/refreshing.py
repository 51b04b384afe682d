"""Seeing what other processes write to the index."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from neardup.errors import NeardupError
from neardup.service.state.served_data import Holdings
from neardup.service.work.threads import Workroom

SECONDS = 2.0
"""Between two looks."""
_log = logging.getLogger(__name__)


@asynccontextmanager
async def refreshing(holdings: Holdings, workroom: Workroom) -> AsyncIterator[None]:
    """Look again and again during the block."""
    looking = asyncio.create_task(_look(holdings, workroom))
    try:
        yield
    finally:
        looking.cancel()
        with suppress(asyncio.CancelledError):
            await looking


async def _look(holdings: Holdings, workroom: Workroom) -> None:
    while True:
        await asyncio.sleep(SECONDS)
        try:
            await workroom.do(holdings.refresh)
        except NeardupError as error:
            # whoever asks for something is told that it cannot be had now
            _log.error("the index cannot be looked at again: %s", error)
