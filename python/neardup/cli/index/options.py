"""Options that the commands of an index share."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from neardup.cli.options import (
    give_options,
    html_field_option,
    main_content_option,
    on_error_option,
    quoted_tsv_option,
    text_field_option,
    time_field_option,
)

if TYPE_CHECKING:
    from neardup.live.index import Index

F = TypeVar("F", bound=Callable[..., Any])


def index_options(command: F) -> F:
    """Give a command the folder of an index, and what opens one with a secret."""
    return give_options(command, [folder_argument, *_SECRETS])


def adding_options(command: F) -> F:
    """Give a command the options of adding documents."""
    return give_options(command, _ADDING)


def open_index(
    folder: str, scheme: str | None, parts_scheme: str | None, peers: str | None = None, *, read_only: bool = False
) -> "Index":
    """Open the index in a folder."""
    from neardup.live.index import Index

    return Index.open(folder, scheme=scheme, parts=parts_scheme, peers=peers, read_only=read_only)


folder_argument = click.argument("folder", metavar="DIR")
peers_option = click.option(
    "--peers",
    metavar="HOST:PORT",
    help="DIR is one shard of a split index: where shard 0 listens and the others come. Each gets the same command.",
)
read_only_option = click.option(
    "--read-only", is_flag=True, help="Write nothing, and read of a damaged index what is undamaged."
)
quiet_option = click.option("--quiet", is_flag=True, help="Print nothing but errors and what --json asks for.")
json_option = click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON.")

_SECRETS = [
    click.option("--scheme", metavar="LINE", help="The scheme of the index; needed only where it has a secret seed."),
    click.option("--parts-scheme", metavar="LINE", help="Its scheme of parts; needed only where it has a secret seed."),
]

_ADDING = [
    text_field_option,
    html_field_option,
    main_content_option,
    quoted_tsv_option,
    click.option(
        "--id-field",
        metavar="NAME",
        help="Field with the id.  [default: none; an id is source and row, or # and a number where a URL names the "
        "document and for stdin]",
    ),
    click.option(
        "--url-field", metavar="NAME", help="Field with the URL; a document takes the place of that of the same URL."
    ),
    time_field_option,
    on_error_option(then="count it"),
    click.option("--each", is_flag=True, help="Print a line of JSON for every document, and no summary."),
    click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON."),
    quiet_option,
]
