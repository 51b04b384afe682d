"""`neardup index clusters` and `documents`."""

import json
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from neardup.cli.command import Command
from neardup.cli.commands.index.common import folder_argument, open_index, stack_document
from neardup.cli.options import options_for, refuse_needless

if TYPE_CHECKING:
    from neardup.index.index import Index
    from neardup.table import Table

VERDICTS = ("verdict", "original", "rule", "resemblance", "group_size")
"""Columns of `documents` on a terminal, beside the document."""
CLUSTERS = ("cluster", "leader", "size")
"""Columns of `clusters` on a terminal, beside the document."""


@click.command(cls=Command)
@folder_argument
@options_for("index clusters")
def clusters(**given: Any) -> None:
    """List clusters, as `neardup cluster` would.

    There is a row for each document, in order of arrival, and on a terminal the largest clusters come first. A cluster
    is listed with all its documents if one of them is of the time and the host that are asked for. DIR of -o receives
    clusters.parquet, with the columns that a run writes, and the date of each document.
    """
    from neardup.index.index import Index

    _list(Index.clusters, "clusters.parquet", CLUSTERS, by_size=True, **given)


@click.command(cls=Command)
@folder_argument
@options_for("index documents")
def documents(**given: Any) -> None:
    """List documents and verdicts, as `neardup dedup` would.

    There is a row for each document, in order of arrival. DIR of -o receives decisions.parquet, with the columns that a
    run writes, and the date of each document.
    """
    from neardup.index.index import Index

    _list(Index.decisions, "decisions.parquet", VERDICTS, **given)


def _list(
    list_rows: "Callable[..., Table]",
    name: str,
    columns: tuple[str, ...],
    *,
    by_size: bool = False,
    folder: str,
    scheme: str | None,
    parts_scheme: str | None,
    read_only: bool,
    output: str | None,
    overwrite: bool,
    as_json: bool,
    **selection: Any,
) -> None:
    index = open_index(folder, scheme, parts_scheme, read_only=read_only)
    table = list_rows(index, **selection)
    if output is not None:
        _write(table, output, name, overwrite=overwrite)
    elif as_json:
        for row in table:
            click.echo(json.dumps(row, ensure_ascii=False))
    else:
        _print_rows(index, table, columns, by_size=by_size)


def _write(table: "Table", output: str, name: str, *, overwrite: bool) -> None:
    """Write a table into a folder, which appears when it is complete."""
    from neardup.output.folders import output_folder

    refuse_needless(["as_json"], "the rows go to the folder of -o; leave out one of the two")
    with output_folder(output, [name], overwrite=overwrite) as made:
        table.write_parquet(made / name)


def _print_rows(index: "Index", table: "Table", columns: tuple[str, ...], *, by_size: bool) -> None:
    """Print all columns to a pipe, or on a terminal the first rows with the words that each document begins with."""
    from neardup.cli.shown.table import SHOWN, print_table

    if not sys.stdout.isatty():
        print_table(table.column_names, list(zip(*map(table.column, table.column_names), strict=True)))
        return
    rows = list(table)
    if by_size:
        rows.sort(key=lambda row: (-row["size"], row["cluster"].encode()))
    stacked = [
        (
            stack_document(index, row["id"], row["url"], row["date"]) if number < SHOWN else (),
            *(row[name] for name in columns),
        )
        for number, row in enumerate(rows)
    ]
    styles = ("bold", *("" for _ in columns))
    print_table(("document", *(name.replace("_", "\n") for name in columns)), stacked, styles=styles)
