"""Requests drawn from the OpenAPI description, right and wrong ones: no fault, and answers as they are described."""

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest
import requests
from hypothesis import HealthCheck, given, settings

from neardup.service.answers import Problem
from service_story import Running, make_store, running

if TYPE_CHECKING:
    # it takes seconds to import, which every worker would wait for
    from schemathesis import Case
    from schemathesis.schemas import BaseSchema


def write_line(_: Any, value: Any) -> bytes:
    """Write a value as a line, between two that are right."""
    return b'{"text": "one"}\n%s\n{"text": "two"}' % json.dumps(value).encode()


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
def schema() -> "BaseSchema":
    """What the service says of itself."""
    import schemathesis

    from neardup.service.api.app import make_api
    from neardup.service.api.description import NDJSON

    schemathesis.serializer(NDJSON)(write_line)
    schemathesis.deserializer(NDJSON)(read_line)
    return schemathesis.openapi.from_dict(make_api().openapi())


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
    """Each operation is asked, in the deep tier more often."""
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
