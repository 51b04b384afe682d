"""`neardup schemes`."""

import click

from neardup.cli.command import Command
from neardup.cli.options import options_for


@click.command(cls=Command)
@options_for("schemes")
def schemes(scheme: str | None, threshold: str | None, recall: str | None, as_json: bool) -> None:
    """List the stages of schemes, the profiles and the classics.

    With an option, the scheme that it chooses is shown: with every choice filled in, what to know of it, and, of bands,
    the probability that a pair shares a key, by resemblance.
    """
    from neardup.cli.shown.stages import print_scheme, print_stages
    from neardup.errors import UsageError

    if scheme and recall:
        raise UsageError("a scheme states its own keys: leave out --recall")
    if scheme or threshold or recall:
        print_scheme(scheme, threshold, recall, as_json=as_json)
    else:
        print_stages(as_json=as_json)
