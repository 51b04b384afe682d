"""Write the pages that are generated from the program or from measurements; with --check, only compare them."""

import sys
from collections.abc import Callable
from pathlib import Path

import click

from formats_page import write_format_table
from http_page import write_requests
from neardup import _core
from neardup.classics import CLASSICS
from neardup.cli import program
from neardup.options.option import Option
from neardup.options.table import OPTIONS
from neardup.profiles import PROFILES
from neardup.schemes.named import describe, find_threshold
from pages import fill, write_table
from planning.page import write_cluster_page
from scaling.page import write_page

DOCS = Path(__file__).parents[2] / "docs"
REFERENCE = DOCS / "reference"


def write_cli() -> str:
    """Return reference/cli.md, made from the help of every command."""
    page = ["# The command line", "", "Generated from `--help` by `make docs`.", ""]
    page += _write_help(program, "neardup", None)
    return "\n".join(page)


def _write_help(command: click.Command, name: str, parent: click.Context | None) -> list[str]:
    """Write the help of a command, and of its subcommands if it is a group."""
    context = click.Context(command, info_name=name, parent=parent, terminal_width=100, max_content_width=100)
    page = _section(context.command_path, command.get_help(context))
    if isinstance(command, click.Group):
        for inner, one in sorted(command.commands.items()):
            page += _write_help(one, inner, context)
    return page


def _section(title: str, text: str) -> list[str]:
    return [f"## {title}", "", "```text", *(line.rstrip() for line in text.splitlines()), "```", ""]


def write_schemes() -> str:
    """Return reference/schemes.md: text written by hand, and a table from the core."""
    page = (REFERENCE / "schemes.md").read_text(encoding="utf-8")
    head, mark, _ = page.partition("<!-- generated from here on by `make docs` -->\n")
    rows = [
        f"| {kind} | `{form}` | {_cell(arguments)} | {_cell(meaning)} | {source} |"
        for kind, form, arguments, meaning, source in _core.schemes()
    ]
    table = ["", "| stage | written | arguments and options | meaning | source |", "|---|---|---|---|---|", *rows, ""]
    profiles = (
        "Chosen by labelled sets, as [the guide](../guides/profiles.md) describes: `--scheme NAME`, or a function of"
    )
    classics = "The literature, each with the parameters of its paper: `--scheme NAME`, or a function of"
    named = [*_write_named("profiles", profiles, PROFILES), *_write_named("classics", classics, CLASSICS)]
    return head + mark + "\n".join([*table, *named])


def write_http() -> str:
    """Return reference/http.md: text written by hand, and the requests from the service's OpenAPI description."""
    return fill((REFERENCE / "http.md").read_text(encoding="utf-8"), {"requests": write_requests()})


def write_python() -> str:
    """Return reference/python.md: text written by hand, and the options from their table."""
    rows = [
        [
            f"`{option.name}`",
            ", ".join(option.verbs),
            f"`{_cell(option.type)}`",
            _default(option),
            option.help_for_python(),
        ]
        for option in OPTIONS
        if option.in_python
    ]
    table = write_table(["option", "verbs", "type", "default", "meaning"], [list(map(str, row)) for row in rows])
    return fill((REFERENCE / "python.md").read_text(encoding="utf-8"), {"options": table})


def write_outputs() -> str:
    """Return reference/outputs.md: text written by hand, and the columns of result tables from the core."""
    tables = {}
    for table, columns in _core.result_tables().items():
        rows = [[name, kind, meaning] for name, kind, _, meaning in columns]
        tables[f"columns of {table}"] = write_table(["column", "type", "meaning"], rows)
    return fill((REFERENCE / "outputs.md").read_text(encoding="utf-8"), tables)


def write_formats() -> str:
    """Return reference/formats.md: text written by hand, and the formats from the core."""
    return fill((REFERENCE / "formats.md").read_text(encoding="utf-8"), {"formats": write_format_table()})


def write_text() -> str:
    """Return concepts/text.md: text written by hand, and the folds and styles of comments from the core."""
    tables = {
        "folds": write_table(["fold", "what it maps"], ([f"`{name}`", meaning] for name, meaning in _core.folds())),
        "comments": write_table(
            ["style", "what is a comment"], ([f"`{name}`", meaning] for name, meaning in _core.comment_styles())
        ),
    }
    return fill((DOCS / "concepts" / "text.md").read_text(encoding="utf-8"), tables)


def _default(option: Option) -> str:
    return "" if option.default is None else f"`{option.default!r}`"


def _write_named(kind: str, about: str, schemes: dict[str, Callable[[], _core.Scheme]]) -> list[str]:
    """Write a section of named schemes."""
    rows = [
        f"| `{name}` | {meaning} | `{_cell(line)}` | {find_threshold(name) or '-'} |"
        for name, line, meaning in describe(schemes)
    ]
    more = f"`neardup.{kind}` that takes other parameters. Where there is a threshold, `--threshold` replaces it."
    head = [f"## The {kind}", "", about, more, ""]
    return [*head, "| name | meaning | scheme | threshold |", "|---|---|---|---|", *rows, ""]


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def main() -> int:
    """Write all pages, or with --check print those that are out of date."""
    stale = 0
    own = {
        "cli.md": write_cli(),
        "schemes.md": write_schemes(),
        "http.md": write_http(),
        "python.md": write_python(),
        "outputs.md": write_outputs(),
        "formats.md": write_formats(),
    }
    pages = {**{REFERENCE / name: text for name, text in own.items()}, **write_page(), **write_cluster_page()}
    pages[DOCS / "concepts" / "text.md"] = write_text()
    for path, text in pages.items():
        if "--check" not in sys.argv:
            path.write_text(text, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            print(f"docs/{path.relative_to(DOCS)} is out of date: run make docs", file=sys.stderr)
            stale = 1
    return stale


if __name__ == "__main__":
    sys.exit(main())
