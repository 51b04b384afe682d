"""The page about a store of sweeps."""

from os import PathLike, fspath

from neardup import _core
from neardup.sweeps.stats import Stats

MARK = 'name="generator" content="neardup sweep stats"'
"""What such a page has in its head."""


def write_report(stats: Stats, output: str | PathLike[str], *, overwrite: bool = False) -> None:
    """Write statistics as one HTML page with plots, which loads nothing.

    Raises `UsageError` for a file that is there already, unless it is to be replaced, and `EnvironmentFault`.
    """
    page = _core.sweeps_page(stats.json)
    _core.write_output(fspath(output), page, "a page of sweep stats", MARK, overwrite)
