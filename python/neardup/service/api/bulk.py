"""Many documents in one request: a line of JSON for each, and a line of JSON for each answer, in the same order."""

import asyncio
import logging
from asyncio import timeout
from collections.abc import Callable
from functools import partial
from typing import Any

from fastapi import APIRouter, Request
from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from neardup.errors import DamagedIndex, DataError, NeardupError
from neardup.index.answers import describe_admission, describe_check
from neardup.inputs.document import Document
from neardup.output.json import write_json
from neardup.service.access import Reader, Writer
from neardup.service.answers import Problem, Refusal, problem_of
from neardup.service.api import examples
from neardup.service.api.description import BINARY, NDJSON, answers_lines, sends_lines
from neardup.service.api.spool import Spool
from neardup.service.models.requests import SentDocument
from neardup.service.requests import parse, read_lines, to_document
from neardup.service.state.state import limits, served, serving, work

router = APIRouter(prefix="/bulk", tags=["many documents"])
_BATCH = 256
_log = logging.getLogger(__name__)
AnswerRow = dict[str, Any]
AnswerBatch = Callable[[list[Document]], list[AnswerRow]]
"""Answers a batch of documents: all of them or, if it raises `DataError`, none."""


@router.post(
    "/check",
    summary="Check many documents",
    responses=answers_lines("ToldCheck", examples.CHECK_LINES),
    openapi_extra=sends_lines(examples.LINES),
    response_class=Response,
)
async def check_all(request: Request, _: Reader) -> Response:
    """Return what the index would decide about each document if it came alone; nothing changes."""
    found = served(request)
    return _LineResponse(request, lambda some: [describe_check(found.check(one)) for one in some])


@router.post(
    "/admit",
    summary="Admit many documents",
    responses=answers_lines("ToldAdmission", examples.ADMIT_LINES),
    openapi_extra=sends_lines(examples.LINES),
    response_class=Response,
)
async def admit_all(request: Request, _: Writer) -> Response:
    """Admit documents, in this order; those that are answered are on the disk."""
    found, metrics = served(request), serving(request).metrics

    def admit(some: list[Document]) -> list[AnswerRow]:
        admissions = found.admit(some)
        for one in admissions:
            metrics.count_admission(one.kind)
        return [describe_admission(one) for one in admissions]

    return _LineResponse(request, admit)


class _LineResponse(Response):
    """A response that is sent while the request is read.

    The framework's streaming response cannot do that: it receives the messages itself, to notice a client that leaves.
    """

    def __init__(self, request: Request, answer_batch: AnswerBatch) -> None:
        is_binary = request.headers.get("content-type", "").partition(";")[0].strip().lower() == BINARY
        super().__init__(media_type=BINARY if is_binary else NDJSON)
        del self.headers["content-length"]
        self._request, self._answer_batch = request, answer_batch

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002 - the request receives
        """Send the answers; a client that reads nothing for too long is disconnected."""
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        with Spool() as spool:
            filling = asyncio.create_task(_fill(spool, self._request, self._answer_batch))
            try:
                async for piece in spool.pieces():
                    async with timeout(limits(self._request).seconds):
                        await send({"type": "http.response.body", "body": piece, "more_body": True})
                await filling
            except TimeoutError:
                return
            except OSError as error:
                # answers cannot be stored, and a response that is not whole must not end as if it were
                _log.error("a bulk request was given up: %s", error)
                return
            finally:
                filling.cancel()
        await send({"type": "http.response.body"})


async def _fill(spool: Spool, request: Request, answer_batch: AnswerBatch) -> None:
    """Answer all lines. If the request cannot be read to its end, the last answer is a problem that says why."""
    bounds = limits(request)
    try:
        async for lines in read_lines(request, bounds.body, bounds.seconds):
            for start in range(0, len(lines), _BATCH):
                read = [await _read(line, request) for line in lines[start : start + _BATCH]]
                for answer in await work(request, partial(_answer_each, read, answer_batch)):
                    await spool.put(write_json(answer).encode() + b"\n")
    except ClientDisconnect:
        pass
    except (Refusal, NeardupError) as error:
        await spool.put(problem_of(error).model_dump_json().encode() + b"\n")
    finally:
        spool.end()


async def _read(line: bytes, request: Request) -> Document | Problem:
    try:
        return await to_document(request, await parse(request, SentDocument, line))
    except (Refusal, NeardupError) as error:
        return problem_of(error)


def _answer_each(read: list[Document | Problem], answer_batch: AnswerBatch) -> list[AnswerRow]:
    """Answer a batch: all documents at once, or one by one if one of them is refused."""
    documents = [one for one in read if isinstance(one, Document)]
    try:
        answers = iter(answer_batch(documents))
    except DamagedIndex:
        raise
    except DataError:
        answers = iter([_answer_one(one, answer_batch) for one in documents])
    return [next(answers) if isinstance(one, Document) else one.model_dump() for one in read]


def _answer_one(document: Document, answer_batch: AnswerBatch) -> AnswerRow:
    try:
        [answer] = answer_batch([document])
    except DataError as error:
        return problem_of(error).model_dump()
    return answer
