"""Options that would do nothing as a command is called: refused, so that nobody believes that they did."""

from collections.abc import Iterable

import click
from click.core import ParameterSource

from neardup.errors import UsageError


def refuse_needless(names: Iterable[str], why: str) -> None:
    """Raise `UsageError` when the command line has any of the options with these names."""
    context = click.get_current_context()
    wanted = set(names)
    given = [
        parameter.opts[-1]
        for parameter in context.command.params
        if parameter.name in wanted and context.get_parameter_source(parameter.name) is not ParameterSource.DEFAULT
    ]
    if given:
        raise UsageError(f"{', '.join(given)}: {why}")
