"""The commands by name."""

from importlib import import_module

import click

NAMES = ("cluster", "dedup", "explain", "pairs", "schemes")


class Commands(click.Group):
    """Commands that are imported when they are asked for, so that one does not wait for the others.

    The command `name` is the object of that name in `neardup.cli.name`.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Name all commands, in order."""
        return list(NAMES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Return a command; None when there is none of the name."""
        if cmd_name not in NAMES:
            return None
        command: click.Command = getattr(import_module(f"neardup.cli.{cmd_name}"), cmd_name)
        return command
