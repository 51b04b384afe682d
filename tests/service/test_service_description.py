"""The OpenAPI description: it is whole, and its examples are true."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from neardup.service.api.app import make_api
from neardup.service.api.description import NDJSON
from service_story import asking, make_store

DESCRIPTION = make_api().openapi()
OPERATIONS = [(path, method, told) for path, item in DESCRIPTION["paths"].items() for method, told in item.items()]
NAMES = [told["operationId"] for _, _, told in OPERATIONS]
each = pytest.mark.parametrize(("path", "method", "told"), OPERATIONS, ids=NAMES)


def bodies(told: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    yield from told.get("requestBody", {}).get("content", {}).items()


@each
def test_every_route_is_described(path: str, method: str, told: dict[str, Any]) -> None:
    assert told["summary"]
    assert told["description"].endswith(".")
    assert told["tags"]
    needs_token = told["operationId"] != "health"
    assert told.get("security", []) == ([{"HTTPBearer": []}] if needs_token else [])
    assert ("401" in told["responses"]) == needs_token
    assert {"400", "429", "503"} <= told["responses"].keys()
    assert ({"403", "413", "415", "422"} <= told["responses"].keys()) == (method == "post")
    [(kind, answer)] = told["responses"]["200"]["content"].items()
    assert answer["schema"]
    assert "example" in answer or kind == "text/plain"
    assert all("example" in body for _, body in bodies(told))
    assert all(parameter["description"] for parameter in told.get("parameters", []))


def test_refusals_are_problems() -> None:
    for name, told in DESCRIPTION["components"]["responses"].items():
        assert re.fullmatch(r"Problem4\d\d|Problem503", name)
        assert told["content"] == {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}


def test_the_description_is_served(tmp_path: Path) -> None:
    with asking(make_store(tmp_path / "store")) as client:
        served = client.get("/api/openapi.json").json()
    assert served == {**DESCRIPTION, "servers": [{"url": "/api"}]}


@each
def test_examples_are_true(path: str, method: str, told: dict[str, Any], tmp_path: Path) -> None:
    [(kind, answer)] = told["responses"]["200"]["content"].items()
    for number, (sent, example) in enumerate(asked(told)):
        # In JSON the names are members.
        names = {} if method == "post" and sent == "application/json" else named(told)
        with asking(make_store(tmp_path / str(number))) as client:
            found = client.request(method, f"/api{path}", params=names, content=example, headers={"Content-Type": sent})
        assert found.status_code == 200, found.text
        assert found.headers["content-type"].startswith(kind)
        if kind != "text/plain":
            judge = jsonschema_rs.validator_for({**answer["schema"], "components": closed()})
            for part in found.text.splitlines() if kind == NDJSON else [found.text]:
                judge.validate(json.loads(part))
            assert (found.text if kind == NDJSON else found.json()) == answer["example"]


def closed() -> dict[str, Any]:
    """Return the components where no object has a field that is not described."""
    schemas = DESCRIPTION["components"]["schemas"].items()
    return {"schemas": {name: {**one, "additionalProperties": False} for name, one in schemas}}


def asked(told: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the bodies of examples with their types; an empty one where nothing is sent."""
    for sent, body in told.get("requestBody", {"content": {"": {"example": ""}}})["content"].items():
        yield sent, body["example"] if isinstance(body["example"], str) else json.dumps(body["example"])


def named(told: dict[str, Any]) -> dict[str, str]:
    """Return the parameters of examples."""
    found = {}
    for parameter in told.get("parameters", []):
        if "example" in parameter:
            found[parameter["name"]] = parameter["example"]
        for example in parameter.get("examples", {}).values():
            found[parameter["name"]] = example["value"]
    return found
