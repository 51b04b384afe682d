"""Rows about the files and records of the inputs that were not read."""

from typing import Any

import click

from neardup.output.written import plural
from neardup.results.account import Account

IN_RUN = "see run.json"
IN_JSON = "--json lists them"


def list_account(account: Account, where: str = IN_RUN) -> list[tuple[str, str, str]]:
    """Return rows about the files and records that are not documents, or are flawed; none if there are none.

    `where` says where they are listed in full.
    """
    return [*_list_unread(account.files, where), *_list_passed_over(account.records)]


def note_account(account: Account) -> None:
    """Print the same rows to stderr, for a command that prints only its result to stdout."""
    for name, text, _ in list_account(account, ""):
        click.echo(f"note: {name}: {text}", err=True)


def _list_unread(files: dict[str, Any], where: str) -> list[tuple[str, str, str]]:
    rows: list[tuple[str, str, str]] = []
    end = f"; {where}" if where else ""
    if files["not_read"]:
        why = _list_kinds(files["reasons"])
        rows.append(("files not read", f"{files['not_read']:,} of {files['found']:,}: {why}{end}", "yellow"))
    if files["own_folders"]:
        rows.append(("not entered", f"{plural(files['own_folders'], 'folder')} that neardup made{end}", ""))
    return rows


def _list_passed_over(records: dict[str, Any]) -> list[tuple[str, str, str]]:
    rows: list[tuple[str, str, str]] = []
    if records["passed_over"]:
        text = f"{plural(records['passed_over'], 'record')} without a document: {_list_kinds(records['kinds'])}"
        rows.append(("passed over", text, ""))
    if flaws := records["flaws"]:
        rows.append(("flawed", f"{_list_kinds(flaws)}; they are read as well as possible", "yellow"))
    return rows


def _list_kinds(kinds: dict[str, int]) -> str:
    ordered = sorted(kinds.items(), key=lambda kind: (-kind[1], kind[0]))
    listed = ", ".join(f"{count:,} {kind}" for kind, count in ordered[:5])
    return f"{listed} and {plural(len(ordered) - 5, 'other kind')}" if len(ordered) > 5 else listed
