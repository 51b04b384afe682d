"""Options that were given, and those of them that would do nothing as a command is called, which are refused."""

from collections.abc import Iterable

import click
from click.core import ParameterSource

from neardup.errors import UsageError


def is_given(name: str) -> bool:
    """Return whether the command line has the option with this name."""
    return click.get_current_context().get_parameter_source(name) not in (None, ParameterSource.DEFAULT)


def refuse_needless(names: Iterable[str], why: str) -> None:
    """Raise `UsageError` when the command line has any of the options with these names."""
    given = set(filter(is_given, names))
    flags = [parameter.opts[-1] for parameter in click.get_current_context().command.params if parameter.name in given]
    if flags:
        raise UsageError(f"{', '.join(flags)}: {why}")
