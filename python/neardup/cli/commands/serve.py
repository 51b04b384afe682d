"""`neardup serve`."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from neardup.cli.command import Command
from neardup.cli.commands.index.common import folder_argument, open_index
from neardup.cli.options import options_for

if TYPE_CHECKING:
    from neardup.gate.gate import Gate
    from neardup.index.index import Index


@click.command(cls=Command)
@folder_argument
@options_for("serve")
def serve(folder: str, scheme: str | None, parts_scheme: str | None, **options: Any) -> None:
    """Serve an index over HTTP, for programs and browsers.

    DIR is the folder of an index, of a run or of a gate. Beside the index, or in it, may be `documents.sqlite` (of a
    gate), `sweeps` (a store of sweeps) and `reviews`, which the service makes. Ctrl+C stops it, after pending
    requests are answered.
    """
    serve_data(folder, lambda: open_index(folder, scheme, parts_scheme), **options)


def serve_data(
    folder: str,
    open_data: "Callable[[], Index | Gate]",
    *,
    host: str,
    port: int,
    tokens: str | None,
    names: tuple[str, ...],
    **bounds: Any,
) -> None:
    """Serve an index or a gate, and what is beside it in a folder; it is opened when the other options are valid."""
    from neardup.errors import EnvironmentFault
    from neardup.output.written import plural

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
    served = ServedData.of(open_data(), folder)
    with listen(host, port) as listening:
        place = f"[{host}]" if ":" in host else host
        address = f"http://{place}:{listening.getsockname()[1]}"
        greeting = f"{address}  serves {plural(len(served.index), 'document')}; Ctrl+C stops it"
        run(make_app(served, known, limits, hosts), listening, limits.seconds, lambda: click.echo(greeting))
