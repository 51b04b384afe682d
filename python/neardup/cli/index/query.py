"""`neardup index query`."""

from typing import Any

import click

from neardup.cli.command import Command
from neardup.cli.index.options import index_options, json_option, open_index, read_only_option
from neardup.cli.options import main_content_option


@click.command(cls=Command)
@index_options
@read_only_option
@click.argument("text", required=False, metavar="[TEXT|-]")
@click.option("--file", "path", metavar="FILE", help="Ask about the text of a file: plain text, or HTML by its suffix.")
@main_content_option
@click.option("--id", "id", metavar="ID", help="Ask about the document of this id; it is no hit itself.")
@click.option("--url", metavar="URL", help="Ask about the document of this URL; it is no hit itself.")
@click.option(
    "--by",
    type=click.Choice(["resemblance", "containment", "contained-by"]),
    default="resemblance",
    show_default=True,
    help="What makes a better hit: resemblance; the share of the text in the document, or that of the document in it.",
)
@click.option("--threshold", metavar="NUMBER", help="The least of it.  [default: what the scheme says; of shares any]")
@click.option("--limit", type=click.IntRange(min=1), default=10, show_default=True, help="Hits at most.")
@click.option("--passages", is_flag=True, help="Show where every hit says the same as the text.")
@json_option
def query(
    folder: str,
    scheme: str | None,
    parts_scheme: str | None,
    read_only: bool,
    text: str | None,
    path: str | None,
    main_content: bool,
    as_json: bool,
    **question: Any,
) -> None:
    """Find the documents most like a text.

    Each hit was compared in full; the best comes first. The text is TEXT, that of stdin (-), of a file, or of a
    document in the index. Containment in either direction needs an index with a table of parts.
    """
    from neardup.cli.index.hits import print_hits
    from neardup.cli.texts import read_stdin, read_text
    from neardup.live.answers import describe_hits
    from neardup.plain import write_json

    if sum(one is not None for one in (text, path, question["id"], question["url"])) != 1:
        raise click.UsageError("ask about one of TEXT, --file, --id, --url")
    if text == "-":
        text = read_stdin()
    if path is not None:
        text = read_text(path, {"main_content": main_content})
    index = open_index(folder, scheme, parts_scheme, read_only=read_only)
    hits = index.query(text, **question)
    if as_json:
        click.echo(write_json(describe_hits(hits)))
    else:
        print_hits(hits, index)
