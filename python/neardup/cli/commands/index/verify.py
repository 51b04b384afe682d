"""`neardup index verify`."""

import click

from neardup.cli.command import Command
from neardup.cli.commands.index.options import folder_argument, open_index
from neardup.cli.options import options_for


@click.command(cls=Command)
@folder_argument
@options_for("index verify")
def verify(folder: str, scheme: str | None, parts_scheme: str | None, as_json: bool, quiet: bool) -> None:
    """Read every byte, and sign every text again.

    The store of a gate, and what it searches, is compared with the index. Damage is an error that names the file, and
    the exit code 1; `repair` restores what can be restored.
    """
    import json
    from pathlib import Path

    from neardup.cli.shown.summary import print_rows
    from neardup.index.restoration import verify_beside

    index = open_index(folder, scheme, parts_scheme)
    index.verify()
    verify_beside(index, Path(folder))
    if as_json:
        click.echo(json.dumps({"documents": len(index), "whole": True}))
    elif not quiet:
        print_rows([("documents", f"{len(index):,}", ""), ("damage", "none", "green")])
