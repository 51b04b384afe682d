"""`neardup sweep history`."""

import click

from neardup.cli.command import Command
from neardup.cli.commands.sweep.options import store_argument, url_argument
from neardup.cli.options import options_for


@click.command(cls=Command)
@store_argument
@url_argument
@options_for("sweep history")
def history(store: str, url: str, as_json: bool) -> None:
    """Show what became of a page from sweep to sweep.

    Each row is a sweep: its date, what became of the page since the one before (same, changed, moved, moved+changed,
    new, gone), for a changed text its resemblance to the text before, and the URL.
    """
    from neardup.cli.commands.sweep.places import print_places
    from neardup.sweeps.store import SweepStore

    with SweepStore(store) as opened:
        visits = opened.history(url)
    print_places(visits, "kind", [one.kind for one in visits], as_json=as_json)
