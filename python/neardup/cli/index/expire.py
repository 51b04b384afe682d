"""`neardup index expire`."""

import click

from neardup.cli.command import Command
from neardup.cli.index.options import index_options, json_option, open_index, peers_option, quiet_option


@click.command(cls=Command)
@index_options
@peers_option
@json_option
@quiet_option
def expire(
    folder: str, scheme: str | None, parts_scheme: str | None, peers: str | None, as_json: bool, quiet: bool
) -> None:
    """Remove documents that are too old by now.

    Adding does so by itself.
    """
    from neardup.cli.index.removing import print_removal

    index = open_index(folder, scheme, parts_scheme, peers)
    print_removal(index.expire(), len(index), as_json=as_json, quiet=quiet)
