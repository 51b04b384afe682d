"""`neardup gate serve`."""

from typing import Any

import click

from neardup.cli.command import Command
from neardup.cli.commands.gate.common import open_gate
from neardup.cli.commands.index.common import folder_argument
from neardup.cli.commands.serve import serve_data
from neardup.cli.options import options_for


@click.command(cls=Command)
@folder_argument
@options_for("gate serve")
def serve(
    folder: str, scheme: str | None, parts_scheme: str | None, store: str | None, schema: str, **options: Any
) -> None:
    """Serve a gate over HTTP, for programs and browsers.

    This is `neardup serve DIR`, for a gate only; its documents may be in PostgreSQL.
    """
    serve_data(folder, lambda: open_gate(folder, scheme, parts_scheme, store, schema), **options)
