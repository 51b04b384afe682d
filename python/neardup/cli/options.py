"""Options of commands, made from the table of options."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

from neardup.options.option import Option
from neardup.options.table import options_of

F = TypeVar("F", bound=Callable[..., Any])

inputs_argument = click.argument("inputs", nargs=-1, required=True, metavar="INPUT...")
"""The documents of a verb."""


def options_for(*verbs: str) -> Callable[[F], F]:
    """Add the options of its verb to a command, in the order of the table; some commands have those of two."""

    def give(command: F) -> F:
        for option in reversed([option for option in options_of(*verbs) if option.in_commands]):
            command = _click_option(option)(command)
        return command

    return give


def _click_option(option: Option) -> Callable[[F], F]:
    """Make an option of click."""
    names = ["-o", option.long_flag] if option.name == "output" else [option.long_flag]
    defaults = {} if option.default in (None, ()) else {"default": option.default}
    return click.option(
        *names,
        option.name,
        type=_click_type(option),
        metavar=option.metavar,
        is_flag=option.is_flag,
        multiple=option.is_list,
        required=option.is_required,
        help=option.help_for_command(),
        **({"default": False} if option.is_flag else defaults),
    )


def _click_type(option: Option) -> Any:
    """Return the type that click checks; None is text, or a flag."""
    if option.choices:
        return click.Choice(option.choices)
    if option.is_count:
        return click.IntRange(option.least, option.most)
    if option.name == "output":
        return click.Path(file_okay=option.metavar == "FILE")
    return None
