"""The application that programs ask."""

from fastapi import APIRouter, Depends, FastAPI, Request, Response
from prometheus_client import CONTENT_TYPE_LATEST

from neardup._core import __version__
from neardup.service.access import Reader
from neardup.service.answers import Answer, answer_errors
from neardup.service.api import bulk, documents, examples, pages, query
from neardup.service.api.description import Answers, answers, describe
from neardup.service.models.responses import ToldHealth, ToldStats
from neardup.service.requests import refuse_unknown
from neardup.service.state.state import holdings, serving, work

ABOUT = """Near-duplicate documents: checked before they are stored, found, explained and removed.

Texts are UTF-8. Refusals are problems of RFC 9457, whose detail says what is allowed."""
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


ROUTERS = (documents.router, bulk.router, query.router, pages.router, router)


def make_api() -> FastAPI:
    """Make it, with its description at `openapi.json`."""
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
    # what the framework itself tells of refusals is not what is answered here
    app.openapi = lambda: describe(app)  # type: ignore[method-assign]
    return app
