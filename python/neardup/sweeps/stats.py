"""Statistics of all sweeps: how pages change, move, appear and vanish."""

from collections import Counter
from statistics import median
from typing import NamedTuple

from neardup._core import __version__
from neardup.output.json import write_json
from neardup.sweeps.kinds import KINDS, MOVES, STUB, Kind, PageStep
from neardup.sweeps.moves import name_page
from neardup.sweeps.sightings import Sightings, Sweep

BINS = 10
"""Number of bins of resemblance, each a tenth wide; one more bin counts the texts that share all their features."""
_DAY = 86_400


class Interval(NamedTuple):
    """Changes of pages from one sweep to the next.

    `amount` is a histogram of changed texts by resemblance: bin i counts those from i / 10 up to (i + 1) / 10, and bin
    10 those whose features are all the same, for example because only white space or punctuation changed. Blank texts
    are not counted.
    """

    start: str
    end: str
    days: float
    pages: int
    """Number of pages of the later sweep."""
    kinds: dict[Kind, int]
    within: int
    """Number of moves inside one server."""
    between: int
    """Number of moves from one server to another."""
    amount: list[int]
    resemblance: float | None
    """Median resemblance of changed texts, for display."""
    stubs: int
    """Number of URLs with a new text that is no page."""


class Cohort(NamedTuple):
    """The pages first seen in one sweep.

    `alive` is the number of them in each sweep from that one on, moved or not. A page that returns after it was gone
    counts as a new one.
    """

    date: str
    alive: list[int]


class Stats(NamedTuple):
    """Statistics of pages over all sweeps; pages are followed through their moves."""

    neardup: str
    scheme: str
    dates: list[str]
    times: list[int]
    """The dates in Unix seconds."""
    pages: list[int]
    """Number of pages of each sweep."""
    texts: int
    """Number of distinct texts of all sweeps."""
    intervals: list[Interval]
    cohorts: list[Cohort]
    lives: int
    """Number of pages that were born in some sweep."""
    ended: int
    """Number of these pages that are gone by the last sweep."""
    lifetime: float | None
    """Median number of days from the first to the last sweep with a page, over the pages that ended and were born after
    the first sweep; None if there are none."""
    changes: dict[int, int]
    """Number of changes of the text -> number of pages with that many changes, over pages seen in two sweeps or
    more."""

    @property
    def json(self) -> str:
        """The statistics as JSON."""
        return write_json(self)


class _Life:
    """A page followed through its moves."""

    __slots__ = ("birth", "changes", "last")

    def __init__(self, birth: int) -> None:
        self.birth = self.last = birth
        self.changes = 0


def gather_stats(sightings: Sightings, scheme: str) -> Stats:
    """Compute the statistics of all sweeps of a store."""
    sweeps = sightings.sweeps()
    living: dict[str, _Life] = {}
    lives: list[_Life] = []
    stubs: set[str] = set()
    pages, intervals = [], []
    for place, sweep in enumerate(sweeps):
        urls = sightings.pages(sweep).keys()
        steps = list(sightings.steps(sweep))
        pages.append(len(urls))
        if place:
            intervals.append(_count(sweeps[place - 1], sweep, len(urls), steps))
        before = living
        steps_by_url = {step.new: step for step in steps if step.new is not None}
        stubs = {url for url in stubs if url in urls and url not in steps_by_url}
        stubs |= {url for url, step in steps_by_url.items() if step.remark == STUB}
        living = {}
        for url in urls - stubs:
            step = steps_by_url.get(url)
            origin = url if step is None else step.old if step.kind != "replaced" else None
            life = before.get(origin or "") if place else None
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
        stubs=sum(step.new is not None and step.remark == STUB for step in steps),
    )


def _count_cohorts(lives: list[_Life], sweeps: list[Sweep]) -> list[Cohort]:
    """Count the living pages by the sweep of their birth; a life has no gaps."""
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
