"""Options of a new index, as the core takes them."""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from neardup.index.age import parse_age
from neardup.schemes.line import write_scheme
from neardup.schemes.plan import DEFAULT_RECALL, DEFAULT_THRESHOLD, plan_scheme

Policy = Literal["first", "earliest"]

PARTS = "words | shingles:5 | moduli:32 | each | containment>=0.5"
"""The scheme of parts when none is named: it fits the default scheme."""


class Setup(NamedTuple):
    """The options as the core takes them."""

    scheme: str
    parts: str | None
    policy: Policy
    ttl: int | None
    most: int | None
    folders: int | None


def set_up(options: Mapping[str, Any]) -> Setup:
    """Take the options of an index; `UsageError` names a wrong one and what is allowed."""
    parts, ttl = options.get("parts", False), options.get("ttl")
    part_line = None if parts is False else PARTS if parts is True else write_scheme(parts)
    age = None if ttl is None else parse_age(ttl)
    return Setup(
        _line(options), part_line, options.get("policy", "first"), age, options.get("most"), options.get("folders")
    )


def _line(options: Mapping[str, Any]) -> str:
    scheme, threshold, recall = options.get("scheme"), options.get("threshold"), options.get("recall")
    if scheme is None:
        return str(plan_scheme(threshold or DEFAULT_THRESHOLD, recall or DEFAULT_RECALL))
    return write_scheme(scheme, threshold, recall)
