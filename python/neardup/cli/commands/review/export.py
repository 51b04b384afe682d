"""`neardup review export`."""

import click

from neardup.cli.command import Command
from neardup.cli.commands.review import review_argument


@click.command(cls=Command)
@review_argument
def export(review: str) -> None:
    """Print the decided pairs as lines of JSON, which `neardup evaluate` reads as labels."""
    from neardup.output.json import write_json
    from neardup.review.review import Review

    for row in Review.open(review).export():
        click.echo(write_json(row))
