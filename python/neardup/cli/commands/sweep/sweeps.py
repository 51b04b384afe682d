"""`neardup sweep list` and `remove`: the sweeps of a store."""

import click

from neardup.cli.command import Command
from neardup.cli.commands.sweep.options import store_argument
from neardup.cli.options import options_for


@click.command(cls=Command)
@store_argument
@options_for("sweep list")
def list(store: str, as_json: bool) -> None:  # noqa: A001 - the command has this name
    """List the sweeps with their sizes, by date.

    Each row is a sweep: its date, its pages, how many of them are blank, its different texts, and the bytes of these
    texts in UTF-8.
    """
    from neardup.cli.shown.table import print_table
    from neardup.output.json import write_json
    from neardup.sweeps.store import SweepStore

    with SweepStore(store) as opened:
        found = opened.list()
    if as_json:
        click.echo(write_json(found))
        return
    rows = [(one.date, one.pages, one.blank, one.texts, one.bytes) for one in found]
    print_table(("date", "pages", "blank", "texts", "bytes"), rows)


@click.command(cls=Command)
@store_argument
@click.argument("date", metavar="DATE")
@options_for("sweep remove")
def remove(store: str, date: str, as_json: bool) -> None:
    """Remove the sweep of a date.

    Its neighbours are compared with each other, as if it had never been added. Texts that no other sweep has are
    removed, too; neardup index compact STORE/texts then frees their space. Interrupted, it leaves the store as it was.
    """
    from neardup.cli.commands.sweep.shown import list_removed
    from neardup.cli.shown.summary import print_rows
    from neardup.output.json import write_json
    from neardup.sweeps.store import SweepStore

    with SweepStore(store) as opened:
        removed = opened.remove(date)
        left = len(opened.dates)
    if as_json:
        click.echo(write_json(removed))
    else:
        print_rows(list_removed(removed, left))
