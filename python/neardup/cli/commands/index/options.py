"""What the commands of an index share."""

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from neardup.index.index import Index

folder_argument = click.argument("folder", metavar="DIR")


def open_index(
    folder: str, scheme: str | None, parts_scheme: str | None, peers: str | None = None, *, read_only: bool = False
) -> "Index":
    """Open the index in a folder."""
    from neardup.index.index import Index

    return Index.open(folder, scheme=scheme, parts=parts_scheme, peers=peers, read_only=read_only)
