"""Options of the commands that look at URLs."""

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from neardup.cli.options import (
    give_options,
    id_field_option,
    inputs_argument,
    json_option,
    on_error_option,
    overwrite_option,
    quiet_option,
)

if TYPE_CHECKING:
    from neardup.study.urls import UrlRules

F = TypeVar("F", bound=Callable[..., Any])

SKIPPED = 3


def page_options(command: F) -> F:
    """Give a command the options that say how pages are read and URLs made canonical, and where results go."""
    return give_options(command, _PAGES)


def choose_rules(
    merge_scheme: bool, merge_www: bool, drop_parameter: tuple[str, ...], keep_parameter: tuple[str, ...]
) -> "UrlRules":
    """Change the default rules as the options say."""
    from neardup.study.urls import DEFAULT_RULES

    return DEFAULT_RULES._replace(
        merge_scheme=merge_scheme,
        merge_www=merge_www,
        tracking_parameters=DEFAULT_RULES.tracking_parameters | {name.lower() for name in drop_parameter},
        kept_parameters=frozenset(name.lower() for name in keep_parameter),
    )


def end_with(rejected: int) -> None:
    """End with code 3 when pages were skipped."""
    if rejected:
        sys.exit(SKIPPED)


_PAGES = [
    inputs_argument,
    click.option(
        "-o",
        "--output",
        metavar="DIR",
        type=click.Path(file_okay=False),
        help="Folder for the results; it appears when all of them are complete.  [default: print what was found]",
    ),
    click.option("--url-field", metavar="NAME", help="Field with the URL.  [default: url]"),
    id_field_option,
    click.option("--merge-scheme", is_flag=True, help="Take http and https as one."),
    click.option("--merge-www", is_flag=True, help="Take a host with and without www. as one."),
    click.option(
        "--drop-parameter",
        metavar="NAME",
        multiple=True,
        help="Leave out this parameter of URLs, too, as a tracking parameter. May be repeated.",
    ),
    click.option(
        "--keep-parameter",
        metavar="NAME",
        multiple=True,
        help="Leave this parameter in, though it counts as a session or tracking parameter. May be repeated.",
    ),
    on_error_option("page"),
    overwrite_option,
    json_option,
    quiet_option,
]
