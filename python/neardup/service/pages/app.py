"""The application for people."""

from fastapi import Depends, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from neardup.errors import NeardupError
from neardup.service.access import ANYBODY
from neardup.service.answers import problem_of
from neardup.service.pages import changes, cluster, clusters, compare, login, search, statics, sweeps
from neardup.service.pages.login import login_first
from neardup.service.pages.render import render
from neardup.service.pages.reviews import downloads, draw, goal, overview, pair, review_list, reviewer
from neardup.service.requests import refuse_repeated

UNKNOWN = 401


def show_errors(app: FastAPI) -> None:
    """Answer every error that a route may raise with a page; a person who is not known yet is asked for a token."""
    for kind in (HTTPException, RequestValidationError, NeardupError, Exception):
        app.add_exception_handler(kind, _show_error)


def _show_error(request: Request, error: Exception) -> Response:
    problem = problem_of(error)
    if problem.status == UNKNOWN:
        return login_first(request)
    return render("problem.html", request, ANYBODY, problem.status, problem=problem)


ROUTERS = (
    search.router,
    compare.router,
    clusters.router,
    cluster.router,
    review_list.router,
    overview.router,
    reviewer.router,
    pair.router,
    goal.router,
    draw.router,
    downloads.router,
    sweeps.router,
    changes.router,
    login.router,
    statics.router,
)


def make_pages() -> FastAPI:
    """Return the application."""
    app = FastAPI(openapi_url=None, redirect_slashes=False)
    for router in ROUTERS:
        app.include_router(router, dependencies=[Depends(refuse_repeated)])
    show_errors(app)
    return app
