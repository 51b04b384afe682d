"""`neardup sweep history`."""

import click

from neardup.cli.sweep.options import json_option, store_argument, url_argument


@click.command()
@store_argument
@url_argument
@json_option
def history(store: str, url: str, as_json: bool) -> None:
    """Show what became of a page from sweep to sweep, through its moves.

    Each row is a sweep: its date, what became of the page since the one before (same, changed, moved, moved+changed,
    new, gone), for a changed text its resemblance to the text before, and the URL.
    """
    from neardup.cli.table import print_table
    from neardup.live.sweeps.store import SweepStore
    from neardup.plain import write_json

    with SweepStore(store) as opened:
        visits = opened.history(url)
    if as_json:
        click.echo(write_json(visits))
        return
    rows = [(one.date, one.kind, one.overlap and one.overlap.resemblance, one.url) for one in visits]
    print_table(("date", "kind", "resemblance", "url"), rows)
