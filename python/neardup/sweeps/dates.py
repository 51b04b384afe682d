"""Dates of sweeps, as callers give them."""

from collections.abc import Sequence
from pathlib import Path
from typing import cast

from neardup import _core
from neardup.errors import UsageError
from neardup.sweeps.database import OPEN
from neardup.sweeps.sightings import Sweep

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


def find_sweep(sweeps: Sequence[Sweep], date: str | int, store: Path) -> Sweep:
    """Return the sweep of a date, among all of a store. Raises `UsageError` if there is none."""
    time = read_date(date)
    found = next((sweep for sweep in sweeps if sweep.time == time), None)
    if found is None:
        there = ", ".join(sweep.date for sweep in sweeps)
        allowed = f"its sweeps are of {there}" if there else "it has no sweeps"
        raise UsageError(f"{store}: there is no sweep of {date}; {allowed}")
    return found


def find_span(sweeps: Sequence[Sweep], start: str | int | None, end: str | int | None, store: Path) -> tuple[int, int]:
    """Return the times of the sweeps of two dates, or times that no sweep reaches in place of None.

    Raises `UsageError` if there is no sweep of a date, or if `start` is not before `end`.
    """
    first = None if start is None else find_sweep(sweeps, start, store)
    last = None if end is None else find_sweep(sweeps, end, store)
    if first is not None and last is not None and first.time >= last.time:
        raise UsageError(f"changes lead from one sweep to a later one: {first.date} is not before {last.date}")
    return first.time if first else -OPEN, last.time if last else OPEN
