"""What came of documents that were removed, printed."""

import json
from typing import TYPE_CHECKING

import click

from neardup.cli.shown.summary import print_rows
from neardup.index.answers import describe_removal

if TYPE_CHECKING:
    from neardup.index.verdict import Removal


def print_removal(removal: "Removal", total: int, *, as_json: bool, quiet: bool) -> None:
    """Print what went, and which verdicts are others now."""
    if as_json:
        click.echo(json.dumps(describe_removal(removal), ensure_ascii=False))
    elif not quiet:
        rows = [("removed", f"{len(removal.removed):,}", "yellow")]
        if removal.changed:
            kept = sum(verdict.kept for verdict in removal.changed)
            rows.append(("changed", f"{len(removal.changed):,} (another verdict; {kept:,} kept now)", ""))
        print_rows([*rows, ("index", f"{total:,} documents", "bold")])
