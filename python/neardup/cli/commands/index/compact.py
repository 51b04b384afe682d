"""`neardup index compact`."""

import click

from neardup.cli.command import Command
from neardup.cli.commands.index.options import folder_argument, open_index
from neardup.cli.options import options_for


@click.command(cls=Command)
@folder_argument
@options_for("index compact")
def compact(
    folder: str, scheme: str | None, parts_scheme: str | None, peers: str | None, as_json: bool, quiet: bool
) -> None:
    """Erase removed documents, and make one segment.

    Nothing of their texts, sketches and keys is left on the disk.
    """
    import json

    from neardup.cli.shown.summary import print_rows

    index = open_index(folder, scheme, parts_scheme, peers)
    before = index.info()
    index.compact()
    after = index.info()
    sizes = {name: after[name] for name in ("segment_bytes", "text_bytes")}
    counts = {"documents": after["documents"], "erased": before["removed"], **sizes}
    if as_json:
        click.echo(json.dumps(counts))
    elif not quiet:
        print_rows([(name.replace("_", " "), f"{count:,}", "") for name, count in counts.items()])
