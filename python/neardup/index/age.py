"""Ages: how long a document counts."""

import re

from neardup.allowed import show
from neardup.errors import UsageError

_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800, "y": 31_557_600}


def parse_age(age: int | str) -> int:
    """Read a number of seconds, or a number with s, m, h, d, w or y; a year has 365.25 days."""
    # what has more digits is too much in any unit
    match = re.fullmatch(r"\s*(\d{1,20})([smhdwy]?)\s*", str(age))
    seconds = int(match[1]) * _UNITS[match[2] or "s"] if match else 0
    if not 0 < seconds < 2**62:
        raise UsageError(f"ttl is {show(age)}; it is written as seconds, or as 90s, 15m, 12h, 30d, 2w, 1y")
    return seconds
