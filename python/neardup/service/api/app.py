"""The application for programs."""

from fastapi import APIRouter, Depends, FastAPI, Request, Response
from prometheus_client import CONTENT_TYPE_LATEST

from neardup._core import __version__
from neardup.service.access import Reader
from neardup.service.answers import Answer, answer_errors
from neardup.service.api import bulk, documents, examples, pages, query
from neardup.service.api.description import Answers, answers, describe
from neardup.service.models.responses import ToldHealth, ToldStats
from neardup.service.requests import refuse_unknown
from neardup.service.state.state import served, serving, work

ABOUT = """Near-duplicate documents: checked before they are stored, found, explained and removed.

Texts are UTF-8. Refusals are problems of RFC 9457, whose detail says what is allowed."""
router = APIRouter(tags=["status"])
_COUNTS: Answers = {200: {"content": {"text/plain": {"schema": {"type": "string"}}}}}


@router.get("/stats", summary="Return the state of the index", responses=answers(ToldStats, examples.STATS))
async def stats(request: Request, _: Reader) -> Answer:
    """Return how the index was made, the number of its documents and the bytes that they take."""
    return Answer(await work(request, served(request).index.info))


@router.get("/health", summary="Say that requests are answered", responses=answers(ToldHealth, examples.HEALTH))
async def health() -> Answer:
    """Say that requests are answered; this needs no token."""
    return Answer({"status": "ok"})


@router.get("/metrics", summary="Return counts and times", responses=_COUNTS, response_class=Response)
async def metrics(request: Request, _: Reader) -> Response:
    """Return counts and times in the text form of Prometheus."""
    return Response(serving(request).metrics.write(), media_type=CONTENT_TYPE_LATEST)


ROUTERS = (documents.router, bulk.router, query.router, pages.router, router)


def make_api() -> FastAPI:
    """Return the application, with its description at `openapi.json`."""
    app = FastAPI(
        title="neardup",
        description=ABOUT,
        version=__version__,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        generate_unique_id_function=lambda route: route.name,
    )
    for part in ROUTERS:
        app.include_router(part, dependencies=[Depends(refuse_unknown)])
    answer_errors(app)
    # the framework's own description of refusals is not that of the answers here
    app.openapi = lambda: describe(app)  # type: ignore[method-assign]
    return app
