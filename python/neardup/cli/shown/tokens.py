"""The tokens of a text, on a terminal or in a pipe."""

import sys

import click

from neardup.jobs.tokens import WrittenToken
from neardup.output.written import plural, show_plain

STYLE = "bold yellow"
"""Style of a token of which more than the case was changed."""


def print_tokens(tokens: list[WrittenToken]) -> None:
    """Print tokens: on a terminal in a row, what was folded in colour with its written form; in a pipe a line each.

    A line has the token, the first byte and the byte after it, and, for a token that was folded, how it was written.
    """
    if not sys.stdout.isatty():
        for one in tokens:
            start, end = one.place.bytes
            written = f"\t{_show_line(one.written)}" if one.is_folded else ""
            click.echo(f"{_show_line(one.token)}\t{start}\t{end}{written}")
        return
    from rich.console import Console
    from rich.text import Text

    row = Text()
    for one in tokens:
        row.append(_show_line(one.token), style=STYLE if one.is_folded else "")
        if one.is_folded:
            row.append(f" ({_show_line(one.written)})", style="dim")
        row.append("  ")
    console = Console(highlight=False)
    console.print(row)
    folded = sum(one.is_folded for one in tokens)
    console.print(Text(f"{plural(len(tokens), 'token')}, {folded:,} of them folded", style="dim"))


def _show_line(text: str) -> str:
    """Make control and direction characters visible, and also tabs and line ends."""
    return "".join(f"<U+{ord(char):04X}>" if char in "\t\n\r" else char for char in show_plain(text))
