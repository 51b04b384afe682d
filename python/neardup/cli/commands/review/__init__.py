"""`neardup review`: each command opens a review, calls one of its verbs, and prints."""

import click

from neardup.cli.command import Commands

review_argument = click.argument("review", metavar="REVIEW")


@click.group(
    commands=Commands(
        "neardup.cli.commands.review", new="new", label="label", draw="draw", estimate="estimate", export="export"
    )
)
def review() -> None:
    """Label a sample of pairs until a threshold is known.

    A review is a folder: the pairs of documents, a sample of them, and a log of labels that only grows. It asks for the
    pairs that decide most, and ends by itself. Several people may label it at the same time, also in the browser:
    `neardup serve DIR` shows the reviews in DIR/reviews.
    """
