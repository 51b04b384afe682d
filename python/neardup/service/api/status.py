"""How the service and its store are."""

from fastapi import APIRouter, Request, Response
from prometheus_client import CONTENT_TYPE_LATEST

from neardup.service.access import Reader
from neardup.service.answers.answer import Answer
from neardup.service.api import examples
from neardup.service.api.description import Answers, answers
from neardup.service.models.responses import ToldHealth, ToldStats
from neardup.service.state.state import holdings, serving, work

router = APIRouter(tags=["status"])
_COUNTS: Answers = {200: {"content": {"text/plain": {"schema": {"type": "string"}}}}}


@router.get("/stats", summary="Tell how the index is", responses=answers(ToldStats, examples.STATS))
async def stats(request: Request, _: Reader) -> Answer:
    """Return how the index was made, how many documents there are and what they take."""
    return Answer(await work(request, holdings(request).index.info))


@router.get("/health", summary="Tell that requests are answered", responses=answers(ToldHealth, examples.HEALTH))
async def health() -> Answer:
    """Return that requests are answered; nobody needs a token for that."""
    return Answer({"status": "ok"})


@router.get("/metrics", summary="Give counts and times", responses=_COUNTS, response_class=Response)
async def metrics(request: Request, _: Reader) -> Response:
    """Return counts and times in the text form of Prometheus."""
    return Response(serving(request).metrics.write(), media_type=CONTENT_TYPE_LATEST)
