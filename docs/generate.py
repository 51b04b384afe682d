"""Write the pages of docs/reference that follow from the program itself; with --check, compare only."""

import sys
from pathlib import Path

import click

from neardup import _core
from neardup.classics import describe_classics
from neardup.cli import program

REFERENCE = Path(__file__).parent / "reference"


def write_cli() -> str:
    """Write reference/cli.md from the help of every command."""
    page = ["# The command line", "", "Generated from `--help` by `make docs`.", ""]
    context = click.Context(program, info_name="neardup", terminal_width=100, max_content_width=100)
    page += _section("neardup", program.get_help(context))
    page += _list_commands(program, context)
    return "\n".join(page)


def _list_commands(group: click.Group, context: click.Context) -> list[str]:
    """Write a section for every command of a group, and for those of groups in it."""
    page = []
    for name, command in sorted(group.commands.items()):
        inner = click.Context(command, info_name=name, parent=context, terminal_width=100, max_content_width=100)
        page += _section(inner.command_path, command.get_help(inner))
        if isinstance(command, click.Group):
            page += _list_commands(command, inner)
    return page


def _section(title: str, text: str) -> list[str]:
    return [f"## {title}", "", "```text", *(line.rstrip() for line in text.splitlines()), "```", ""]


def write_schemes() -> str:
    """Write reference/schemes.md: the page by hand, its table from the core."""
    page = (REFERENCE / "schemes.md").read_text(encoding="utf-8")
    head, mark, _ = page.partition("<!-- generated from here on by `make docs` -->\n")
    rows = [
        f"| {kind} | `{form}` | {_cell(arguments)} | {_cell(meaning)} | {source} |"
        for kind, form, arguments, meaning, source in _core.schemes()
    ]
    table = ["", "| stage | written | arguments and options | meaning | source |", "|---|---|---|---|---|", *rows, ""]
    classics = [f"| `{name}` | {meaning} | `{_cell(line)}` |" for name, line, meaning in describe_classics()]
    heading = [
        "## The classics",
        "",
        "The literature, each with the parameters of its paper: `--scheme NAME`, or a function of",
    ]
    heading += ["`neardup.classics` that takes other parameters.", "", "| name | meaning | scheme |", "|---|---|---|"]
    return head + mark + "\n".join([*table, *heading, *classics, ""])


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def main() -> int:
    """Write both pages, or say which of them is out of date."""
    stale = 0
    for name, text in (("cli.md", write_cli()), ("schemes.md", write_schemes())):
        path = REFERENCE / name
        if "--check" not in sys.argv:
            path.write_text(text, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            print(f"docs/reference/{name} is out of date: run make docs", file=sys.stderr)
            stale = 1
    return stale


if __name__ == "__main__":
    sys.exit(main())
