"""Requests: parameters, bodies, and the documents and schemes that they name."""

import re
from asyncio import get_running_loop, timeout_at
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from itertools import takewhile
from typing import Any, TypeVar

from fastapi import Request
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute
from pydantic import ValidationError

from neardup.corpus.charset import split_type
from neardup.errors import DamagedIndex, DataError
from neardup.index.index import Index
from neardup.inputs.document import Document
from neardup.service.answers import Refusal, name_faults
from neardup.service.models.requests import Sent, SentDocument, refuse_repeats
from neardup.service.state.limits import SHORT
from neardup.service.state.state import served, serving

_SHOWN = 60
"""Number of code points of a name that a message shows."""


def refuse_unknown(request: Request) -> None:
    """Refuse a parameter that the route does not know, because it would do nothing, and one that is given twice."""
    route = request.scope.get("route")
    if not request.query_params or not isinstance(route, APIRoute):
        return
    more = (route.openapi_extra or {}).get("parameters", ())
    known = sorted(_names(route.dependant).union(one["name"] for one in more))
    if unknown := next((name for name in request.query_params if name not in known), None):
        allowed = f"allowed are {', '.join(known)}" if known else "there are none"
        raise Refusal(422, f"query: there is no parameter {unknown[:_SHOWN]!r}; {allowed}")
    refuse_repeated(request)


def refuse_repeated(request: Request) -> None:
    """Refuse a parameter that is given twice, because one of its values would be lost."""
    names = [name for name, _ in request.query_params.multi_items()]
    if again := next((name for name in names if names.count(name) > 1), None):
        raise Refusal(422, f"query: {again[:_SHOWN]} is given twice")


def _names(dependant: Dependant) -> set[str]:
    own = {field.alias for field in dependant.query_params}
    return own.union(*map(_names, dependant.dependencies))


async def read_lines(request: Request, most: int, seconds: float) -> AsyncIterator[list[bytes]]:
    """Yield the lines of a body without their ends, in batches of lines that arrived together, without blank ones.

    Raises `Refusal` for a line of more than `most` bytes (413), and if no line is complete within `seconds` (408).
    """
    clock = get_running_loop().time
    stream, rest, piece, due = aiter(request.stream()), b"", b".", clock() + seconds
    while piece:
        try:
            async with timeout_at(due):
                piece = await anext(stream, b"")
        except TimeoutError:
            raise Refusal(408, f"no line came for {seconds:g} seconds") from None
        lines = (rest + piece).split(b"\n")
        rest = lines.pop() if piece else b""
        fitting = list(takewhile(lambda line: len(line) <= most, lines))
        filled = [line for line in fitting if line.strip()]
        if filled:
            yield filled
            # the time that the lines took here does not count against the client
            due = clock() + seconds
        if len(fitting) < len(lines) or len(rest) > most:
            raise Refusal(413, f"a line has at most {most:,} bytes")


S = TypeVar("S", bound=Sent)
JSON = "application/json"
FORMS = ("text/html", "text/plain")
"""Content types of a body that is a page or a text as it is."""
NAMES = ("id", "url", "time")
"""Parameters with the id, the URL and the time of a page or a text that is sent as it is."""


async def read_json(request: Request, model: type[S]) -> S:
    """Read a body of JSON. Raises `Refusal` if it is not JSON, or does not fit `model`."""
    if _type(request)[0] != JSON:
        raise Refusal(415, f"the content type is not {JSON}")
    return await parse(request, model, await request.body())


async def read_document(request: Request) -> Document:
    """Read the document of a request. Raises `Refusal` if the body is not one."""
    kind, charset = _type(request)
    body = await request.body()
    if kind == JSON:
        document = await to_document(request, await parse(request, SentDocument, body))
        named: dict[str, Any] = {name: request.query_params[name] for name in NAMES if name in request.query_params}
        for name, value in named.items():
            if getattr(document, name) not in (None, value):
                raise Refusal(422, f"query: {name} is another one in the body; name it once")
        return document._replace(**named)
    if kind not in FORMS:
        raise Refusal(415, f"the content type is none of {JSON}, {', '.join(FORMS)}")
    given = {"body": body.decode("latin-1"), "charset": charset, "kind": kind, "extractor": _extractor(request)}
    text = await serving(request).processes.do("read_form", **given)
    key, url, time = map(request.query_params.get, NAMES)
    return Document(text, key, url, time)


async def parse(request: Request, model: type[S], body: bytes) -> S:
    """Parse JSON as a model. Raises `Refusal` if it is not JSON, or does not fit `model`."""
    try:
        if len(body) > SHORT:
            # describing the faults of a long body, such as a million misplaced lists, may take seconds
            await serving(request).processes.do("read_json", body=body.decode(), model=model.__name__)
            return model.model_validate_json(body)
        found = model.model_validate_json(body)
        refuse_repeats(body)
    except UnicodeDecodeError:
        raise Refusal(422, "body: this is not UTF-8") from None
    except ValidationError as error:
        raise Refusal(422, name_faults(error.errors(include_url=False, include_input=False))) from None
    except ValueError as error:
        raise Refusal(422, str(error)) from None
    return found


async def to_document(request: Request, sent: SentDocument) -> Document:
    """Make a document of what was sent; HTML is reduced to its main text."""
    text = sent.text
    if sent.html is not None:
        text = await serving(request).processes.do("extract", html=sent.html, extractor=_extractor(request))
    return Document(text or "", sent.id, sent.url, sent.time)


def _extractor(request: Request) -> str:
    """Return the extractor of the index that is served."""
    return served(request).index.choose_extractor()


def _type(request: Request) -> tuple[str, str | None]:
    return split_type(request.headers.get("content-type", JSON))


NO_ID = "there is no document of this id"
NO_URL = "there is no document of this URL"


def find_id(request: Request, id: str | None, url: str | None = None) -> str:  # noqa: A002 - the field has this name
    """Return the id of the document that `id` or `url` names; 404 if there is none, 422 unless exactly one is given."""
    if (id is None) == (url is None):
        raise Refusal(422, "name a document by its id or by its url")
    index = served(request).index
    found = index.of_url(url) if url is not None else id if id in index else None
    if found is None:
        raise Refusal(404, NO_ID if url is None else NO_URL)
    return found


@contextmanager
def finding(missing: str) -> Iterator[None]:
    """Answer 404, with the sentence `missing`, if the block misses a document: it may have been removed meanwhile."""
    try:
        yield
    except DamagedIndex:
        raise
    except DataError:
        raise Refusal(404, missing) from None


def own_scheme(index: Index) -> str:
    """Return the scheme of an index without the check of its secret seed, on which no count depends."""
    return re.sub(r" seed=check:\w+", "", index.scheme)


def refuse_files(scheme: str | None) -> None:
    """Refuse a scheme that names files, because a request must not read files of this machine."""
    if scheme is not None and ("file:" in scheme or "idf:" in scheme):
        raise Refusal(422, "a scheme cannot be asked for here when it names a file (`file:`, `idf:`)")
