"""`neardup review draw`."""

import click

from neardup.cli.command import Command
from neardup.cli.commands.review import review_argument
from neardup.cli.options import options_for


@click.command(cls=Command)
@review_argument
@click.argument("inputs", nargs=-1, metavar="[INPUT]...")
@options_for("review draw")
def draw(review: str, inputs: tuple[str, ...], each: int | None, as_json: bool) -> None:
    """Draw more pairs when those that decide are used up; all labels stay.

    The list of pairs stays, too. Its documents are read again from where the review read them, or from INPUT if they
    have moved; a document that has changed since is named. People may label pairs meanwhile, and get the new ones
    at once.
    """
    from neardup.cli.commands.review.shown import print_outlook
    from neardup.cli.options import InputName
    from neardup.review.review import Review

    opened = Review.open(review)
    opened.draw(each=each, inputs=[InputName(name) for name in inputs] or None)
    print_outlook(opened, as_json=as_json)
