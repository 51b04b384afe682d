"""Commands that refuse an option given twice, and groups that import a command when it is called."""

from collections.abc import Iterator, MutableMapping
from importlib import import_module
from typing import Any

import click


class Commands(MutableMapping[str, click.Command]):
    """Commands that are imported on first use, so that one does not wait for the others.

    Each keyword names a module of the package `home`; its value lists the commands that the module defines.
    """

    def __init__(self, home: str, **modules: str) -> None:
        self._modules = {name: f"{home}.{module}" for module, names in modules.items() for name in names.split()}
        self._commands: dict[str, click.Command | None] = dict.fromkeys(self._modules)

    def __getitem__(self, name: str) -> click.Command:
        command = self._commands[name]
        if command is None:
            command = self._commands[name] = getattr(import_module(self._modules[name]), name)
        return command

    def __setitem__(self, name: str, command: click.Command) -> None:
        self._commands[name] = command

    def __delitem__(self, name: str) -> None:
        del self._commands[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._commands)

    def __len__(self) -> int:
        return len(self._commands)


class Command(click.Command):
    """A command that accepts each option once, except lists."""

    def make_parser(self, ctx: click.Context) -> Any:
        """Make the parser of the arguments."""
        parser: Any = super().make_parser(ctx)
        parse = parser.parse_args

        def parse_once(args: list[str]) -> Any:
            values, rest, order = parse(args=args)
            for option in order:
                is_single = isinstance(option, click.Option) and not option.multiple and not option.count
                if is_single and order.count(option) > 1:
                    raise click.BadOptionUsage(str(option.name), f"{option.opts[-1]} is given twice.", ctx)
            return values, rest, order

        parser.parse_args = parse_once
        return parser
