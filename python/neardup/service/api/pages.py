"""Requests about pages over time: where one is, how it changed, and which pages held a text."""

from collections.abc import Callable
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request

from neardup.service.access import Reader
from neardup.service.answers import Answer
from neardup.service.api import examples
from neardup.service.api.description import answers, sends
from neardup.service.models.requests import SentContacts
from neardup.service.models.responses import ToldContacts, ToldLocation, ToldVisit
from neardup.service.requests import read_json
from neardup.service.state.state import serving
from neardup.sweeps.store import SweepStore

router = APIRouter(tags=["pages over time"])
Url = Annotated[str, Query(description="As a sweep saw it.", openapi_examples=examples.URL)]


@router.get("/locate", summary="Locate a page", responses=answers(list[ToldLocation], examples.LOCATIONS, finds=True))
async def locate(request: Request, url: Url, _: Reader) -> Answer:
    """Return where the page that a URL led to is now: the newest place first."""
    return await _ask(request, lambda store: store.locate(url))


@router.get(
    "/history", summary="Return the history of a page", responses=answers(list[ToldVisit], examples.VISITS, finds=True)
)
async def history(request: Request, url: Url, _: Reader) -> Answer:
    """Return how a page changed from sweep to sweep, through its moves."""
    return await _ask(request, lambda store: store.history(url))


@router.post(
    "/contacts",
    summary="List the pages that held a text",
    responses=answers(ToldContacts, examples.CONTACTS, finds=True),
    openapi_extra=sends(SentContacts, examples.HELD),
)
async def contacts(request: Request, _: Reader) -> Answer:
    """List every URL that held a text, whole or in part: the newest first."""
    sent = await read_json(request, SentContacts)
    return await _ask(request, lambda store: store.contacts(**sent.model_dump()))


async def _ask(request: Request, question: Callable[[SweepStore], Any]) -> Answer:
    return Answer(await serving(request).sweeps.ask(question))
