"""Answers: values as JSON, and problems for requests that are refused."""

import json
import logging
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import Response

from neardup.errors import DamagedIndex, EnvironmentFault, NeardupError
from neardup.output.json import to_plain
from neardup.output.written import shorten


class Answer(Response):
    """A response that is a value as JSON; named tuples are objects."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        """Return the value as JSON, in UTF-8."""
        return json.dumps(to_plain(content), ensure_ascii=False).encode()


MEDIA_TYPE = "application/problem+json"
UNABLE = 503
FAULT = 500
RETRY = {"Retry-After": "60"}
_TITLES = {413: "Content Too Large", 422: "Unprocessable Content"}
"""Titles of statuses on which versions of Python do not agree."""
_log = logging.getLogger(__name__)


class Problem(BaseModel):
    """Why a request was refused."""

    status: int
    title: str
    detail: str


class ProblemResponse(Response):
    """A response with a status, and a sentence that says what was wrong and what is allowed."""

    media_type = MEDIA_TYPE

    def __init__(self, status: int, detail: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(_problem(status, detail).model_dump_json(), status, headers)


class Refusal(HTTPException):
    """Raised anywhere below the guards to refuse a request."""


def problem_of(error: Exception) -> Problem:
    """Convert an error to a problem. What the owner of the service has to repair is logged."""
    if isinstance(error, HTTPException):
        return _problem(error.status_code, error.detail)
    if isinstance(error, RequestValidationError):
        return _problem(422, name_faults(error.errors()))
    if isinstance(error, DamagedIndex | EnvironmentFault):
        # clients do not see the paths and disks of the server
        _log.error("%s", error)
        return _problem(UNABLE, "the store cannot answer now; its log says why")
    if isinstance(error, NeardupError):
        return _problem(422, str(error))
    return _problem(FAULT, "this is a fault of the service; its log says more")


def answer_errors(app: FastAPI) -> None:
    """Answer every error that a route may raise with a problem."""
    for kind in (HTTPException, RequestValidationError, NeardupError, Exception):
        app.add_exception_handler(kind, _answer_error)
    app.add_exception_handler(ClientDisconnect, _answer_disconnect)


def _answer_error(_: Request, error: Exception) -> Response:
    problem = problem_of(error)
    headers = error.headers if isinstance(error, HTTPException) else None
    return ProblemResponse(problem.status, problem.detail, headers or (RETRY if problem.status == UNABLE else None))


def _answer_disconnect(_: Request, __: Exception) -> Response:
    """Answer a client that disconnected before the request was read."""
    return Response(status_code=400)


def _problem(status: int, detail: str) -> Problem:
    title = _TITLES.get(status) or HTTPStatus(status).phrase
    return Problem(status=status, title=title, detail=shorten(detail))


_MOST = 3
"""Number of faults that are named."""
_PREFIX = "Value error, "


def name_faults(faults: Sequence[Any]) -> str:
    """Describe the first faults that the models found, each with its place, without any of the input."""
    named = [_name(fault) for fault in faults[:_MOST]]
    return "; ".join([*named, *([f"and {len(faults) - _MOST} more"] if len(faults) > _MOST else [])])


def _name(fault: Any) -> str:
    place = ".".join(map(str, fault["loc"])) or "body"
    return f"{place}: {fault['msg'].removeprefix(_PREFIX)}"
