"""A page about changes: a timeline, and some steps of each kind."""

from typing import NamedTuple

from neardup._core import __version__
from neardup.output.json import write_json
from neardup.sweeps.changes import Changes, ListedStep
from neardup.sweeps.kinds import Kind

MOST = 1000
"""Number of steps of one kind on the page, shared by the intervals; each interval shows at least one."""
_OF_AN_INTERVAL = 200


class StepList(NamedTuple):
    """The number of steps of one kind from one sweep to the next, and the first of them by URL."""

    total: int
    steps: list[ListedStep]


class ChangedInterval(NamedTuple):
    """The steps from one sweep to the next, with a list for each kind."""

    lists: list[StepList]


class ChangeReport(NamedTuple):
    """The content of the page."""

    neardup: str
    dates: list[str]
    times: list[int]
    """The dates in Unix seconds."""
    kinds: tuple[Kind, ...]
    most: int
    """Largest number of steps in a list."""
    intervals: list[ChangedInterval]

    @property
    def json(self) -> str:
        """The content as JSON."""
        return write_json(self._replace(kinds=list(self.kinds)))  # type: ignore[arg-type]


def gather_report(changes: Changes) -> ChangeReport:
    """Read the content of the page. Its size is bounded, however many steps there are."""
    counts = changes.counts()
    most = max(1, min(_OF_AN_INTERVAL, MOST // max(len(counts), 1)))
    intervals = [
        ChangedInterval([StepList(total, list(changes.first(place, kind, most))) for kind, total in one.kinds.items()])
        for place, one in enumerate(counts)
    ]
    dates, times = [one.date for one in changes.span], [one.time for one in changes.span]
    return ChangeReport(__version__, dates, times, changes.kinds, most, intervals)
