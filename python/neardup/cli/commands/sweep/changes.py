"""`neardup sweep changes`: the list of what became of every page."""

from pathlib import PurePath

import click

from neardup.cli.command import Command
from neardup.cli.commands.sweep.options import store_argument
from neardup.cli.options import options_for, refuse_needless
from neardup.errors import UsageError

PAGES, TABLES = (".html", ".htm"), (".csv",)
"""Suffixes of the files that can be written."""


@click.command(cls=Command)
@store_argument
@options_for("sweep changes")
def changes(
    store: str,
    output: str | None,
    start: str | None,
    end: str | None,
    kinds: tuple[str, ...],
    overwrite: bool,
    as_json: bool,
    as_csv: bool,
) -> None:
    """List what became of each page from sweep to sweep.

    Each row has the dates of both sweeps, the kind of the step (changed, moved, moved+changed, new, gone, replaced, and
    same if it is asked for), the URL before and after, the resemblance of both texts, and a remark. The rows come by
    date, and of one date by URL.
    """
    from neardup import _core
    from neardup.cli.commands.sweep.shown import list_counts, print_changes
    from neardup.cli.shown.summary import print_rows
    from neardup.output.json import write_array
    from neardup.sweeps.change_table import write_csv, write_table
    from neardup.sweeps.report_file import write_report
    from neardup.sweeps.store import SweepStore

    suffix = PurePath(output or "").suffix.lower()
    if output is not None and suffix not in (*PAGES, *TABLES):
        raise UsageError(f"{output}: the name ends in .csv for a table, or in .html for a page with a timeline")
    if as_json:
        refuse_needless(["as_csv"], "the list is printed once; leave out one of --csv and --json")
    with SweepStore(store) as opened:
        asked = start, end, kinds
        if output is not None and suffix in TABLES:
            write_table(opened.changes(*asked), output, overwrite=overwrite)
        elif output is not None:
            page = _core.changes_page(opened.report_changes(*asked).json)
            write_report(page, "sweep changes", output, overwrite=overwrite)
        if as_json or as_csv:
            for piece in (write_array if as_json else write_csv)(opened.changes(*asked)):
                click.echo(piece, nl=False)
            click.echo(nl=as_json)
        elif output is None:
            print_changes(opened.changes(*asked))
        else:
            print_rows(list_counts(opened.count_changes(*asked), output))
