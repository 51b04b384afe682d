"""A document of an index with all that hangs on it: its card."""

import sys
from typing import Any

import click

from neardup.cli.shown.summary import Row, print_rows
from neardup.cli.shown.table import print_table, show
from neardup.output.visible import show_plain


def print_document(found: dict[str, Any]) -> None:
    """Print a card: the document, then a table of its cluster, then its text when it is wanted."""
    named = ("id", "url", "time", "verdict", "original", "rule", "resemblance", "in_original", "of_original", "cluster")
    styles = {"id": "bold", "verdict": "green" if found["verdict"] == "keep" else "yellow"}
    rows: list[Row] = [
        (name.replace("_", " "), show(found[name]), styles.get(name, "")) for name in named if found[name] is not None
    ]
    print_rows([*rows, ("group", f"{len(found['group']):,} documents of one original", "")])
    if len(found["documents"]) > 1:
        group = set(found["group"])
        click.echo()
        members = [(*one.values(), one["id"] in group) for one in found["documents"]]
        print_table(("id", "url", "time", "in the group" if sys.stdout.isatty() else "in_group"), members)
    if "text" in found:
        click.echo(f"\n{show_plain(found['text'])}")
