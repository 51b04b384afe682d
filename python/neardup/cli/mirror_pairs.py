"""Mirrors, printed."""

import json
import sys

import click

from neardup.cli.summary import Row, print_rows
from neardup.cli.table import list_ends, print_table
from neardup.study.mirror_results import MirrorPair, Mirrors


def print_mirrors(found: Mirrors, *, output: str | None, as_json: bool, quiet: bool) -> None:
    """Print the summary as JSON, or the pairs where they were not written to a folder."""
    if as_json:
        click.echo(json.dumps(found.summary, ensure_ascii=False))
    elif output is None and not quiet:
        print_table(MirrorPair._fields, found.pairs)
    if not (as_json or quiet) and (output is not None or sys.stdout.isatty()):
        print_rows(list_rows(found, output))


def list_rows(found: Mirrors, output: str | None) -> list[Row]:
    """Put the summary into words."""
    summary = found.summary
    rows = [
        ("hosts", f"{summary['hosts']:,}", "bold"),
        ("too small", f"{summary['too_small']:,} with fewer than {summary['least_paths']} paths", ""),
        ("pairs", f"{summary['pairs']:,} by paths, {summary['mirrors']:,} of them mirrors", "green"),
        ("groups", f"{summary['groups']:,} of {summary['grouped']:,} hosts", "green"),
    ]
    if summary["addresses"]:
        rows.append(("addresses", f"{summary['addresses']:,} with several hosts: candidates only", ""))
    if summary["common"]:
        rows.append(("common paths", f"{len(summary['common']):,}, listed in run.json", "yellow"))
    if summary["stars"]:
        rows.append(("large families", f"{len(summary['stars']):,}, listed in run.json", "yellow"))
    return [*rows, ("scheme", summary["scheme"], "cyan"), *list_ends(summary, output)]
