"""`neardup sweep locate` and `history`: where a page is, and was."""

import click

from neardup.cli.command import Command
from neardup.cli.commands.sweep.options import store_argument, url_argument
from neardup.cli.options import options_for


@click.command(cls=Command)
@store_argument
@url_argument
@options_for("sweep locate")
def locate(store: str, url: str, as_json: bool) -> None:
    """Find where a page is now, the newest place first.

    Each row is a URL, the date of the last sweep that saw the page there, and how it was found: stays, moved,
    moved+changed or gone (followed sweep by sweep), identical (another URL with its text), near (another URL with a
    text of the same cluster), replaced (the URL has another page now). Notices that a page moved, soft 404s and login
    pages are left out. Resemblance is that of the text there and the last text of URL.
    A remark is what the last step of the page says, such as redirect 301 or merged into URL.
    """
    from neardup.cli.commands.sweep.shown import print_places
    from neardup.sweeps.store import SweepStore

    with SweepStore(store) as opened:
        found = opened.locate(url)
    print_places(found, "found", [one.way for one in found], as_json=as_json)


@click.command(cls=Command)
@store_argument
@url_argument
@options_for("sweep history")
def history(store: str, url: str, as_json: bool) -> None:
    """Show what became of a page from sweep to sweep.

    Each row is a sweep: its date, what became of the page since the one before (same, changed, moved, moved+changed,
    new, gone, replaced), for a changed text its resemblance to the text before, the URL, and a remark, such as
    redirect 301 or split from URL.
    """
    from neardup.cli.commands.sweep.shown import print_places
    from neardup.sweeps.store import SweepStore

    with SweepStore(store) as opened:
        visits = opened.history(url)
    print_places(visits, "kind", [one.kind for one in visits], as_json=as_json)
