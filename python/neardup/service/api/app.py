"""The application that programs ask."""

from fastapi import Depends, FastAPI

from neardup._core import __version__
from neardup.service.answers.problem import answer_errors
from neardup.service.api import bulk, documents, held, pages, query, status
from neardup.service.api.description import describe
from neardup.service.requests.parameters import refuse_unknown

ABOUT = """Near-duplicate documents: checked before they are stored, found, explained and removed.

Texts are UTF-8. Refusals are problems of RFC 9457, whose detail says what is allowed."""
ROUTERS = (documents.router, bulk.router, held.router, query.router, pages.router, status.router)


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
    for router in ROUTERS:
        app.include_router(router, dependencies=[Depends(refuse_unknown)])
    answer_errors(app)
    # what the framework itself tells of refusals is not what is answered here
    app.openapi = lambda: describe(app)  # type: ignore[method-assign]
    return app
