"""`neardup index query`."""

import sys
from typing import TYPE_CHECKING, Any

import click

from neardup.cli.command import Command
from neardup.cli.commands.index.common import folder_argument, open_index, stack_document, use_extractor
from neardup.cli.options import options_for, refuse_needless
from neardup.output.written import plural, write_time

if TYPE_CHECKING:
    from neardup.index.hit import Hit, Hits
    from neardup.index.index import Index
    from neardup.jobs.explanation import Passage
COLUMNS = ("id", "url", "time", "resemblance", "containment", "contained_by", "rule", "duplicate_id", "group_size")
STACKED = ("document", "resem-\nblance", "contain-\nment", "con-\ntained by", "rule", "duplicate id\nand group")
"""Columns of the table on a terminal, which stacks id, first words, url and time."""
STYLES = ("bold", "green", "", "", "yellow", "dim")
AROUND = 60
"""Number of code points shown before and after a passage."""


def print_hits(hits: "Hits", index: "Index") -> None:
    """Print hits as a table, then their passages, and notes on hits that may be missing."""
    from neardup.cli.shown.table import print_table

    subject = index.subject
    # the last column exists only if a number other than the shares decides, as a Hamming distance
    end = None if subject else -1
    if not sys.stdout.isatty():
        print_table((*COLUMNS, "value")[:end], [(*_row(hit), _value(hit))[:end] for hit in hits])
    elif hits:
        columns = (*STACKED, subject or "")[:end]
        print_table(columns, [(*_stack(index, hit), _value(hit))[:end] for hit in hits], styles=(*STYLES, ""))
    else:
        click.echo("no hit")
    for hit in hits:
        if hit.passages is not None:
            _print_passages(hit, index.get(hit.id).text)
    for is_so, note in (
        (hits.thin, "the text has a small sample: documents that contain it may be missed"),
        (hits.cut, "a part of the text is too common, or too many documents share one: hits may be missed"),
    ):
        if is_so:
            click.echo(f"note: {note}", err=True)


def _value(hit: "Hit") -> float | None:
    value = hit.value
    return int(value) if value is not None and value.is_integer() else value


def _row(hit: "Hit") -> tuple[object, ...]:
    shares = (hit.resemblance, hit.containment, hit.contained_by)
    return hit.id, hit.url, write_time(hit.time), *shares, hit.rule, hit.duplicate_id, hit.group_size


def _stack(index: "Index", hit: "Hit") -> tuple[object, ...]:
    document = stack_document(index, hit.id, hit.url, write_time(hit.time))
    shares = (hit.resemblance, hit.containment, hit.contained_by)
    return document, *shares, hit.rule, (hit.duplicate_id, hit.group_size)


def _print_passages(hit: "Hit", text: str) -> None:
    from rich.console import Console
    from rich.text import Text

    from neardup.output.written import fold, show_plain

    console = Console(soft_wrap=True, highlight=False)
    before, after = ("[=", "=]") if console.no_color or not console.is_terminal else ("", "")
    console.print(Text(f"\n{show_plain(hit.id)}", style="bold"))
    for passage in hit.passages or []:
        start, end = passage.right.chars
        shown = Text.assemble((f"  {_count(passage)}: ", "dim"))
        shown.append("... " if start > AROUND else "", style="dim")
        shown.append(show_plain(text[max(0, start - AROUND) : start]), style="dim")
        shown.append(f"{before}{fold(text[start:end])}{after}", style="green")
        shown.append(show_plain(text[end : end + AROUND]), style="dim")
        shown.append(" ..." if end + AROUND < len(text) else "", style="dim")
        console.print(shown)


def _count(passage: "Passage") -> str:
    return f"{plural(passage.tokens, 'token')}, bytes {passage.right.bytes[0]}-{passage.right.bytes[1]}"


@click.command(cls=Command)
@folder_argument
@click.argument("text", required=False, metavar="[TEXT|-]")
@options_for("index query")
def query(
    folder: str,
    scheme: str | None,
    parts_scheme: str | None,
    read_only: bool,
    text: str | None,
    path: str | None,
    main_content: bool,
    extractor: str | None,
    as_json: bool,
    **question: Any,
) -> None:
    """Find the documents that resemble a text most.

    Each hit was compared in full; the best comes first. The text is TEXT, that of stdin (-), of a file, or of a
    document in the index. Containment in either direction needs an index with a table of parts.
    """
    from neardup.cli.texts import is_html, read_stdin, read_text
    from neardup.index.answers import describe_hits
    from neardup.output.json import write_json

    if sum(one is not None for one in (text, path, question["id"], question["url"])) != 1:
        raise click.UsageError("ask about one of TEXT, --file, --id, --url")
    if path is None or not is_html(path):
        refuse_needless(["main_content", "extractor"], "the text is not that of a file of HTML (--file, .html or .htm)")
    if text == "-":
        text = read_stdin()
    index = open_index(folder, scheme, parts_scheme, read_only=read_only)
    if path is not None:
        fields = {"main_content": main_content, "extractor": extractor}
        use_extractor(index, fields)
        text = read_text(path, fields)
    hits = index.query(text, **question)
    if as_json:
        click.echo(write_json(describe_hits(hits)))
    else:
        print_hits(hits, index)
