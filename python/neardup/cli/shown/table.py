"""Rows of a result: a table in colours on a terminal, values between tabs in a pipe."""

import sys
from collections.abc import Iterable, Sequence
from itertools import chain, islice, repeat
from typing import Any

import click

from neardup.cli.shown.summary import Row
from neardup.cli.shown.unread import IN_JSON, IN_RUN, list_account
from neardup.output.written import plural
from neardup.results.account import Account

SHOWN = 30
"""Number of rows that a terminal shows; a pipe receives all."""


def print_table(
    columns: Sequence[str], rows: Iterable[Sequence[object]], *, title: str = "", styles: Sequence[str] = ()
) -> None:
    """Print rows under the names of their columns to stdout, each as it comes.

    On a terminal the values of a tuple are stacked, the first in the style of the column.
    """
    if not sys.stdout.isatty():
        for row in chain([columns], rows):
            click.echo("\t".join(show_value(value) for value in row))
        return
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    def stack(first: object, *others: object, style: str) -> Text:
        return Text.assemble(
            (show_value(first), style), *(f"\n{show_value(other)}" for other in others), overflow="fold"
        )

    table = Table(*columns, title=title, title_justify="left", box=None, header_style="bold", pad_edge=False)
    reading = iter(rows)
    for row in islice(reading, SHOWN):
        values = (value if isinstance(value, tuple) else (value,) for value in row)
        table.add_row(*(stack(*value, style=style) for value, style in zip(values, styles or repeat(""), strict=False)))
    console = Console()
    console.print(table)
    if more := sum(1 for _ in reading):
        console.print(Text(f"... and {more:,} more", style="dim"))


def list_ends(summary: dict[str, Any], output: str | None) -> list[Row]:
    """Return the rows about skipped records and the place of the results."""
    rows = list_account(Account.of_run(summary), IN_JSON if output is None else IN_RUN)
    if summary["rejected"]:
        where = "listed in rejects.jsonl" if output is not None else "listed with --output"
        rows.append(("skipped", f"{plural(summary['rejected'], 'page')}, {where}", "red"))
    if output is not None:
        rows.append(("results", output, "bold"))
    return rows


def show_value(value: object) -> str:
    """Write a value: yes, no or nothing, four decimals, or text with its unprintable characters replaced."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.4f}"
    text = str(value)
    return text if text.isprintable() else "".join(one if one.isprintable() else f"<U+{ord(one):04X}>" for one in text)
