"""How pages change, move, appear and go, counted over all sweeps."""

from collections import Counter
from os import PathLike, fspath
from statistics import median
from typing import NamedTuple

from neardup import _core
from neardup._core import __version__
from neardup.output.json import write_json
from neardup.sweeps.kinds import KINDS, MOVES, Kind, PageStep
from neardup.sweeps.moves import name_page
from neardup.sweeps.sightings import Sightings, Sweep

BINS = 10
"""Tenths of resemblance; one more bin holds the texts that share all their features."""
_DAY = 86_400


class Interval(NamedTuple):
    """What became of pages from one sweep to the next.

    `amount` counts changed texts by resemblance: at i those from i / 10 up to (i + 1) / 10, at 10 those whose features
    are all the same, as where only white space or punctuation changed. Blank texts are not counted there.
    """

    start: str
    end: str
    days: float
    pages: int
    """Of the later sweep."""
    kinds: dict[Kind, int]
    within: int
    """Moves inside one server."""
    between: int
    """Moves from one server to another."""
    amount: list[int]
    resemblance: float | None
    """The median of changed texts, for display."""


class Cohort(NamedTuple):
    """The pages first seen in one sweep, and how many of them each sweep from then on still has, moved or not.

    A page that comes back after it was gone counts as born anew.
    """

    date: str
    alive: list[int]


class Stats(NamedTuple):
    """The life of pages over all sweeps; pages are followed through their moves."""

    neardup: str
    scheme: str
    dates: list[str]
    times: list[int]
    """The same in Unix seconds."""
    pages: list[int]
    """Pages of each sweep."""
    texts: int
    """Distinct texts of all sweeps."""
    intervals: list[Interval]
    cohorts: list[Cohort]
    lives: int
    """Pages that were born in some sweep."""
    ended: int
    """Those that are gone by the last one."""
    lifetime: float | None
    """Days from the first sweep with a page to the last, the median of those that ended and were born after the first
    sweep; None when there are none."""
    changes: dict[int, int]
    """How often a page changed its text -> pages; of pages seen in two sweeps or more."""

    @property
    def json(self) -> str:
        """The numbers as JSON."""
        return write_json(self)


class _Life:
    """A page followed through its moves."""

    __slots__ = ("birth", "changes", "last")

    def __init__(self, birth: int) -> None:
        self.birth = self.last = birth
        self.changes = 0


def gather_stats(sightings: Sightings, scheme: str) -> Stats:
    """Count over all sweeps of a store."""
    sweeps = sightings.sweeps()
    living: dict[str, _Life] = {}
    lives: list[_Life] = []
    pages, intervals = [], []
    for place, sweep in enumerate(sweeps):
        urls = sightings.pages(sweep).keys()
        steps = list(sightings.steps(sweep))
        pages.append(len(urls))
        if place:
            intervals.append(_count(sweeps[place - 1], sweep, len(urls), steps))
        before = living
        came = {step.new: step for step in steps if step.new is not None}
        living = {}
        for url in urls:
            step = came.get(url)
            life = before.get(step.old or "" if step else url) if place else None
            if life is None:
                life = _Life(place)
                lives.append(life)
            life.last = place
            life.changes += step is not None and step.kind in ("changed", "moved+changed")
            living[url] = life
    ended = [life for life in lives if life.last < len(sweeps) - 1]
    spans = [sweeps[life.last].time - sweeps[life.birth].time for life in ended if life.birth]
    return Stats(
        neardup=__version__,
        scheme=scheme,
        dates=[sweep.date for sweep in sweeps],
        times=[sweep.time for sweep in sweeps],
        pages=pages,
        texts=sightings.count("text"),
        intervals=intervals,
        cohorts=_count_cohorts(lives, sweeps),
        lives=len(lives),
        ended=len(ended),
        lifetime=median(spans) / _DAY if spans else None,
        changes=dict(sorted(Counter(life.changes for life in lives if life.last > life.birth).items())),
    )


def _count(old: Sweep, new: Sweep, pages: int, steps: list[PageStep]) -> Interval:
    kinds = Counter(step.kind for step in steps)
    kinds["same"] = pages - sum(step.new is not None for step in steps)
    moves = [(step.old, step.new) for step in steps if step.kind in MOVES]
    between = sum(name_page(one or "").server != name_page(other or "").server for one, other in moves)
    overlaps = [step.overlap.exact for step in steps if step.overlap is not None]
    bins = Counter(overlap.numerator * BINS // overlap.denominator for overlap in overlaps)
    return Interval(
        start=old.date,
        end=new.date,
        days=(new.time - old.time) / _DAY,
        pages=pages,
        kinds={kind: kinds[kind] for kind in KINDS},
        within=len(moves) - between,
        between=between,
        amount=[bins[place] for place in range(BINS + 1)],
        resemblance=float(median(overlaps)) if overlaps else None,
    )


def _count_cohorts(lives: list[_Life], sweeps: list[Sweep]) -> list[Cohort]:
    """Count the living by birth; a life has no gaps."""
    ends = Counter((life.birth, life.last) for life in lives)
    cohorts = []
    for birth, sweep in enumerate(sweeps):
        left = sum(ends[birth, last] for last in range(birth, len(sweeps)))
        alive = []
        for last in range(birth, len(sweeps)):
            alive.append(left)
            left -= ends[birth, last]
        cohorts.append(Cohort(sweep.date, alive))
    return cohorts


MARK = 'name="generator" content="neardup sweep stats"'
"""What such a page has in its head."""


def write_report(stats: Stats, output: str | PathLike[str], *, overwrite: bool = False) -> None:
    """Write statistics as one HTML page with plots, which loads nothing.

    Raises `UsageError` for a file that is there already, unless it is to be replaced, and `EnvironmentFault`.
    """
    page = _core.sweeps_page(stats.json)
    _core.write_output(fspath(output), page, "a page of sweep stats", MARK, overwrite)
