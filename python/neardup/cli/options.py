"""Options and inputs of commands, made from the table of options."""

import sys
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.core import ParameterSource

from neardup.errors import UsageError
from neardup.options.option import Option
from neardup.options.table import options_of

if TYPE_CHECKING:
    from neardup.urls.urls import UrlRules
F = TypeVar("F", bound=Callable[..., Any])
inputs_argument = click.argument("inputs", nargs=-1, required=True, metavar="INPUT...")
"""Argument with the documents of a verb."""


def options_for(*verbs: str) -> Callable[[F], F]:
    """Add the options of one or more verbs to a command, in the order of the table."""

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
        callback=_refuse_stdout if option.name == "output" and "dedup" not in option.verbs else None,
        **({"default": False} if option.is_flag else defaults),
    )


def _refuse_stdout(context: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    """Refuse the name that means the standard output; only dedup writes to it."""
    if value == "-":
        raise click.BadParameter(
            "only dedup writes to the standard output; a file of this name is ./-", context, parameter
        )
    return value


def _click_type(option: Option) -> Any:
    """Return the type that click checks; None is text, or a flag."""
    if option.choices:
        return click.Choice(option.choices)
    if option.is_count:
        return click.IntRange(option.least, option.most)
    if option.name == "output":
        return click.Path(file_okay=option.metavar == "FILE")
    return None


SKIPPED = 3
"""The exit code of a command that skipped records."""
DUPLICATES = 4
"""The exit code of `gate admit` and `gate check` if a document is a duplicate, and no record was skipped."""


def choose_rules(
    merge_scheme: bool, merge_www: bool, drop_parameter: tuple[str, ...], keep_parameter: tuple[str, ...]
) -> "UrlRules":
    """Return the default rules with the changes that the options ask for."""
    from neardup.urls.urls import DEFAULT_RULES

    return DEFAULT_RULES._replace(
        merge_scheme=merge_scheme,
        merge_www=merge_www,
        tracking_parameters=DEFAULT_RULES.tracking_parameters | {name.lower() for name in drop_parameter},
        kept_parameters=frozenset(name.lower() for name in keep_parameter),
    )


def end_with(rejected: int, *, duplicates: int = 0) -> None:
    """End with code 3 when records or pages were skipped, or else with 4 when documents are duplicates."""
    if rejected or duplicates:
        sys.exit(SKIPPED if rejected else DUPLICATES)


def is_given(name: str) -> bool:
    """Return whether the command line has the option with this name."""
    return click.get_current_context().get_parameter_source(name) not in (None, ParameterSource.DEFAULT)


def refuse_needless(names: Iterable[str], why: str) -> None:
    """Raise `UsageError` when the command line has any of the options with these names."""
    given = set(filter(is_given, names))
    flags = [parameter.opts[-1] for parameter in click.get_current_context().command.params if parameter.name in given]
    if flags:
        raise UsageError(f"{', '.join(flags)}: {why}")


class InputName:
    """A path as it was typed. It is no `str`, because the verbs take a list of `str` as texts.

    A `pathlib.Path` would change it ("./docs.jsonl"), and takes several milliseconds to import.
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def __fspath__(self) -> str:
        return self._name
