"""A command that refuses an option which is given twice: the last one would silently win."""

from typing import Any

import click


class Command(click.Command):
    """A command each of whose options is given once, except for lists."""

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
