"""Dates of sweeps, as callers give them."""

from typing import cast

from neardup import _core
from neardup.errors import UsageError

FURTHEST = 253_402_300_799
"""Largest number of seconds that a time may be from 1970, either way: the end of the year 9999."""


def read_date(date: str | int) -> int:
    """Return a date in Unix seconds.

    Raises `UsageError` for an invalid date, and for one that is more than `FURTHEST` seconds from 1970.
    """
    is_seconds = type(date) is int and -(2**63) <= date < 2**63
    time = cast(int, date) if is_seconds else _core.parse_time(str(date))
    if abs(time) > FURTHEST:
        raise UsageError(
            f"the time {date} is more than {FURTHEST} seconds from 1970, which is the end of the year 9999: "
            "are they milliseconds? divide by 1000"
        )
    return time
