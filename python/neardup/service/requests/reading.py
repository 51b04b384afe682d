"""What is sent: JSON to the letter, or a page or a text as it stands."""

from typing import Any, TypeVar

from fastapi import Request
from pydantic import ValidationError

from neardup.corpus.charset import split_type
from neardup.inputs.document import Document
from neardup.service.answers.faults import name_faults
from neardup.service.answers.problem import Refusal
from neardup.service.models.repeats import refuse_repeats
from neardup.service.models.requests import Sent, SentDocument
from neardup.service.state.limits import SHORT
from neardup.service.state.state import serving

S = TypeVar("S", bound=Sent)
JSON = "application/json"
FORMS = ("text/html", "text/plain")
"""What is sent as it stands."""
NAMES = ("id", "url", "time")
"""Parameters that name a page or a text as it stands."""


async def read_json(request: Request, model: type[S]) -> S:
    """Read a body of JSON; `Refusal` for what is none, and what does not fit its model."""
    if _type(request)[0] != JSON:
        raise Refusal(415, f"the content type is not {JSON}")
    return await parse(request, model, await request.body())


async def read_document(request: Request) -> Document:
    """Read the document of a request; `Refusal` for what is none."""
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
    given = {"body": body.decode("latin-1"), "charset": charset, "kind": kind}
    text = await serving(request).children.do("read_form", **given)
    key, url, time = map(request.query_params.get, NAMES)
    return Document(text, key, url, time)


async def parse(request: Request, model: type[S], body: bytes) -> S:
    """Make a model of JSON; `Refusal` for what is none, and what does not fit."""
    try:
        if len(body) > SHORT:
            # what is wrong there, a million lists in one another's place, may take seconds to be told
            await serving(request).children.do("read_json", body=body.decode(), model=model.__name__)
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
    """Make a document of what was sent; of HTML the main text."""
    text = sent.text if sent.html is None else await serving(request).children.do("extract", html=sent.html)
    return Document(text or "", sent.id, sent.url, sent.time)


def _type(request: Request) -> tuple[str, str | None]:
    return split_type(request.headers.get("content-type", JSON))
