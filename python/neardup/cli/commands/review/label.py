"""`neardup review label`."""

import sys

import click

from neardup.cli.command import Command
from neardup.cli.commands.review import review_argument
from neardup.cli.options import options_for


@click.command(cls=Command)
@review_argument
@options_for("review label")
def label(
    review: str,
    who: str,
    view: str,
    doubts: bool,
    beyond: bool,
    precision: str | None,
    labels: int | None,
    as_json: bool,
) -> None:
    """Label pairs in the terminal, until the review ends.

    Keys: y duplicate, n not, u unsure, z undo the last label, v the other view, q quit. Each label is on the disk
    before the next pair is shown; the same command continues later. If the standard input is no terminal, each of its
    lines is a key or its word: duplicate, not, unsure, undo, quit.
    """
    from neardup.cli.commands.review.session import Session, read_keys, read_lines
    from neardup.cli.commands.review.shown import print_outlook
    from neardup.review.review import Review, check_who

    opened = Review.open(review)
    check_who(who)
    if precision is not None or labels is not None:
        opened.aim(precision=precision, labels=labels)
    answers = read_keys() if sys.stdin.isatty() else read_lines()
    Session(opened, who, sides=view == "sides", doubts=doubts, beyond=beyond, quiet=as_json).run(answers)
    print_outlook(opened, who=who, as_json=as_json)
