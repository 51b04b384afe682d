"""`neardup explain`."""

from typing import Any

import click

from neardup.cli.command import Command
from neardup.cli.options import scheme_option, threshold_option


@click.command(cls=Command)
@click.argument("left", metavar="A")
@click.argument("right", metavar="B")
@click.option(
    "--in",
    "inputs",
    metavar="PATH",
    multiple=True,
    help="Documents to look A and B up in: A and B are then ids (SOURCE:ROW without --id-field). May be repeated.",
)
@click.option("--text-field", metavar="NAME", help="Field with the text.  [default: text]")
@click.option("--html-field", metavar="NAME", help="Field with HTML, from which the text is taken instead.")
@click.option("--main-content", is_flag=True, help="Take the main content of HTML only.")
@click.option("--id-field", metavar="NAME", help="Field with the id.")
@threshold_option
@scheme_option
@click.option(
    "--measure",
    "measures",
    metavar="NAME",
    multiple=True,
    help="A further measure to show, as cosine, lcs:words or levenshtein:jamo. May be repeated.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the evidence as JSON.")
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
    from neardup.cli.explanation import print_evidence
    from neardup.cli.texts import find_texts
    from neardup.explanation import explain as verb
    from neardup.plain import write_json

    texts = find_texts(left, right, inputs, fields)
    evidence = verb(*texts, scheme=scheme, threshold=threshold, measures=measures)
    if as_json:
        click.echo(write_json(evidence))
    else:
        print_evidence(evidence, left, right)
