"""`neardup index expire`."""

import click

from neardup.cli.command import Command
from neardup.cli.commands.index.options import folder_argument, open_index
from neardup.cli.options import options_for


@click.command(cls=Command)
@folder_argument
@options_for("index expire")
def expire(
    folder: str, scheme: str | None, parts_scheme: str | None, peers: str | None, as_json: bool, quiet: bool
) -> None:
    """Remove documents that are too old by now.

    Adding does so by itself.
    """
    from neardup.cli.commands.index.removing import print_removal

    index = open_index(folder, scheme, parts_scheme, peers)
    print_removal(index.expire(), len(index), as_json=as_json, quiet=quiet)
