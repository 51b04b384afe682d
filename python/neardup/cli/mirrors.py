"""`neardup mirrors`."""

from typing import Any

import click

from neardup.cli.command import Command
from neardup.cli.page_options import choose_rules, end_with, page_options
from neardup.limits import MOST_THREADS


@click.command(cls=Command)
@page_options
@click.option(
    "--threshold",
    metavar="NUMBER",
    default="0.5",
    show_default=True,
    help="Resemblance of the paths of two hosts from which they are a pair: above 0, up to 1.",
)
@click.option(
    "--first-pages",
    metavar="NUMBER",
    default="0.5",
    show_default=True,
    help="Resemblance their first pages must have, where both are known, to be mirrors.",
)
@click.option("--paths-only", is_flag=True, help="Do not look at first pages; documents need no text then.")
@click.option(
    "--least-paths",
    type=click.IntRange(min=1),
    default=5,
    show_default=True,
    help="Paths a host must have to be compared; others are listed as too small.",
)
@click.option(
    "--cap",
    type=click.IntRange(min=2),
    default=1000,
    show_default=True,
    help="A path of more hosts than this proposes no pair.",
)
@click.option(
    "--addresses",
    metavar="FILE",
    help="Table of hosts and their IP addresses: CSV or TSV with the columns host, address.",
)
@click.option("--text-field", metavar="NAME", help="Field with the text.  [default: text]")
@click.option("--html-field", metavar="NAME", help="Field with HTML, from which the text is taken instead.")
@click.option("--main-content", is_flag=True, help="Take the main content of HTML only.")
@click.option("--threads", type=click.IntRange(1, MOST_THREADS), help="Worker threads.  [default: the cores there are]")
@click.option(
    "--memory", metavar="SIZE", help="Bound for a comparison, as 512M or 4G.  [default: half of what there is]"
)
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
    """Find host names that mirror each other, by the paths they serve and by their first pages.

    INPUT is a list of URLs (a .txt or .txt.gz file with one URL a line), or documents with a URL and a text, read as in
    dedup; of these the pages at / are compared, too. Printed are the pairs of hosts with the evidence. DIR
    receives mirrors.jsonl (pairs), groups.jsonl, addresses.jsonl, too_small.jsonl and run.json.
    """
    from neardup.cli.inputs import InputName
    from neardup.cli.mirror_pairs import print_mirrors
    from neardup.cli.progress import show_progress
    from neardup.study.mirrors import find_mirrors

    options["rules"] = choose_rules(merge_scheme, merge_www, drop_parameter, keep_parameter)
    if paths_only:
        options["first_pages"] = None
    with show_progress(quiet=quiet) as progress:
        found = find_mirrors([InputName(name) for name in inputs], progress=progress, **options)
    print_mirrors(found, output=options["output"], as_json=as_json, quiet=quiet)
    end_with(found.summary["rejected"])
