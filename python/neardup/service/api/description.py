"""The OpenAPI description: the parts that all routes share, or that do not follow from types."""

import json
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from neardup.output.json import write_json, write_lines
from neardup.service.answers import MEDIA_TYPE, Problem
from neardup.service.api.schemas import simplify
from neardup.service.models.requests import SentContacts, SentDocument, SentIds, SentPair, SentQuery, SentResults
from neardup.service.requests import JSON, NAMES

NDJSON = "application/x-ndjson"
BINARY = "application/octet-stream"
"""Type by which a client sends and takes lines if it does not know `NDJSON`, as generated clients do not."""
REFUSALS = {
    400: "The host, or the request itself, is not what this service answers to.",
    401: "A token is needed, and none was given that is known.",
    403: "This person may not write, or a page from elsewhere asks.",
    404: "What was named is not there.",
    413: "The body is too large.",
    415: "The body is of another type.",
    422: "What was sent is not what is asked for here; the problem names it, and what is allowed.",
    429: "Too many requests are under way.",
    503: "This takes too long, or the store cannot answer now.",
}
_ALWAYS = {400, 429, 503}
_WITH = {"security": {401}, "parameters": {422}, "requestBody": {403, 413, 415, 422}}
"""Further statuses of a route whose description has these parts."""
_SENT = (SentDocument, SentIds, SentQuery, SentPair, SentResults, SentContacts)
_SENT_DOCUMENT = {"$ref": "#/components/schemas/SentDocument"}

Answers = dict[int | str, dict[str, Any]]


def answers(model: type[BaseModel] | Any, example: Any, *, finds: bool = False) -> Answers:
    """Describe the answer of a route; with `finds` it answers 404 if what is named is not there."""
    # the framework leaves out nulls, except those inside a text
    described: Answers = {200: {"model": model, "content": {JSON: {"example": write_json(example)}}}}
    return described | ({404: {}} if finds else {})


def answers_lines(model: str, example: list[Any]) -> Answers:
    """Describe an answer of a line of JSON for each line that was sent: this model, or a problem."""
    about = (
        "A line of JSON for each document, in the same order, or a problem in its place. "
        "The type of the answer is that of the body."
    )
    return {200: {"description": about, "content": _lines(example, model, "Problem")}}


def _lines(example: list[Any], *models: str) -> dict[str, Any]:
    """Describe lines of JSON as a text or as bytes: a schema of the whole describes no single line."""
    line = {"anyOf": [{"$ref": f"#/components/schemas/{name}"} for name in models]}
    described = {"type": "string", "contentMediaType": NDJSON, "x-line": line}
    return {
        NDJSON: {"schema": described, "example": write_lines(example)},
        BINARY: {"schema": {"type": "string", "format": "binary"}, "example": write_lines(example)},
    }


def sends(model: type[BaseModel], example: dict[str, Any]) -> dict[str, Any]:
    """Describe a body of JSON."""
    schema = {"$ref": f"#/components/schemas/{model.__name__}"}
    return {"requestBody": {"required": True, "content": {JSON: {"schema": schema, "example": example}}}}


def sends_document(example: dict[str, Any]) -> dict[str, Any]:
    """Describe a body that is a document: JSON, or a page or a text as it is, whose id, URL and time are parameters."""
    content = {
        JSON: {"schema": _SENT_DOCUMENT, "example": example},
        "text/html": {"schema": {"type": "string"}, "example": f"<main><p>{example['text']}</p></main>"},
        "text/plain": {"schema": {"type": "string"}, "example": example["text"]},
    }
    about = "Of a page or a text sent as it is; `time` is a date-time or a date."
    shared = {"in": "query", "required": False, "schema": {"type": "string"}, "description": about}
    parameters = [{"name": name, **shared, "example": example[name]} for name in NAMES]
    return {"requestBody": {"required": True, "content": content}, "parameters": parameters}


def sends_lines(example: list[Any]) -> dict[str, Any]:
    """Describe a body of documents, a line of JSON for each."""
    about = "Documents, a line of JSON for each: a `SentDocument`."
    return {"requestBody": {"required": True, "description": about, "content": _lines(example, "SentDocument")}}


def describe(app: FastAPI) -> dict[str, Any]:
    """Describe an application, with the refusals that all routes share."""
    if app.openapi_schema is None:
        described = get_openapi(title=app.title, version=app.version, description=app.description, routes=app.routes)
        components = described["components"]
        # the routes read bodies themselves, so the framework does not know their models
        models: Any = [(model, "validation") for model in (*_SENT, Problem)]
        _, schemas = models_json_schema(models, ref_template="#/components/schemas/{model}")
        components["schemas"] |= schemas["$defs"]
        for unused in ("HTTPValidationError", "ValidationError"):
            components["schemas"].pop(unused, None)
        content = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
        components["responses"] = {
            f"Problem{status}": {"description": about, "content": content} for status, about in REFUSALS.items()
        }
        for path in described["paths"].values():
            for operation in path.values():
                answer = operation["responses"]["200"]["content"].get(JSON, {})
                if "example" in answer:
                    answer["example"] = json.loads(answer["example"])
                finds = {404} if "404" in operation["responses"] else set()
                statuses = _ALWAYS.union(finds, *(more for part, more in _WITH.items() if part in operation))
                responses = {str(one): {"$ref": f"#/components/responses/Problem{one}"} for one in sorted(statuses)}
                operation["responses"] = {"200": operation["responses"]["200"], **responses}
        app.openapi_schema = simplify(described)
    return app.openapi_schema
