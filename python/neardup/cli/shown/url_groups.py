"""Groups of URLs, printed."""

import json
import sys

import click

from neardup.cli.shown.summary import Row, print_rows
from neardup.cli.shown.table import list_ends, print_table
from neardup.cli.shown.unread import note_account
from neardup.results.account import Account
from neardup.urls.url_groups import UrlGroups


def print_url_groups(found: UrlGroups, *, output: str | None, as_json: bool, quiet: bool) -> None:
    """Print the summary as JSON, or the groups where they were not written to a folder."""
    if as_json:
        click.echo(json.dumps(found.summary, ensure_ascii=False))
    elif output is None and not quiet:
        # a blank cannot stand in a URL, but does in some that were written by hand
        urls = (" ".join("%20".join(url.split()) for url in group.urls) for group in found.groups)
        rows = [(group.canonical, group.size, joined) for group, joined in zip(found.groups, urls, strict=True)]
        print_table(("canonical", "documents", "urls"), rows)
    if not (as_json or quiet) and (output is not None or sys.stdout.isatty()):
        print_rows(list_rows(found, output))
    elif not (as_json or quiet):
        note_account(Account.of_run(found.summary))


def list_rows(found: UrlGroups, output: str | None) -> list[Row]:
    """Put the summary into words."""
    summary = found.summary
    rows = [
        ("documents", f"{summary['documents']:,}", "bold"),
        ("URLs", f"{summary['urls']:,} as written, {summary['canonical']:,} canonical", ""),
        ("groups", f"{summary['groups']:,}", "green"),
        ("duplicates", f"{summary['duplicates']:,}", "yellow"),
    ]
    return [*rows, *list_ends(summary, output)]
