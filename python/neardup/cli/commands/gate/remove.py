"""`neardup gate remove` and `expire`."""

import click

from neardup.cli.command import Command
from neardup.cli.commands.gate.common import open_gate
from neardup.cli.commands.index.common import folder_argument, print_removal
from neardup.cli.options import options_for


@click.command(cls=Command)
@folder_argument
@click.argument("ids", nargs=-1, metavar="[ID]...")
@options_for("gate remove")
def remove(
    folder: str,
    ids: tuple[str, ...],
    scheme: str | None,
    parts_scheme: str | None,
    store: str | None,
    schema: str,
    path: str | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Remove documents by id, from the index and the store.

    All of them are removed or, if one is not there, none. Duplicates of a removed original get another original, which
    the search then finds. Texts stay in the index until `index compact`.
    """
    from neardup.cli.texts import read_lines

    wanted = [*ids, *([] if path is None else read_lines(path))]
    if not wanted:
        raise click.UsageError("name ids, or a file with --from")
    with open_gate(folder, scheme, parts_scheme, store, schema) as gate:
        print_removal(gate.remove(wanted), len(gate.index), as_json=as_json, quiet=quiet)


@click.command(cls=Command)
@folder_argument
@options_for("gate expire")
def expire(
    folder: str,
    scheme: str | None,
    parts_scheme: str | None,
    store: str | None,
    schema: str,
    as_json: bool,
    quiet: bool,
) -> None:
    """Remove documents that are too old by now.

    Admitting documents does this, too.
    """
    with open_gate(folder, scheme, parts_scheme, store, schema) as gate:
        print_removal(gate.expire(), len(gate.index), as_json=as_json, quiet=quiet)
