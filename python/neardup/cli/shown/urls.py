"""Groups of URLs and mirrors, printed."""

import json
import sys
from typing import Any

import click

from neardup.cli.shown.summary import Row, print_rows
from neardup.cli.shown.table import list_ends, print_table
from neardup.cli.shown.unread import note_account
from neardup.output.written import plural
from neardup.results.account import Account
from neardup.urls.mirrors import MirrorPair, Mirrors
from neardup.urls.url_groups import UrlGroups

COLUMNS = ("hosts", "mirror", "shared", "paths", "resemblance", "first\npages", "same\naddress")
"""Columns of the table on a terminal, which stacks the two hosts of a pair."""


def print_mirrors(found: Mirrors, *, output: str | None, as_json: bool, quiet: bool) -> None:
    """Print the summary as JSON; otherwise the pairs, unless they were written to a folder, and the summary."""
    if as_json:
        click.echo(json.dumps(found.summary, ensure_ascii=False))
    elif output is None and not quiet:
        if sys.stdout.isatty():
            print_table(COLUMNS, [_stack(pair) for pair in found.pairs])
        else:
            print_table(MirrorPair._fields, found.pairs)
    if not (as_json or quiet):
        _print_summary(_mirror_rows(found, output), found.summary, output)


def _print_summary(rows: list[Row], summary: dict[str, Any], output: str | None) -> None:
    """Print the summary on a terminal or beside a folder; after rows in a pipe, only notes on what was not read."""
    if output is not None or sys.stdout.isatty():
        print_rows(rows)
    else:
        note_account(Account.of_run(summary))
        for note in summary.get("notes", []):
            click.echo(f"note: {note}", err=True)


def _mirror_rows(found: Mirrors, output: str | None) -> list[Row]:
    """Return the rows of the summary."""
    summary = found.summary
    rows = [
        ("hosts", f"{summary['hosts']:,}", "bold"),
        ("too small", f"{summary['too_small']:,} with fewer than {plural(summary['least_paths'], 'path')}", ""),
        ("pairs", f"{summary['pairs']:,} by paths, {summary['mirrors']:,} of them mirrors", "green"),
        ("groups", f"{summary['groups']:,} of {plural(summary['grouped'], 'host')}", "green"),
    ]
    if summary["addresses"]:
        rows.append(("addresses", f"{summary['addresses']:,} with several hosts: candidates only", ""))
    if summary["common"]:
        rows.append(("common paths", f"{len(summary['common']):,}, listed in run.json", "yellow"))
    if summary["stars"]:
        rows.append(("large families", f"{len(summary['stars']):,}, listed in run.json", "yellow"))
    return [*rows, ("scheme", summary["scheme"], "cyan"), *list_ends(summary, output)]


def _stack(pair: MirrorPair) -> tuple[object, ...]:
    return (
        (pair.left, pair.right),
        pair.mirror,
        pair.shared,
        (pair.left_paths, pair.right_paths),
        pair.resemblance,
        pair.first_pages if pair.page_resemblance is None else (pair.first_pages, pair.page_resemblance),
        pair.same_address,
    )


def print_url_groups(found: UrlGroups, *, output: str | None, as_json: bool, quiet: bool) -> None:
    """Print the summary as JSON; otherwise the groups, unless they were written to a folder, and the summary."""
    if as_json:
        click.echo(json.dumps(found.summary, ensure_ascii=False))
    elif output is None and not quiet:
        # a URL cannot contain a blank, but some that were written by hand do
        urls = (" ".join("%20".join(url.split()) for url in group.urls) for group in found.groups)
        rows = [(group.canonical, group.size, joined) for group, joined in zip(found.groups, urls, strict=True)]
        print_table(("canonical", "documents", "urls"), rows)
    if not (as_json or quiet):
        _print_summary(_url_rows(found, output), found.summary, output)


def _url_rows(found: UrlGroups, output: str | None) -> list[Row]:
    """Return the rows of the summary."""
    summary = found.summary
    rows = [
        ("documents", f"{summary['documents']:,}", "bold"),
        ("URLs", f"{summary['urls']:,} as written, {summary['canonical']:,} canonical", ""),
        ("groups", f"{summary['groups']:,}", "green"),
        ("duplicates", f"{summary['duplicates']:,}", "yellow"),
        ("kept", f"{summary['canonical']:,}, the {summary['keep']} of each group", "green"),
        *(("", note, "yellow") for note in summary["notes"]),
    ]
    return [*rows, *list_ends(summary, output)]
