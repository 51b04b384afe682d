"""`neardup sweep`: pages over time."""

import click

from neardup.cli.lazy import Commands


@click.group(commands=Commands("add", "locate", "history", "contacts", "stats", home="neardup.cli.commands.sweep"))
def sweep() -> None:
    """Keep sweeps of a collection, and ask where pages moved.

    A sweep is all documents that were seen on one date, each with its URL. STORE is the folder that keeps them.
    """
