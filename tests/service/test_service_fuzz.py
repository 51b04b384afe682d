"""Valid and invalid requests drawn from the OpenAPI description: no server error, and answers as described."""

import json
from collections.abc import Iterator
from copy import deepcopy
from typing import TYPE_CHECKING, Any

import pytest
import requests
from hypothesis import HealthCheck, given, settings

from neardup.service.answers import Problem
from service_story import Running, make_store, running

if TYPE_CHECKING:
    # importing it takes seconds, for which every worker would wait
    from schemathesis import Case
    from schemathesis.schemas import BaseSchema


def write_line(_: Any, value: Any) -> bytes:
    """Write a value as a line between two valid lines."""
    return b'{"text": "one"}\n%s\n{"text": "two"}' % json.dumps(value).encode()


def read_line(_: Any, answer: Any) -> Any:
    """Read the answer to that line; the lines around it get their answers whatever it contains."""
    if not answer.content:
        # no line arrived, which is not an error
        return Problem(status=200, title="", detail="").model_dump()
    first, middle, last = map(json.loads, answer.content.splitlines())
    assert "verdict" in first
    assert "verdict" in last
    return middle


@pytest.fixture(scope="module")
def schema() -> "BaseSchema":
    """The OpenAPI description of the service, with its line format registered."""
    import schemathesis

    from neardup.service.api.app import make_api
    from neardup.service.api.description import NDJSON

    schemathesis.serializer(NDJSON)(write_line)
    schemathesis.deserializer(NDJSON)(read_line)
    description = deepcopy(make_api().openapi())
    for path in ("/bulk/check", "/bulk/admit"):
        operation = description["paths"][path]["post"]
        for described in (operation["requestBody"], operation["responses"]["200"]):
            line = described["content"][NDJSON]["schema"]["x-line"]
            described["content"] = {NDJSON: {"schema": line}}
    return schemathesis.openapi.from_dict(description)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(make_store(tmp_path_factory.mktemp("store"))) as server:
        yield server


@pytest.fixture(scope="module")
def session() -> Iterator[requests.Session]:
    with requests.Session() as session:
        yield session


def test_answers_are_as_described(
    schema: "BaseSchema", server: Running, session: requests.Session, *, deep: bool
) -> None:
    """Sends requests to each operation, more of them in the deep tier."""
    from schemathesis.checks import not_a_server_error
    from schemathesis.core.result import Ok
    from schemathesis.specs.openapi.checks import (
        content_type_conformance,
        response_schema_conformance,
        status_code_conformance,
    )

    checks = [not_a_server_error, response_schema_conformance, status_code_conformance, content_type_conformance]
    operations = list(schema.get_all_operations())
    assert len(operations) > 10
    for found in operations:
        assert isinstance(found, Ok), found

        @settings(
            derandomize=True, max_examples=15 if deep else 2, deadline=None, suppress_health_check=list(HealthCheck)
        )
        @given(found.ok().as_strategy())
        def ask(case: "Case[Any]") -> None:
            case.call_and_validate(base_url=f"{server.address}/api", session=session, checks=checks)

        ask()
