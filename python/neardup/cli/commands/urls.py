"""The commands about URLs: urls and mirrors."""

from typing import Any

import click

from neardup.cli.command import Command
from neardup.cli.options import choose_rules, end_with, inputs_argument, options_for


@click.command(cls=Command)
@inputs_argument
@options_for("urls")
def urls(
    inputs: tuple[str, ...],
    merge_scheme: bool,
    merge_www: bool,
    drop_parameter: tuple[str, ...],
    keep_parameter: tuple[str, ...],
    as_json: bool,
    quiet: bool,
    **options: Any,
) -> None:
    """Group documents whose URLs lead to the same page.

    INPUT is documents with a URL, read as in dedup, or a list of URLs: a .txt file, also compressed, with one URL a
    line. URLs are made canonical: case, default ports, dot segments, percent-encoding, fragments, session and tracking
    parameters, the order of parameters, index pages. Printed are the groups of two or more documents: canonical URL,
    number of documents, URLs as written. DIR receives kept/ (one document of each group, in files like those of the
    input), urls.jsonl (a row for every document) and run.json.
    """
    from neardup.cli.options import InputName
    from neardup.cli.shown.progress import show_progress
    from neardup.cli.shown.urls import print_url_groups
    from neardup.urls.url_groups import group_urls

    rules = choose_rules(merge_scheme, merge_www, drop_parameter, keep_parameter)
    with show_progress(quiet=quiet, progress=options.pop("progress")) as progress:
        found = group_urls([InputName(name) for name in inputs], rules=rules, progress=progress, **options)
    print_url_groups(found, output=options["output"], as_json=as_json, quiet=quiet)
    end_with(found.summary["rejected"])


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

    INPUT is a list of URLs (a .txt file, also compressed, with one URL a line), or documents with a URL and a text,
    read as in dedup; of these the pages at / are compared, too. Printed are the pairs of hosts with the evidence. DIR
    receives mirrors.jsonl (pairs), groups.jsonl, addresses.jsonl, too_small.jsonl and run.json.
    """
    from neardup.cli.options import InputName, refuse_needless
    from neardup.cli.shown.progress import show_progress
    from neardup.cli.shown.urls import print_mirrors
    from neardup.urls.mirrors import find_mirrors

    options["rules"] = choose_rules(merge_scheme, merge_www, drop_parameter, keep_parameter)
    if paths_only:
        refuse_needless(["first_pages"], "first pages are not compared with --paths-only; give one of the two")
        options["first_pages"] = None
    with show_progress(quiet=quiet, progress=options.pop("progress")) as progress:
        found = find_mirrors([InputName(name) for name in inputs], progress=progress, **options)
    print_mirrors(found, output=options["output"], as_json=as_json, quiet=quiet)
    end_with(found.summary["rejected"])
