"""`neardup explain`."""

from typing import Any

import click

from neardup.cli.command import Command
from neardup.cli.options import options_for


@click.command(cls=Command)
@click.argument("left", metavar="A")
@click.argument("right", metavar="B")
@options_for("explain")
def explain(
    left: str,
    right: str,
    inputs: tuple[str, ...],
    scheme: str | None,
    threshold: str | None,
    measures: tuple[str, ...],
    as_json: bool,
    **fields: Any,
) -> None:
    """Show why two documents are, or are not, near-duplicates.

    A and B are files with one document each, or, with --in, ids of documents. Printed are the score, both
    containments, the shared passages with their byte spans, and the difference word by word.
    """
    from neardup.cli.needless import refuse_needless
    from neardup.cli.shown.explanation import print_evidence
    from neardup.cli.texts import find_texts, is_html
    from neardup.jobs.explanation import explain as verb
    from neardup.output.json import write_json

    if not inputs:
        why = "A and B are files here, and have no fields; name INPUT by --in"
        refuse_needless(fields.keys() - {"main_content"}, why)
        if not (is_html(left) or is_html(right)):
            refuse_needless(["main_content"], "neither A nor B is HTML (.html, .htm)")
    texts = find_texts(left, right, inputs, fields)
    evidence = verb(*texts, scheme=scheme, threshold=threshold, measures=measures)
    if as_json:
        click.echo(write_json(evidence))
    else:
        print_evidence(evidence, left, right)
