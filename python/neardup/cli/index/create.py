"""`neardup index create`."""

from typing import Any

import click

from neardup.cli.command import Command
from neardup.cli.index.options import adding_options, folder_argument
from neardup.cli.options import scheme_options


@click.command(cls=Command)
@folder_argument
@click.argument("inputs", nargs=-1, metavar="[INPUT]...")
@scheme_options
@click.option("--parts", is_flag=True, help="A second table of keys, for texts that stand in one another.")
@click.option(
    "--parts-scheme", metavar="LINE", help="The scheme of that table; it begins as that of the index. Implies --parts."
)
@click.option(
    "--policy",
    type=click.Choice(["first", "earliest"]),
    default="first",
    show_default=True,
    help="Which of several is kept: the one that came first, or the one with the smallest time.",
)
@click.option("--ttl", metavar="AGE", help="Documents go that came longer ago: seconds, or 90s, 15m, 12h, 30d, 2w, 1y.")
@click.option(
    "--most",
    type=click.IntRange(min=1),
    help="The oldest documents go while more than this are kept; copies do not count.",
)
@click.option(
    "--folders", type=click.IntRange(1, 1024), help="Split keys and texts over so many folders.  [default: one, whole]"
)
@adding_options
def create(
    folder: str,
    inputs: tuple[str, ...],
    scheme: str | None,
    threshold: str | None,
    recall: str | None,
    parts: bool,
    parts_scheme: str | None,
    policy: str,
    ttl: str | None,
    most: int | None,
    folders: int | None,
    **options: Any,
) -> None:
    """Make an index, and add documents if any are named.

    INPUT is read as in dedup. The scheme, the policy and the limits hold for the life of the index. Where adding ends
    early, the index stays with what was added; `index add` adds the rest.
    """
    from functools import partial

    from neardup.cli.index.adding import add_inputs
    from neardup.live.index import Index

    make = partial(
        Index.create,
        folder,
        scheme=scheme,
        threshold=threshold,
        recall=recall,
        parts=parts_scheme or parts,
        policy=policy,  # type: ignore[arg-type]
        ttl=ttl,
        most=most,
        folders=folders,
    )
    add_inputs(make, inputs, again="`index add` with the same input", **options)
