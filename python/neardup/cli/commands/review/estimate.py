"""`neardup review estimate`."""

import click

from neardup.cli.command import Command
from neardup.cli.commands.review import review_argument
from neardup.cli.options import options_for


@click.command(cls=Command)
@review_argument
@options_for("review estimate")
def estimate(review: str, threshold: str | None, as_json: bool) -> None:
    """Show what the labels say: precision and recall with their intervals, and the threshold that they support.

    In a pipe there is a row for every threshold: its pairs, precision, recall and F1, each with the ends of its
    interval. With --json, there are also the strata, the agreement of reviewers, and the labels for a second look.
    """
    from neardup.cli.commands.review.shown import print_estimates
    from neardup.review.review import Review

    print_estimates(Review.open(review), threshold, as_json=as_json)
