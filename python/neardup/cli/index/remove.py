"""`neardup index remove`."""

import click

from neardup.cli.command import Command
from neardup.cli.index.options import index_options, json_option, open_index, peers_option, quiet_option


@click.command(cls=Command)
@index_options
@peers_option
@click.argument("ids", nargs=-1, metavar="[ID]...")
@click.option("--from", "path", metavar="FILE", help="A file with an id a line; - for stdin.")
@json_option
@quiet_option
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

    All of them are removed or, when one is not there, none. What was dropped for them is decided anew. Texts of removed
    documents are on the disk until the index is compacted.
    """
    from neardup.cli.index.removing import print_removal
    from neardup.cli.texts import read_lines

    wanted = [*ids, *([] if path is None else read_lines(path))]
    if not wanted:
        raise click.UsageError("name ids, or a file with --from")
    index = open_index(folder, scheme, parts_scheme, peers)
    print_removal(index.remove(wanted), len(index), as_json=as_json, quiet=quiet)
