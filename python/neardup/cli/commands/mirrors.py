"""`neardup mirrors`."""

from typing import Any

import click

from neardup.cli.command import Command
from neardup.cli.options import inputs_argument, options_for
from neardup.cli.page_options import choose_rules, end_with


@click.command(cls=Command)
@inputs_argument
@options_for("mirrors")
def mirrors(
    inputs: tuple[str, ...],
    merge_scheme: bool,
    merge_www: bool,
    drop_parameter: tuple[str, ...],
    keep_parameter: tuple[str, ...],
    paths_only: bool,
    as_json: bool,
    quiet: bool,
    **options: Any,
) -> None:
    """Find hosts that mirror each other.

    INPUT is a list of URLs (a .txt or .txt.gz file with one URL a line), or documents with a URL and a text, read as in
    dedup; of these the pages at / are compared, too. Printed are the pairs of hosts with the evidence. DIR
    receives mirrors.jsonl (pairs), groups.jsonl, addresses.jsonl, too_small.jsonl and run.json.
    """
    from neardup.cli.inputs import InputName
    from neardup.cli.needless import refuse_needless
    from neardup.cli.shown.mirror_pairs import print_mirrors
    from neardup.cli.shown.progress import show_progress
    from neardup.urls.mirrors import find_mirrors

    options["rules"] = choose_rules(merge_scheme, merge_www, drop_parameter, keep_parameter)
    if paths_only:
        refuse_needless(["first_pages"], "first pages are not compared with --paths-only; give one of the two")
        options["first_pages"] = None
    with show_progress(quiet=quiet) as progress:
        found = find_mirrors([InputName(name) for name in inputs], progress=progress, **options)
    print_mirrors(found, output=options["output"], as_json=as_json, quiet=quiet)
    end_with(found.summary["rejected"])
