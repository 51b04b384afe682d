"""`neardup serve`."""

from typing import Any

import click

from neardup.cli.command import Command
from neardup.cli.commands.index.common import folder_argument
from neardup.cli.options import options_for


@click.command(cls=Command)
@folder_argument
@options_for("serve")
def serve(
    folder: str,
    scheme: str | None,
    parts_scheme: str | None,
    host: str,
    port: int,
    tokens: str | None,
    names: tuple[str, ...],
    **bounds: Any,
) -> None:
    """Serve an index over HTTP, for programs and browsers.

    DIR is the folder of an index, of a run or of a gate. Beside the index, or in it, may be `documents.sqlite` (of a
    gate), `sweeps` (a store of sweeps) and `reviews`, which the service makes. Ctrl+C stops it, after pending
    requests are answered.
    """
    from neardup.errors import EnvironmentFault

    try:
        from neardup.service.server import listen, make_app, run
    except ImportError as error:
        raise EnvironmentFault(
            f"serving needs extra libraries: pip install 'neardup[serve]' ({error.name} is missing)"
        ) from error
    from neardup.service.server import own_names
    from neardup.service.state.limits import Limits
    from neardup.service.state.served_data import ServedData
    from neardup.service.state.tokens import Tokens

    known = None if tokens is None else Tokens.read(tokens)
    hosts = own_names(host, names, has_tokens=known is not None)
    limits = Limits(**bounds)
    served = ServedData.open(folder, scheme=scheme, parts=parts_scheme)
    with listen(host, port) as listening:
        place = f"[{host}]" if ":" in host else host
        address = f"http://{place}:{listening.getsockname()[1]}"
        greeting = f"{address}  serves {len(served.index):,} documents; Ctrl+C stops it"
        run(make_app(served, known, limits, hosts), listening, limits.seconds, lambda: click.echo(greeting))
