"""Removing a sweep: its pages, the texts that only it has, and the steps from it and to it."""

from typing import NamedTuple

from neardup.sweeps.addition import record_later_steps, record_steps
from neardup.sweeps.evidence import TextEvidence
from neardup.sweeps.kinds import Kind
from neardup.sweeps.sightings import Sightings, Sweep


class Removed(NamedTuple):
    """Counts of a sweep that was removed: its pages, and the texts that no other sweep has."""

    date: str
    pages: int
    texts: int
    kinds: dict[Kind, int] | None
    """Number of pages of each kind from the sweep before to the one after, which are neighbours now; None if one of
    them is missing."""


def remove_sweep(sightings: Sightings, evidence: TextEvidence, sweep: Sweep) -> Removed:
    """Remove a sweep, inside a transaction of `sightings`."""
    before, after = sightings.neighbours(sweep)
    pages, texts = sightings.count_pages(sweep), sightings.count("text")
    sightings.remove_sweep(sweep)
    kinds = None if before is None or after is None else record_steps(sightings, evidence, after)
    record_later_steps(sightings, evidence, sweep if after is None else after)
    return Removed(sweep.date, pages, texts - sightings.count("text"), kinds)
