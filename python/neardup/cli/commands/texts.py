"""The commands about texts that are named one by one: explain and fold."""

from typing import Any

import click

from neardup.cli.command import Command
from neardup.cli.options import options_for


@click.command(cls=Command)
@click.argument("left", metavar="A")
@click.argument("right", metavar="[B]", required=False)
@options_for("explain")
def explain(
    left: str,
    right: str | None,
    inputs: tuple[str, ...],
    scheme: str | None,
    threshold: str | None,
    measures: tuple[str, ...],
    tokens: bool,
    as_json: bool,
    **fields: Any,
) -> None:
    """Show why two documents are, or are not, near-duplicates.

    A and B are files with one document each, or, with --in, ids of documents. Printed are the score, both
    containments, the shared passages with their byte spans, and the difference word by word. With --tokens, the
    tokens of A alone: in a pipe a line each, with its place in bytes, and how it was written if it was folded.
    """
    from neardup.cli.options import refuse_needless
    from neardup.cli.shown.explanation import print_evidence
    from neardup.cli.shown.tokens import print_tokens
    from neardup.cli.texts import find_texts, is_html
    from neardup.jobs.explanation import explain as verb
    from neardup.jobs.tokens import list_tokens
    from neardup.output.json import write_json

    if not inputs:
        why = "A and B are files here, and have no fields; name INPUT by --in"
        refuse_needless(fields.keys() - {"main_content", "extractor", "encoding"}, why)
        if not (is_html(left) or (right is not None and is_html(right))):
            refuse_needless(["main_content", "extractor"], "neither A nor B is HTML (.html, .htm)")
    if tokens:
        if right is not None:
            raise click.UsageError("--tokens prints the tokens of A: leave out B")
        refuse_needless(["measures"], "--tokens compares nothing")
        [text] = find_texts((left,), inputs, fields)
        found = list_tokens(text, scheme=scheme, threshold=threshold)
        if as_json:
            click.echo(write_json([{**one._asdict(), "folded": one.is_folded} for one in found]))
        else:
            print_tokens(found)
        return
    if right is None:
        raise click.UsageError("Missing argument 'B'; --tokens takes A alone")
    left_text, right_text = find_texts((left, right), inputs, fields)
    evidence = verb(left_text, right_text, scheme=scheme, threshold=threshold, measures=measures)
    if as_json:
        click.echo(write_json(evidence))
    else:
        print_evidence(evidence, left, right)


@click.command(cls=Command)
@click.argument("results", metavar="RESULTS")
@options_for("fold")
def fold(results: str, threshold: str | None, scheme: str | None, as_json: bool, **fields: Any) -> None:
    """Fold near-duplicates in a ranked list.

    RESULTS is a file of documents, the best first, or - for JSONL from stdin. A result that matches a shown one,
    checked on the full texts, is listed behind it. Each row is a shown result: its rank, its URL or id, and the ranks
    of those behind it.
    """
    from neardup.cli.options import is_given
    from neardup.cli.shown.table import print_table
    from neardup.cli.shown.unread import note_account
    from neardup.inputs.document import Document
    from neardup.jobs.fold import fold as verb
    from neardup.jobs.read import read_as
    from neardup.options.values import translate
    from neardup.output.json import write_json

    reading = read_as([results], translate(fields), url_is_default=not is_given("url_field"))
    found = list(reading)
    note_account(reading.account)
    # the ids are the ranks, because a list of results may name a document twice
    ranked = [Document(document.text, str(rank)) for rank, document in enumerate(found, 1)]
    folded = verb(ranked, threshold, scheme)

    def describe(result: Document) -> dict[str, object]:
        document = found[int(str(result.id)) - 1]
        return {"rank": int(str(result.id)), "id": document.id, "url": document.url}

    shown = [(describe(one.best), [describe(other) for other in one.others]) for one in folded]
    if as_json:
        click.echo(write_json([{**best, "others": others} for best, others in shown]))
        return
    rows = [
        (best["rank"], best["url"] or best["id"], " ".join(str(other["rank"]) for other in others))
        for best, others in shown
    ]
    print_table(("rank", "result", "folded"), rows)
