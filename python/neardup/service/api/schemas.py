"""Schemas as generators of clients understand them.

A generator makes a class for each schema with a title, and for each `anyOf`, even if that is a text or null. So a value
that may be missing or of several plain types is one schema with a list of types, of which a generator may take the
first.
"""

from typing import Any

_TITLE = "title"


def simplify(node: Any) -> Any:
    """Return a description with the schemas of all values in this form; what they allow stays the same."""
    if isinstance(node, list):
        return [simplify(one) for one in node]
    if not isinstance(node, dict):
        return node
    members = {name: _simplify_properties(one) if name == "properties" else simplify(one) for name, one in node.items()}
    if "type" in members or "anyOf" in members:
        members.pop(_TITLE, None)
    return _merge(members)


def _simplify_properties(properties: dict[str, Any]) -> dict[str, Any]:
    # a property may itself be called title
    return {name: simplify(one) for name, one in properties.items()}


def _merge(members: dict[str, Any]) -> dict[str, Any]:
    """Merge alternatives of plain types, each with conditions that hold for its type only, to one schema."""
    alternatives = members.get("anyOf", [])
    types = [one.get("type") for one in alternatives]
    if not alternatives or not all(isinstance(kind, str) for kind in types) or len(set(types)) < len(types):
        return members
    merged: dict[str, Any] = {name: one for name, one in members.items() if name != "anyOf"}
    for one in alternatives:
        merged |= {name: value for name, value in one.items() if name != "type"}
    if "enum" in merged and "null" in types:
        merged["enum"] = [*merged["enum"], None]
    # a text writes any value, so it comes first
    return merged | {"type": sorted(types, key=lambda kind: (kind == "null", kind != "string"))}
