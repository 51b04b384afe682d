"""The extractors of the main content of HTML, by name and version."""

from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple

from neardup._core import __version__
from neardup.allowed import show
from neardup.errors import EnvironmentFault, UsageError

AUTO = "auto"
LIBRARIES = {"resiliparse": "html", "trafilatura": "trafilatura"}
"""Extractors that are libraries, with the extra that installs each."""
NAMES = (AUTO, *LIBRARIES)
FIRST = "resiliparse"
"""The extractor of all runs, indexes and stores that name none: there was no other."""
VERSION = 1
"""Version of `auto`. Another one may extract another text."""
_WITH_THEM = ("selectolax", "lxml", "lxml-html-clean", "justext")
"""Packages of which another version may let an extractor return another text."""


class Extracted(NamedTuple):
    """The text of a page, or the reason why there is none."""

    text: str | None = None
    reason: str | None = None
    flaw: str | None = None
    """Why the text is another one than was asked for."""


ExtractTexts = Callable[[list[str]], list[Extracted]]
"""Returns the text of each page of HTML."""


def label_of(name: str) -> str:
    """Return the name of an extractor with its version, as runs and indexes state it.

    Raises `UsageError` for an unknown name, `EnvironmentFault` for a library that is not installed.
    """
    if name == AUTO:
        return f"{AUTO} {VERSION}"
    if name not in LIBRARIES:
        raise UsageError(f"extractor is {show(name)}; allowed are {', '.join(NAMES)}")
    # most commands need neither it nor the milliseconds of its import
    from importlib.metadata import PackageNotFoundError, version

    try:
        # a release that mends errors keeps the first two numbers
        return f"{name} {'.'.join(version(name).split('.')[:2])}"
    except PackageNotFoundError as error:
        raise missing(name) from error


def state_versions(label: str | None) -> str:
    """Return the extractor `label`, and the versions of everything else on which the text of a page depends."""
    from importlib.metadata import PackageNotFoundError, version

    versions = [f"{label or 'whole page'}", f"neardup {__version__}"]
    for name in (*LIBRARIES, *_WITH_THEM):
        # an extra that is not installed extracts nothing
        with suppress(PackageNotFoundError):
            versions.append(f"{name} {version(name)}")
    return ", ".join(versions)


def missing(name: str) -> EnvironmentFault:
    """Return the error about a library that is not installed."""
    return EnvironmentFault(
        f"the extractor {name} needs an extra library: pip install 'neardup[{LIBRARIES.get(name, 'html')}]'"
    )


def name_in(label: str | None) -> str:
    """Return the name of the extractor that a run, an index or a store states."""
    return FIRST if label is None else label.partition(" ")[0]


def check_label(label: str | None, asked: str | None, place: str) -> str:
    """Return the name of the extractor with which texts are added to what has those of another call.

    Args:
        label: What the index or the store at `place` states.
        asked: The extractor that is asked for, if any.
        place: Its path, for messages.

    Raises:
        UsageError: Another extractor or another version is asked for, as their texts cannot be mixed.
    """
    name = name_in(label)
    if asked is not None and asked != name:
        raise UsageError(
            f"{place}: its main content is taken by {label or name}, not by {asked}, and texts of two extractors do "
            "not mix: make another one"
        )
    if label is not None and label != label_of(name):
        raise UsageError(
            f"{place}: its main content was taken by {label}, and this is {label_of(name)}: make it anew, as texts of "
            "two versions do not mix"
        )
    return name
