"""`neardup sweep`: pages over time."""

import click

from neardup.cli.command import Commands


@click.group(
    commands=Commands(
        "neardup.cli.commands.sweep",
        add="add stats",
        changes="changes",
        sweeps="list remove",
        locate="locate history",
        contacts="contacts",
    )
)
def sweep() -> None:
    """Keep sweeps of a collection, and ask where pages moved.

    A sweep is all documents that were seen on one date, each with its URL. STORE is the folder that keeps them.
    """
