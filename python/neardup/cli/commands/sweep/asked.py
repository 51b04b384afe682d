"""The text whose contacts are asked for, and how others differ from it."""

from os import path
from typing import Any

from rich.console import Console
from rich.text import Text

from neardup.cli.needless import refuse_needless
from neardup.cli.shown.explanation import print_changes
from neardup.cli.shown.table import show
from neardup.cli.texts import is_html, read_text
from neardup.errors import DataError
from neardup.sweeps.contacts import Contact
from neardup.sweeps.store import SweepStore


def find_text(store: SweepStore, name: str, fields: dict[str, Any]) -> str:
    """Return the text of a file, or the last text of a URL when there is no such file."""
    # of a URL that is too long for the name of a file, Path would raise
    if path.isfile(name):  # noqa: PTH113
        if not is_html(name):
            refuse_needless(["main_content"], f"{name} is not HTML (.html, .htm)")
        return read_text(name, fields)
    refuse_needless(["main_content"], "the text is the last one of a URL, and stored already")
    try:
        return store.last_text(name)
    except DataError as error:
        raise DataError(f"{error}, and there is no such file") from None


def print_differences(store: SweepStore, asked: str, found: list[Contact]) -> None:
    """Print the way from the text to every other one, each once."""
    from neardup.jobs.explanation import explain

    console = Console(soft_wrap=True, highlight=False)
    shown: set[str] = set()
    for contact in found:
        if contact.holds == "identical" or contact.text in shown:
            continue
        shown.add(contact.text)
        console.print(Text(f"\n{show(contact.url)} ({contact.last})", style="bold"))
        print_changes(explain(asked, store.text(contact.text)), console)
