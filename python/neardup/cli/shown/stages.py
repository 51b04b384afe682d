"""Stages, profiles, classics and chosen schemes, as text, table or JSON."""

import json
import sys

import click

from neardup import _core
from neardup.schemes.classics import CLASSICS
from neardup.schemes.defaults import DEFAULT_RECALL, DEFAULT_THRESHOLD
from neardup.schemes.line import write_scheme
from neardup.schemes.named import describe
from neardup.schemes.plan import plan_scheme
from neardup.schemes.profiles import PROFILES

POINTS = 21


def print_stages(*, as_json: bool) -> None:
    """Print all stages (kind, form, arguments, meaning, source), and the named schemes (name, line)."""
    stages, profiles, classics = _core.schemes(), describe(PROFILES), describe(CLASSICS)
    if as_json:
        keys, names = ("kind", "form", "arguments", "meaning", "source"), ("name", "scheme", "meaning")
        found = {
            "stages": [dict(zip(keys, stage, strict=True)) for stage in stages],
            "profiles": [dict(zip(names, profile, strict=True)) for profile in profiles],
            "classics": [dict(zip(names, classic, strict=True)) for classic in classics],
        }
        click.echo(json.dumps(found, ensure_ascii=False))
        return
    if not sys.stdout.isatty():
        for stage in stages:
            click.echo("\t".join(stage))
        for kind, named in (("profile", profiles), ("classic", classics)):
            for name, line, meaning in named:
                click.echo("\t".join((kind, name, line, meaning, "")))
        return
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table("kind", "stage", "meaning", "source", box=None, header_style="bold")
    before = ""
    for kind, form, arguments, meaning, source in stages:
        if before and kind != before:
            table.add_section()
        about = Text.assemble(meaning, (f"\n{arguments}" if arguments else "", "dim"))
        table.add_row(
            kind if kind != before else "", Text(form, style="cyan", overflow="fold"), about, Text(source, style="dim")
        )
        before = kind
    console = Console()
    console.print(table)
    console.print(Text("\nA profile or a classic goes by its name: --scheme short, --scheme henzinger", style="dim"))
    for kind, rows in (("profile", profiles), ("classic", classics)):
        shown = Table(kind, "meaning and scheme", box=None, header_style="bold")
        for name, line, meaning in rows:
            shown.add_row(Text(name, style="cyan"), Text.assemble(meaning, (f"\n{line}", "dim")))
        console.print()
        console.print(shown)


def print_scheme(line: str | None, threshold: str | None, recall: str | None, *, as_json: bool) -> None:
    """Print a chosen scheme with its notes and, for bands, the probability that a pair shares a key, by resemblance."""
    if line:
        scheme = _core.Scheme(write_scheme(line, threshold))
    else:
        scheme = plan_scheme(threshold or DEFAULT_THRESHOLD, recall or DEFAULT_RECALL)
    points = _core.curve(str(scheme), POINTS)
    if as_json:
        found = {"scheme": str(scheme), "verified": scheme.verified, "notes": scheme.notes, "curve": points}
        click.echo(json.dumps(found, ensure_ascii=False))
        return
    for text in (str(scheme), *(f"note: {note}" for note in scheme.notes)):
        _print_line(text)
    if points:
        click.echo("\nresemblance  probability of sharing a key")
    for resemblance, probability in points:
        click.echo(f"{resemblance:>11.2f}  {probability:7.4f}  {'#' * round(probability * 40)}")


def _print_line(line: str) -> None:
    """Print a line; on a terminal it is wrapped between words."""
    if not sys.stdout.isatty():
        click.echo(line)
        return
    from rich.console import Console
    from rich.text import Text

    Console().print(Text(line))
