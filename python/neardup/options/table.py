"""The table of options: name, type, default, verbs and help of each, stated once.

The command line and the checks read it when they run. `make docs` writes from it the parameters of the verbs and their
docstrings, the options of a job in the core and in its stub, and the table in docs/reference/python.md. The order of
the rows is the order of the parameters and of `--help`.
"""

from collections.abc import Iterator
from typing import Any

from neardup.options.finished import EVALUATING, FINISHED
from neardup.options.index import ASKING, CREATING, OPENING, SERVING, STORING
from neardup.options.matching import MATCHING
from neardup.options.option import Option
from neardup.options.reading import READING
from neardup.options.results import OUTPUT, OVERWRITE, WRITING
from neardup.options.reviewing import REVIEWING
from neardup.options.running import CORE_ONLY, REPORTING, RESOURCES
from neardup.options.urls import URLS

OPTIONS: tuple[Option, ...] = (
    *OUTPUT,
    *FINISHED,
    *MATCHING,
    *CREATING,
    *EVALUATING,
    *REVIEWING,
    *OPENING,
    *STORING,
    *ASKING,
    *SERVING,
    *URLS,
    *READING,
    *WRITING,
    *RESOURCES,
    *OVERWRITE,
    *REPORTING,
    *CORE_ONLY,
)


def options_of(*verbs: str) -> Iterator[Option]:
    """Return the options of verbs, in the order of the table."""
    return (option for option in OPTIONS if not set(verbs).isdisjoint(option.verbs))


def default_of(verb: str, name: str) -> Any:
    """Return the default of an option of a verb."""
    return _named(verb, name).default


def choices_of(verb: str, name: str) -> tuple[str, ...]:
    """Return the values that an option of a verb allows."""
    return _named(verb, name).choices


def _named(verb: str, name: str) -> Option:
    return next(option for option in options_of(verb) if option.name == name)
