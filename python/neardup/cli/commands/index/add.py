"""`neardup index create` and `add`."""

from functools import partial
from typing import Any

import click

from neardup.cli.command import Command
from neardup.cli.commands.index.common import folder_argument, open_index, use_extractor
from neardup.cli.options import end_with, inputs_argument, options_for


@click.command(cls=Command)
@folder_argument
@click.argument("inputs", nargs=-1, metavar="[INPUT]...")
@options_for("index create", "index inputs")
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
    extractor: str | None,
    **options: Any,
) -> None:
    """Make an index, and add documents if any are named.

    INPUT is read as in dedup. The scheme, the policy and the limits hold for the life of the index. If adding ends
    early, the index keeps the documents added so far; `index add` adds the rest.
    """
    from neardup.cli.commands.index.admissions import add_inputs
    from neardup.index.index import Index

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
        extractor=extractor,  # type: ignore[arg-type]
    )
    if inputs and options["main_content"]:
        options["extractor"] = extractor
    end_with(add_inputs(make, inputs, again="`index add` with the same input", **options).rejected)


@click.command(cls=Command)
@folder_argument
@inputs_argument
@options_for("index add", "index inputs")
def add(
    folder: str,
    scheme: str | None,
    parts_scheme: str | None,
    inputs: tuple[str, ...],
    peers: str | None,
    **options: Any,
) -> None:
    """Add documents, and report which are duplicates.

    INPUT is read as in dedup; it may be another index. A document that is there already, to the letter, changes
    nothing, so the same command resumes after an interruption. Another document with an id that is there is refused.
    """
    from neardup.cli.commands.index.admissions import add_inputs

    find = partial(open_index, folder, scheme, parts_scheme, peers)
    if options["main_content"]:
        index = find()
        use_extractor(index, options)
        find = partial(lambda: index)
    end_with(add_inputs(find, inputs, **options).rejected)
