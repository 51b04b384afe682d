"""Clients that are generated from the OpenAPI description work as they are: they add, query, send lines and remove."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from generators import generate_python, generate_typescript, run
from service_story import WRITER, make_store, running, write_tokens

CLIENTS = Path(__file__).parent / "clients"
STORY: dict[str, Any] = {
    "kind": "new",
    "rule": None,
    "hits": [["rice", "2026-03-09T00:00:00Z"]],
    "checked": ["duplicate", None, "new"],
    "admitted": ["duplicate", None, "new"],
    "shown": ["drop", "rice", None, True],
    "missing": [404, "there is no document of this id"],
    "removed": ["again", "bread"],
}


def tell(tmp_path: Path, *program: str | Path) -> Any:
    """Return what a program on a client was answered by a running service."""
    tokens = write_tokens(tmp_path / "tokens")
    with running(make_store(tmp_path / "store", sweeps=False), "--tokens", tokens) as server:
        return json.loads(run(*program, server.address, WRITER))


def test_the_client_of_openapi_python_client(tmp_path: Path) -> None:
    folder = generate_python(tmp_path)
    code = (
        f"import runpy, sys; sys.path.insert(0, {str(folder)!r}); runpy.run_path(sys.argv.pop(1), run_name='__main__')"
    )
    assert tell(tmp_path, sys.executable, "-c", code, CLIENTS / "story.py") == STORY


@pytest.mark.deep("the client of Python sends the same requests, and this one needs Java, Maven and npm")
def test_the_client_of_openapi_generator_for_typescript(tmp_path: Path) -> None:
    program = generate_typescript(tmp_path, CLIENTS / "story.ts")
    assert tell(tmp_path, "node", program) == STORY
