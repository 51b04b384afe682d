"""The commands by name."""

from collections.abc import Iterator, MutableMapping
from importlib import import_module

import click


class Commands(MutableMapping[str, click.Command]):
    """Commands that are imported when they are asked for, so that one does not wait for the others.

    The command `name` is the object of that name in the module `name` of the package `home`.
    """

    def __init__(self, *names: str, home: str = "neardup.cli.commands") -> None:
        self._home = home
        self._commands: dict[str, click.Command | None] = dict.fromkeys(names)

    def __getitem__(self, name: str) -> click.Command:
        command = self._commands[name]
        if command is None:
            module = import_module(f"{self._home}.{name}")
            command = self._commands[name] = getattr(module, name)
        return command

    def __setitem__(self, name: str, command: click.Command) -> None:
        self._commands[name] = command

    def __delitem__(self, name: str) -> None:
        del self._commands[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._commands)

    def __len__(self) -> int:
        return len(self._commands)
