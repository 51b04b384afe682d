"""`neardup sweep locate`."""

import click

from neardup.cli.sweep.options import json_option, store_argument, url_argument


@click.command()
@store_argument
@url_argument
@json_option
def locate(store: str, url: str, as_json: bool) -> None:
    """Find where a page is now: the newest place first, with the evidence.

    Each row is a URL, the date of the last sweep that saw the page there, and how it was found: stays, moved,
    moved+changed or gone (followed sweep by sweep), identical (another URL with its text), near (another URL with a
    text of the same cluster). Resemblance is that of the text there and the last text of URL.
    """
    from neardup.cli.table import print_table
    from neardup.live.sweeps.store import SweepStore
    from neardup.plain import write_json

    with SweepStore(store) as opened:
        found = opened.locate(url)
    if as_json:
        click.echo(write_json(found))
        return
    rows = [(one.date, one.way, one.overlap and one.overlap.resemblance, one.url) for one in found]
    print_table(("date", "found", "resemblance", "url"), rows)
