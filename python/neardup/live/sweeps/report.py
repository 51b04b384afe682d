"""The page about a store of sweeps."""

from os import PathLike
from pathlib import Path

from neardup import _core
from neardup.errors import EnvironmentFault, UsageError
from neardup.live.sweeps.stats import Stats


def write_report(stats: Stats, output: str | PathLike[str], *, overwrite: bool = False) -> None:
    """Write statistics as one HTML page with plots, which loads nothing.

    Raises `UsageError` for a file that is there already, unless it is to be replaced, and `EnvironmentFault`.
    """
    target = Path(output)
    if target.exists() and not overwrite:
        raise UsageError(f"{target}: the file is there already; give another name, or --overwrite")
    page = _core.sweeps_page(stats.json)
    try:
        target.write_text(page, encoding="utf-8")
    except OSError as error:
        raise EnvironmentFault(f"{target} cannot be written: {error.strerror}") from error
