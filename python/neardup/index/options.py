"""Options of a new index, as the core takes them."""

import re
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from neardup.allowed import show
from neardup.corpus.extractors import AUTO, label_of
from neardup.errors import UsageError
from neardup.schemes.defaults import DEFAULT_RECALL, DEFAULT_THRESHOLD
from neardup.schemes.line import write_scheme
from neardup.schemes.plan import plan_scheme

_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800, "y": 31_557_600}


def parse_age(age: int | str) -> int:
    """Read a number of seconds, or a number with s, m, h, d, w or y; a year has 365.25 days."""
    # a number with more digits is too large in any unit
    match = re.fullmatch(r"\s*(\d{1,20})([smhdwy]?)\s*", str(age))
    seconds = int(match[1]) * _UNITS[match[2] or "s"] if match else 0
    if not 0 < seconds < 2**62:
        raise UsageError(f"ttl is {show(age)}; it is written as seconds, or as 90s, 15m, 12h, 30d, 2w, 1y")
    return seconds


Policy = Literal["first", "earliest"]
PARTS = "words | shingles:5 | moduli:32 | each | containment>=0.5"
"""Default scheme of parts; it fits the default scheme."""


class Setup(NamedTuple):
    """The options as the core takes them."""

    scheme: str
    parts: str | None
    policy: Policy
    ttl: int | None
    most: int | None
    folders: int | None
    extractor: str
    """Name and version of the extractor of main content."""


def set_up(options: Mapping[str, Any]) -> Setup:
    """Convert the options of an index; `UsageError` names a wrong one and what is allowed."""
    parts, ttl = options.get("parts", False), options.get("ttl")
    part_line = None if parts is False else PARTS if parts is True else write_scheme(parts)
    age = None if ttl is None else parse_age(ttl)
    asked = options.get("extractor") or AUTO
    # an index that is made again keeps the version of its texts
    extractor = asked if " " in asked else label_of(asked)
    policy, most, folders = options.get("policy", "first"), options.get("most"), options.get("folders")
    return Setup(_line(options), part_line, policy, age, most, folders, extractor)


def _line(options: Mapping[str, Any]) -> str:
    scheme, threshold, recall = options.get("scheme"), options.get("threshold"), options.get("recall")
    if scheme is None:
        return str(plan_scheme(threshold or DEFAULT_THRESHOLD, recall or DEFAULT_RECALL))
    return write_scheme(scheme, threshold, recall)
