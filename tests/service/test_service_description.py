"""The OpenAPI description is complete, and its examples are true."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from neardup.service.api.app import make_api
from neardup.service.api.description import BINARY, NDJSON
from service_story import asking, make_store

DESCRIPTION = make_api().openapi()
OPERATIONS = [
    (path, method, operation) for path, item in DESCRIPTION["paths"].items() for method, operation in item.items()
]
NAMES = [operation["operationId"] for _, _, operation in OPERATIONS]
each = pytest.mark.parametrize(("path", "method", "operation"), OPERATIONS, ids=NAMES)


def bodies(operation: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    yield from operation.get("requestBody", {}).get("content", {}).items()


@each
def test_every_route_is_described(path: str, method: str, operation: dict[str, Any]) -> None:
    assert operation["summary"]
    assert operation["description"].endswith(".")
    assert operation["tags"]
    needs_token = operation["operationId"] != "health"
    assert operation.get("security", []) == ([{"HTTPBearer": []}] if needs_token else [])
    assert ("401" in operation["responses"]) == needs_token
    assert {"400", "429", "503"} <= operation["responses"].keys()
    assert ({"403", "413", "415", "422"} <= operation["responses"].keys()) == (method == "post")
    for kind, answer in operation["responses"]["200"]["content"].items():
        assert answer["schema"]
        assert "example" in answer or kind == "text/plain"
    assert all("example" in body for _, body in bodies(operation))
    assert all(parameter["description"] for parameter in operation.get("parameters", []))


def test_refusals_are_problems() -> None:
    for name, response in DESCRIPTION["components"]["responses"].items():
        assert re.fullmatch(r"Problem4\d\d|Problem503", name)
        assert response["content"] == {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}


def test_the_description_is_served(tmp_path: Path) -> None:
    with asking(make_store(tmp_path / "store")) as client:
        served = client.get("/api/openapi.json").json()
    assert served == {**DESCRIPTION, "servers": [{"url": "/api"}]}


@each
def test_examples_are_true(path: str, method: str, operation: dict[str, Any], tmp_path: Path) -> None:
    answers = operation["responses"]["200"]["content"]
    for number, (sent, example) in enumerate(example_bodies(operation)):
        # in JSON the names are members of the body
        names = {} if method == "post" and sent == "application/json" else example_parameters(operation)
        with asking(make_store(tmp_path / str(number))) as client:
            found = client.request(method, f"/api{path}", params=names, content=example, headers={"Content-Type": sent})
        assert found.status_code == 200, found.text
        kind = found.headers["content-type"].partition(";")[0]
        assert kind == (sent if NDJSON in answers else min(answers))
        if kind != "text/plain":
            answer = answers[kind]
            # the schema of a line is that of the same lines as a text
            schema = answers[NDJSON]["schema"]["x-line"] if NDJSON in answers else answer["schema"]
            validator = jsonschema_rs.validator_for({**schema, "components": closed_components()})
            for part in found.text.splitlines() if NDJSON in answers else [found.text]:
                validator.validate(json.loads(part))
            assert (found.text if NDJSON in answers else found.json()) == answer["example"]


def test_generators_of_clients_understand_the_schemas() -> None:
    """They make a class without members for a value of several plain types, and one for each title."""
    for name, schema in DESCRIPTION["components"]["schemas"].items():
        for member, value in schema["properties"].items():
            assert "title" not in value, (name, member)
            assert all("$ref" in one or one == {"type": "null"} for one in value.get("anyOf", [])), (name, member)
    sent = DESCRIPTION["components"]["schemas"]["SentDocument"]["properties"]
    assert (sent["url"]["type"], sent["time"]["type"]) == (["string", "null"], ["string", "integer", "null"])
    rule = DESCRIPTION["components"]["schemas"]["ToldVerdict"]["properties"]["rule"]
    assert rule == {"type": ["string", "null"], "enum": ["identical", "lexical", "shingles", "near", None]}
    for path in ("/bulk/check", "/bulk/admit"):
        operation = DESCRIPTION["paths"][path]["post"]
        for content in (operation["requestBody"]["content"], operation["responses"]["200"]["content"]):
            assert {kind: one["schema"]["type"] for kind, one in content.items()} == {
                NDJSON: "string",
                BINARY: "string",
            }


def closed_components() -> dict[str, Any]:
    """Return the components, changed so that no object may have a field that is not described."""
    schemas = DESCRIPTION["components"]["schemas"].items()
    return {"schemas": {name: {**one, "additionalProperties": False} for name, one in schemas}}


def example_bodies(operation: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the example bodies with their content types, or one empty body if the operation takes none."""
    for sent, body in operation.get("requestBody", {"content": {"": {"example": ""}}})["content"].items():
        yield sent, body["example"] if isinstance(body["example"], str) else json.dumps(body["example"])


def example_parameters(operation: dict[str, Any]) -> dict[str, str]:
    """Return the example values of the parameters."""
    found = {}
    for parameter in operation.get("parameters", []):
        if "example" in parameter:
            found[parameter["name"]] = parameter["example"]
        for example in parameter.get("examples", {}).values():
            found[parameter["name"]] = example["value"]
    return found
