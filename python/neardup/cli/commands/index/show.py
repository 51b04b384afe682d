"""`neardup index show`."""

import click

from neardup.cli.command import Command
from neardup.cli.commands.index.options import folder_argument, open_index
from neardup.cli.options import options_for


@click.command(cls=Command)
@folder_argument
@click.argument("id", required=False, metavar="[ID]")
@options_for("index show")
def show(
    folder: str,
    scheme: str | None,
    parts_scheme: str | None,
    read_only: bool,
    id: str | None,  # noqa: A002 - the field has this name
    url: str | None,
    text: bool,
    as_json: bool,
) -> None:
    """Show a document by id or URL, and its cluster.

    Shown are its URL, time, verdict and evidence, and the documents of its cluster with theirs. A cluster is named by
    its smallest id, so that id shows all of it.
    """
    from neardup.cli.commands.index.card import print_document
    from neardup.errors import DataError
    from neardup.index.answers import describe_document

    if (id is None) == (url is None):
        raise click.UsageError("name an ID or a --url")
    index = open_index(folder, scheme, parts_scheme, read_only=read_only)
    if url is not None:
        id = index.of_url(url)  # noqa: A001
        if id is None:
            raise DataError(f"URL {url!r} is not in the index {index.folder}")
    found = describe_document(index, str(id), with_text=text)
    if as_json:
        import json

        click.echo(json.dumps(found, ensure_ascii=False))
    else:
        print_document(found)
