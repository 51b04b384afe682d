"""`neardup sweep contacts`."""

from os import path
from typing import TYPE_CHECKING, Any

import click

from neardup.cli.command import Command
from neardup.cli.commands.sweep.options import store_argument
from neardup.cli.options import options_for, refuse_needless
from neardup.errors import DataError

if TYPE_CHECKING:
    from neardup.sweeps.contacts import Contact
    from neardup.sweeps.store import SweepStore

_OF_HTML = ("main_content", "extractor")


def find_text(store: "SweepStore", name: str, fields: dict[str, Any]) -> str:
    """Return the text of a file, or the last text of a URL when there is no such file."""
    from neardup.cli.texts import is_html, read_text

    # Path would raise for a URL that is too long for a file name
    if path.isfile(name):  # noqa: PTH113
        if not is_html(name):
            refuse_needless(_OF_HTML, f"{name} is not HTML (.html, .htm)")
        if fields["main_content"]:
            fields = {**fields, "extractor": store.choose_extractor(fields["extractor"])}
        return read_text(name, fields)
    refuse_needless(_OF_HTML, "the text is the last one of a URL, and stored already")
    try:
        return store.last_text(name)
    except DataError as error:
        raise DataError(f"{error}, and there is no such file") from None


def print_differences(store: "SweepStore", asked: str, found: list["Contact"]) -> None:
    """Print the difference between the text and every other text, each once."""
    from rich.console import Console
    from rich.text import Text

    from neardup.cli.shown.explanation import print_changes
    from neardup.cli.shown.table import show_value
    from neardup.jobs.explanation import explain

    console = Console(soft_wrap=True, highlight=False)
    shown: set[str] = set()
    for contact in found:
        if contact.holds == "identical" or contact.text in shown:
            continue
        shown.add(contact.text)
        console.print(Text(f"\n{show_value(contact.url)} ({contact.last})", style="bold"))
        print_changes(explain(asked, store.text(contact.text)), console)


@click.command(cls=Command)
@store_argument
@click.argument("text", metavar="URL|FILE")
@options_for("sweep contacts")
def contacts(store: str, text: str, threshold: str, diff: bool, as_json: bool, **fields: Any) -> None:
    """List every URL that held a text, the newest first.

    The text is the last one of a URL in the store, or that of a file: plain text, or HTML by its suffix. Each row is a
    URL with the dates of the last and the first sweep that saw the text there; how it holds the text (identical,
    changed, whole: inside a longer text, part); the share of the text that it holds, and the share of its own text
    that this is.
    """
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
