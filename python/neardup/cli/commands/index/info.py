"""`neardup index info`."""

import json

import click

from neardup.cli.command import Command
from neardup.cli.commands.index.options import folder_argument, open_index
from neardup.cli.options import options_for


@click.command(cls=Command)
@folder_argument
@options_for("index info")
def info(folder: str, scheme: str | None, parts_scheme: str | None, read_only: bool, as_json: bool) -> None:
    """Show how an index was made and what it holds."""
    found = open_index(folder, scheme, parts_scheme, read_only=read_only).info()
    if as_json:
        click.echo(json.dumps(found, ensure_ascii=False))
        return
    from neardup.cli.shown.summary import print_rows
    from neardup.cli.shown.table import show

    shard = found.pop("shard", None)
    if shard is not None and found["folders"] == 1:
        found["shard"] = f"{shard['number']} of {shard['of']}, by itself"
    styles = {"scheme": "cyan", "documents": "bold", "kept": "green"}
    values = ((name, f"{value:,}" if isinstance(value, int) else show(value)) for name, value in found.items())
    print_rows([(name.replace("_", " "), value, styles.get(name, "")) for name, value in values if value])
