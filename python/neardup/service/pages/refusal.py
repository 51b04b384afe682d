"""What a person sees when a request is refused."""

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from neardup.errors import NeardupError
from neardup.service.access import ANYBODY
from neardup.service.answers.problem import problem_of
from neardup.service.pages.login import login_first
from neardup.service.pages.render import render

UNKNOWN = 401


def show_errors(app: FastAPI) -> None:
    """Make a page of every error that a route may raise; who is not known yet is asked for a token."""
    for kind in (HTTPException, RequestValidationError, NeardupError, Exception):
        app.add_exception_handler(kind, _show)


def _show(request: Request, error: Exception) -> Response:
    problem = problem_of(error)
    if problem.status == UNKNOWN:
        return login_first(request)
    return render("problem.html", request, ANYBODY, problem.status, problem=problem)
