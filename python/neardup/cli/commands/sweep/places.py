"""The places of a page: where it was, and on what date."""

from collections.abc import Iterable, Sequence

import click

from neardup.cli.shown.table import print_table
from neardup.output.json import write_json
from neardup.sweeps.locate import Location
from neardup.sweeps.trail import Visit


def print_places(places: Sequence[Location | Visit], head: str, told: Iterable[str | None], *, as_json: bool) -> None:
    """Print a row for each place, with what is told of it below `head`; or all as JSON."""
    if as_json:
        click.echo(write_json(places))
        return
    rows = [
        (place.date, one, place.overlap and place.overlap.resemblance, place.url)
        for place, one in zip(places, told, strict=True)
    ]
    print_table(("date", head, "resemblance", "url"), rows)
