"""`neardup index remove` and `expire`."""

import click

from neardup.cli.command import Command
from neardup.cli.commands.index.common import folder_argument, open_index, print_removal
from neardup.cli.options import options_for


@click.command(cls=Command)
@folder_argument
@click.argument("ids", nargs=-1, metavar="[ID]...")
@options_for("index remove")
def remove(
    folder: str,
    scheme: str | None,
    parts_scheme: str | None,
    peers: str | None,
    ids: tuple[str, ...],
    path: str | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Remove documents by id.

    All of them are removed or, if one is not there, none. Documents that were dropped because of them are decided anew.
    Texts of removed documents stay on the disk until the index is compacted.
    """
    from neardup.cli.texts import read_lines

    wanted = [*ids, *([] if path is None else read_lines(path))]
    if not wanted:
        raise click.UsageError("name ids, or a file with --from")
    index = open_index(folder, scheme, parts_scheme, peers)
    print_removal(index.remove(wanted), len(index), as_json=as_json, quiet=quiet)


@click.command(cls=Command)
@folder_argument
@options_for("index expire")
def expire(
    folder: str, scheme: str | None, parts_scheme: str | None, peers: str | None, as_json: bool, quiet: bool
) -> None:
    """Remove documents that are too old by now.

    Adding documents does this, too.
    """
    index = open_index(folder, scheme, parts_scheme, peers)
    print_removal(index.expire(), len(index), as_json=as_json, quiet=quiet)
