"""`neardup index query`."""

from typing import Any

import click

from neardup.cli.command import Command
from neardup.cli.commands.index.options import folder_argument, open_index
from neardup.cli.options import options_for


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
    as_json: bool,
    **question: Any,
) -> None:
    """Find the documents that resemble a text most.

    Each hit was compared in full; the best comes first. The text is TEXT, that of stdin (-), of a file, or of a
    document in the index. Containment in either direction needs an index with a table of parts.
    """
    from neardup.cli.commands.index.hits import print_hits
    from neardup.cli.needless import refuse_needless
    from neardup.cli.texts import is_html, read_stdin, read_text
    from neardup.index.answers import describe_hits
    from neardup.output.json import write_json

    if sum(one is not None for one in (text, path, question["id"], question["url"])) != 1:
        raise click.UsageError("ask about one of TEXT, --file, --id, --url")
    if path is None or not is_html(path):
        refuse_needless(["main_content"], "the text is not that of a file of HTML (--file, .html or .htm)")
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
