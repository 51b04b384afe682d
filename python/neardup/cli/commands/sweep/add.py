"""`neardup sweep add` and `stats`: what became of pages from one sweep to the next."""

from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from neardup.cli.command import Command
from neardup.cli.commands.sweep.options import store_argument
from neardup.cli.options import end_with, inputs_argument, options_for


@click.command(cls=Command)
@store_argument
@inputs_argument
@options_for("sweep create", "sweep add")
def add(
    store: str,
    inputs: tuple[str, ...],
    date: str,
    scheme: str | None,
    threshold: str | None,
    as_json: bool,
    quiet: bool,
    **options: Any,
) -> None:
    """Add the pages that were seen on one date.

    STORE is made by the first sweep, with the scheme that holds for all; another one is refused. INPUT is documents
    with a URL, read as in dedup; of a URL that comes twice the first one counts. Only texts that no sweep had are
    signed. Dates may come in any order. Printed is what became of the pages since the sweep before. Interrupted, it
    leaves the store as it was.
    """
    from neardup.cli.commands.sweep.shown import list_added
    from neardup.cli.options import InputName
    from neardup.cli.shown.progress import show_progress
    from neardup.cli.shown.summary import print_rows
    from neardup.errors import NeardupError, UsageError
    from neardup.output.json import write_json
    from neardup.sweeps.store import SweepStore, choose_scheme, is_store

    is_new = not is_store(store)
    if is_new:
        opened = SweepStore.create(store, scheme=scheme, threshold=threshold, extractor=options["extractor"])
    else:
        opened = SweepStore(store)
    with opened:
        if (scheme is not None or threshold is not None) and choose_scheme(scheme, threshold) != opened.scheme:
            raise UsageError(f"{store}: its scheme was chosen by its first sweep, and is {opened.scheme}")
        try:
            with show_progress(quiet=quiet, progress=options.pop("progress")) as progress:
                added = opened.add([InputName(name) for name in inputs], date, progress=progress, **options)
        except BaseException:
            # a new store without its first sweep is removed: the next command may choose another scheme
            if is_new:
                with suppress(NeardupError):
                    opened.discard()
            raise
    if as_json:
        click.echo(write_json(added))
    elif not quiet:
        print_rows(list_added(added, Path(store)))
    end_with(len(added.rejects))


@click.command(cls=Command)
@store_argument
@options_for("sweep stats")
def stats(store: str, output: str | None, overwrite: bool, as_json: bool) -> None:
    """Count how pages change, move, appear and vanish.

    Printed is a row for every interval between two sweeps: its days, what became of the pages, moves within a server
    and between servers, and the median resemblance of changed texts to those before.
    """
    from neardup import _core
    from neardup.cli.commands.sweep.shown import list_lives, print_intervals
    from neardup.cli.shown.summary import print_rows
    from neardup.sweeps.report_file import write_report
    from neardup.sweeps.store import SweepStore

    with SweepStore(store) as opened:
        found = opened.stats()
    if output is not None:
        write_report(_core.sweeps_page(found.json), "sweep stats", output, overwrite=overwrite)
    if as_json:
        click.echo(found.json)
        return
    print_intervals(found)
    print_rows(list_lives(found, output))
