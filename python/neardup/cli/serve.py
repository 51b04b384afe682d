"""`neardup serve`."""

from typing import Any

import click

from neardup.cli.command import Command
from neardup.cli.index.options import index_options


@click.command(cls=Command)
@index_options
@click.option(
    "--host", default="127.0.0.1", show_default=True, help="Where to listen; beyond this machine only with --tokens."
)
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8765, show_default=True, help="0 takes any that is free."
)
@click.option(
    "--tokens",
    metavar="FILE",
    type=click.Path(dir_okay=False),
    help="Who may ask: lines of `read NAME TOKEN` or `write NAME TOKEN`.",
)
@click.option(
    "--name",
    "names",
    metavar="HOST",
    multiple=True,
    help="Another name by which the service is reached. May be repeated.",
)
@click.option(
    "--body",
    metavar="BYTES",
    type=click.IntRange(min=1024),
    default=4 << 20,
    show_default=True,
    help="Of a request, or of a line of a bulk one, at most.",
)
@click.option("--seconds", type=click.IntRange(1, 3600), default=30, show_default=True, help="That a request may take.")
@click.option("--requests", type=click.IntRange(min=1), default=256, show_default=True, help="Answered at a time.")
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
    """Serve an index, with what stands beside it, over HTTP and as pages for a browser.

    DIR is the folder of an index, of a run or of a gate. Beside the index, or in it, may stand `documents.sqlite` (of a
    gate), `sweeps` (a store of sweeps) and `reviews`, which the service makes. Ctrl+C stops it: what was asked for is
    answered first.
    """
    from neardup.errors import EnvironmentFault

    try:
        from neardup.service.app import make_app
        from neardup.service.server import listen, run
    except ImportError as error:
        raise EnvironmentFault(
            f"serving needs extra libraries: pip install 'neardup[serve]' ({error.name} is missing)"
        ) from error
    from neardup.service.holdings import Holdings
    from neardup.service.limits import Limits
    from neardup.service.names import own_names
    from neardup.service.tokens import Tokens

    known = None if tokens is None else Tokens.read(tokens)
    hosts = own_names(host, names, has_tokens=known is not None)
    limits = Limits(**bounds)
    holdings = Holdings.open(folder, scheme=scheme, parts=parts_scheme)
    with listen(host, port) as listening:
        place = f"[{host}]" if ":" in host else host
        address = f"http://{place}:{listening.getsockname()[1]}"
        greeting = f"{address}  serves {len(holdings.index):,} documents; Ctrl+C stops it"
        run(make_app(holdings, known, limits, hosts), listening, limits.seconds, lambda: click.echo(greeting))
