"""`neardup index show` and `info`."""

import json
import sys
from typing import TYPE_CHECKING, Any

import click

from neardup.cli.command import Command
from neardup.cli.commands.index.common import folder_argument, open_index, stack_document
from neardup.cli.options import options_for
from neardup.output.written import plural, show_plain

if TYPE_CHECKING:
    from neardup.cli.shown.summary import Row
    from neardup.index.index import Index


def print_document(index: "Index", found: dict[str, Any]) -> None:
    """Print the document, then a table of its cluster, then its text if `found` has it."""
    from neardup.cli.shown.summary import print_rows
    from neardup.cli.shown.table import print_table, show_value

    named = ("id", "url", "time", "verdict", "original", "rule", "resemblance", "in_original", "of_original", "cluster")
    styles = {"id": "bold", "verdict": "green" if found["verdict"] == "keep" else "yellow"}
    rows: list[Row] = [
        (name.replace("_", " "), show_value(found[name]), styles.get(name, ""))
        for name in named
        if found[name] is not None
    ]
    print_rows([*rows, ("group", f"{plural(len(found['group']), 'document')} of one original", "")])
    if len(found["documents"]) > 1:
        group = set(found["group"])
        click.echo()
        if sys.stdout.isatty():
            members = [
                (
                    stack_document(index, one["id"], one["url"], one["time"]),
                    one["original"],
                    one["difference"],
                    one["id"] in group,
                )
                for one in found["documents"]
            ]
            print_table(
                ("document", "original", "difference\nto it", "in the\ngroup"), members, styles=("bold", "", "", "")
            )
        else:
            rows = [(*one.values(), one["id"] in group) for one in found["documents"]]
            print_table((*found["documents"][0], "in_group"), rows)
    if "text" in found:
        click.echo(f"\n{show_plain(found['text'])}")


@click.command(cls=Command)
@folder_argument
@click.argument("id", required=False, metavar="[ID]")
@options_for("index show")
def show(
    folder: str,
    scheme: str | None,
    parts_scheme: str | None,
    read_only: bool,
    id: str | None,  # noqa: A002 - the field has this name
    url: str | None,
    text: bool,
    as_json: bool,
) -> None:
    """Show a document by id or URL, and its cluster.

    Shown are its URL, time, verdict and evidence, and the documents of its cluster with theirs. A cluster is named by
    its smallest id, so that id shows all of it.
    """
    from neardup.errors import DataError
    from neardup.index.answers import describe_document

    if (id is None) == (url is None):
        raise click.UsageError("name an ID or a --url")
    index = open_index(folder, scheme, parts_scheme, read_only=read_only)
    if url is not None:
        id = index.of_url(url)  # noqa: A001
        if id is None:
            raise DataError(f"URL {url!r} is not in the index {index.folder}")
    found = describe_document(index, str(id), with_text=text)
    if as_json:
        click.echo(json.dumps(found, ensure_ascii=False))
    else:
        print_document(index, found)


@click.command(cls=Command)
@folder_argument
@options_for("index info")
def info(folder: str, scheme: str | None, parts_scheme: str | None, read_only: bool, as_json: bool) -> None:
    """Show how an index was made and what it contains."""
    found = open_index(folder, scheme, parts_scheme, read_only=read_only).info()
    if as_json:
        click.echo(json.dumps(found, ensure_ascii=False))
        return
    from neardup.cli.shown.summary import print_rows

    print_rows(list_info(found))


def list_info(found: dict[str, Any]) -> "list[Row]":
    """Return the rows about an index, from its `info`."""
    from neardup.cli.shown.table import show_value

    shard = found.pop("shard", None)
    if shard is not None and found["folders"] == 1:
        found["shard"] = f"{shard['number']} of {shard['of']}, by itself"
    styles = {"scheme": "cyan", "documents": "bold", "kept": "green"}
    values = ((name, f"{value:,}" if isinstance(value, int) else show_value(value)) for name, value in found.items())
    return [(name.replace("_", " "), value, styles.get(name, "")) for name, value in values if value]
