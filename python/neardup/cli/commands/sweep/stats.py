"""`neardup sweep stats`."""

import click

from neardup.cli.command import Command
from neardup.cli.commands.sweep.options import store_argument
from neardup.cli.options import options_for


@click.command(cls=Command)
@store_argument
@options_for("sweep stats")
def stats(store: str, output: str | None, overwrite: bool, as_json: bool) -> None:
    """Count how pages change, move, appear and vanish.

    Printed is a row for every interval between two sweeps: its days, what became of the pages, moves within a server
    and between servers, and the median resemblance of changed texts to those before.
    """
    from neardup.cli.commands.sweep.rows import list_lives, print_intervals
    from neardup.cli.shown.summary import print_rows
    from neardup.sweeps.report import write_report
    from neardup.sweeps.store import SweepStore

    with SweepStore(store) as opened:
        found = opened.stats()
    if output is not None:
        write_report(found, output, overwrite=overwrite)
    if as_json:
        click.echo(found.json)
        return
    print_intervals(found)
    print_rows(list_lives(found, output))
