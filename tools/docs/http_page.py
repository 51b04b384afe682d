"""The requests of the service, for the reference."""

import json
from typing import Any

from neardup.service.api.app import make_api

_JSON = "application/json"


def write_requests() -> str:
    """Write a section for each request: its effect, its parameters, and an example of a body and an answer."""
    paths: dict[str, dict[str, Any]] = make_api().openapi()["paths"]
    sections = [
        _write_request(f"{verb.upper()} /api{path}", request)
        for path, requests in paths.items()
        for verb, request in requests.items()
    ]
    return "\n".join(sections)


def _write_request(title: str, request: dict[str, Any]) -> str:
    lines = [f"### {title}", "", request["description"], ""]
    if parameters := request.get("parameters", []):
        lines += [*(f"- `{one['name']}`: {one['description']}" for one in parameters), ""]
    sent = request.get("requestBody", {}).get("content", {})
    if sent:
        lines += [f"Takes {', '.join(sent)}.", "", *_write_example(sent)]
    lines += _write_example(request["responses"]["200"].get("content", {}), "Answer:")
    return "\n".join(lines)


def _write_example(content: dict[str, Any], before: str = "") -> list[str]:
    example = content.get(_JSON, {}).get("example")
    if example is None:
        return []
    written = json.dumps(example, ensure_ascii=False, indent=1)
    return [*([before, ""] if before else []), "```text", written, "```", ""]
