"""Code that the commands of an index share."""

import json
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from neardup.index.index import Index
    from neardup.index.verdict import Removal

folder_argument = click.argument("folder", metavar="DIR")


def open_index(
    folder: str, scheme: str | None, parts_scheme: str | None, peers: str | None = None, *, read_only: bool = False
) -> "Index":
    """Open the index in a folder."""
    from neardup.index.index import Index

    return Index.open(folder, scheme=scheme, parts=parts_scheme, peers=peers, read_only=read_only)


def use_extractor(index: "Index", fields: dict[str, Any]) -> None:
    """Let the main content of pages be taken by the extractor of an index, if it is asked for."""
    if fields["main_content"]:
        fields["extractor"] = index.choose_extractor(fields["extractor"])


def stack_document(index: "Index", name: str, url: str | None, time: str | None) -> tuple[str, ...]:
    """Return what a terminal shows of a document, one below the other: id, first words, URL and time."""
    from neardup import _core

    row = index.core.get(name)
    title = "" if row is None else _core.title(row[2])
    return tuple(value for value in (name, title, url, time) if value)


def print_removal(removal: "Removal", total: int, *, as_json: bool, quiet: bool) -> None:
    """Print the number of removed documents and of changed verdicts."""
    from neardup.cli.shown.summary import print_rows
    from neardup.index.answers import describe_removal
    from neardup.output.written import plural

    if as_json:
        click.echo(json.dumps(describe_removal(removal), ensure_ascii=False))
    elif not quiet:
        rows = [("removed", f"{len(removal.removed):,}", "yellow")]
        if removal.changed:
            kept = sum(verdict.kept for verdict in removal.changed)
            rows.append(("changed", f"{len(removal.changed):,} (another verdict; {kept:,} kept now)", ""))
        print_rows([*rows, ("index", plural(total, "document"), "bold")])
