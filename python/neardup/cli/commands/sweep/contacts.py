"""`neardup sweep contacts`."""

from typing import Any

import click

from neardup.cli.command import Command
from neardup.cli.commands.sweep.options import store_argument
from neardup.cli.options import options_for


@click.command(cls=Command)
@store_argument
@click.argument("text", metavar="URL|FILE")
@options_for("sweep contacts")
def contacts(store: str, text: str, threshold: str, diff: bool, as_json: bool, **fields: Any) -> None:
    """List every URL that held a text, the newest first.

    The text is the last one of a URL in the store, or that of a file: plain text, or HTML by its suffix. Each row is a
    URL with the dates of the last and the first sweep that saw the text there; how it holds it (identical, changed,
    whole: inside a longer text, part); how much of the text it holds, and how much of its own that is.
    """
    from neardup.cli.commands.sweep.asked import find_text, print_differences
    from neardup.cli.needless import refuse_needless
    from neardup.cli.shown.table import print_table
    from neardup.output.json import write_json
    from neardup.sweeps.store import SweepStore

    if as_json:
        refuse_needless(["diff"], "differences are for people; leave out one of --diff and --json")
    with SweepStore(store) as opened:
        asked = find_text(opened, text, fields)
        found = opened.contacts(text=asked, threshold=threshold)
        if as_json:
            click.echo(write_json(found))
            return
        columns = ("last", "first", "holds", "of the text", "of the page", "url")
        rows = [
            (one.last, one.first, one.holds, one.overlap.left_in_right, one.overlap.right_in_left, one.url)
            for one in found.found
        ]
        print_table(columns, rows)
        if found.incomplete:
            click.echo("The text is short, or very common: pages that hold a part of it may be missing.", err=True)
        if diff:
            print_differences(opened, asked, found.found)
