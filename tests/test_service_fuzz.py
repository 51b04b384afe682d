"""Requests drawn from the OpenAPI description, right and wrong ones: no fault, and answers as they are described."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from neardup.service.api.app import make_api
from neardup.service.api.description import NDJSON
from neardup.service.problem import Problem
from service_story import Running, make_store, running

CHECKS = [not_a_server_error, response_schema_conformance, status_code_conformance, content_type_conformance]
schema = schemathesis.openapi.from_dict(make_api().openapi())


@schemathesis.serializer(NDJSON)
def write_line(_: Any, value: Any) -> bytes:
    """Write a value as a line, between two that are right."""
    return b'{"text": "one"}\n%s\n{"text": "two"}' % json.dumps(value).encode()


@schemathesis.deserializer(NDJSON)
def read_line(_: Any, answer: Any) -> Any:
    """Read the answer to that line: its neighbours are answered whatever it is."""
    if not answer.content:
        # no line came, which is no fault
        return Problem(status=200, title="", detail="").model_dump()
    first, told, last = map(json.loads, answer.content.splitlines())
    assert "verdict" in first
    assert "verdict" in last
    return told


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(make_store(tmp_path_factory.mktemp("store"))) as server:
        yield server


@pytest.fixture(scope="module")
def session() -> Iterator[requests.Session]:
    with requests.Session() as session:
        yield session


@schema.parametrize()
@settings(derandomize=True, max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
def test_answers_are_as_described(case: schemathesis.Case[Any], server: Running, session: requests.Session) -> None:
    case.call_and_validate(base_url=f"{server.address}/api", session=session, checks=CHECKS)
