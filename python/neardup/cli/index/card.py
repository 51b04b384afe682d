"""A document of an index with all that hangs on it: its card."""

import sys
from typing import TYPE_CHECKING, Any

import click

from neardup.cli.index.verdicts import describe_verdict
from neardup.cli.summary import Row, print_rows
from neardup.cli.table import print_table, show
from neardup.cli.times import write_time
from neardup.cli.visible import show_plain

if TYPE_CHECKING:
    from neardup.live.index import Index


def describe_document(index: "Index", name: str, *, with_text: bool) -> dict[str, Any]:
    """Give a document by name: url, time, verdict, the ids of its group, and the documents of its cluster."""
    document = index.get(name)
    cluster = index.cluster(name)
    members = [(member, index.get(member)) for member in cluster]
    return {
        **describe_verdict(index.verdict(name)),
        "url": document.url,
        "time": document.time,
        "group": index.group(name),
        "cluster": cluster[0],
        "documents": [{"id": member, "url": held.url, "time": held.time} for member, held in members],
        **({"text": document.text} if with_text else {}),
    }


def print_document(found: dict[str, Any]) -> None:
    """Print a card: the document, then a table of its cluster, then its text when it is wanted."""
    named = ("id", "url", "time", "verdict", "original", "rule", "resemblance", "in_original", "of_original", "cluster")
    styles = {"id": "bold", "verdict": "green" if found["verdict"] == "keep" else "yellow"}
    shown = {**found, "time": write_time(found["time"])}
    rows: list[Row] = [
        (name.replace("_", " "), show(shown[name]), styles.get(name, "")) for name in named if shown[name] is not None
    ]
    print_rows([*rows, ("group", f"{len(found['group']):,} documents of one original", "")])
    if len(found["documents"]) > 1:
        group = set(found["group"])
        click.echo()
        members = [(one["id"], one["url"], write_time(one["time"]), one["id"] in group) for one in found["documents"]]
        print_table(("id", "url", "time", "in the group" if sys.stdout.isatty() else "in_group"), members)
    if "text" in found:
        click.echo(f"\n{show_plain(found['text'])}")
