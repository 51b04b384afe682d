"""`neardup review new`."""

from typing import Any

import click

from neardup.cli.command import Command
from neardup.cli.commands.review import review_argument
from neardup.cli.options import inputs_argument, options_for


@click.command(cls=Command)
@review_argument
@inputs_argument
@options_for("review new")
def new(
    review: str,
    inputs: tuple[str, ...],
    precision: str | None,
    labels: int | None,
    as_json: bool,
    quiet: bool,
    progress: str,
    **options: Any,
) -> None:
    """List the pairs of documents, and draw a sample for people to label.

    INPUT is documents, read as in dedup, or the folder of an index, whose scheme is then under review. All pairs at or
    above the floor are listed, including those below the threshold of the scheme.
    """
    from neardup.cli.commands.review.shown import print_outlook
    from neardup.cli.options import InputName
    from neardup.cli.shown.progress import show_progress
    from neardup.review.goal import Goal
    from neardup.review.review import Review

    # refuses a wrong goal before anything is read
    Goal().change(precision, labels)
    with show_progress(quiet=quiet, progress=progress) as bars:
        made = Review.create(review, [InputName(name) for name in inputs], progress=bars, **options)
    if precision is not None or labels is not None:
        made.aim(precision=precision, labels=labels)
    if not quiet or as_json:
        print_outlook(made, as_json=as_json)
