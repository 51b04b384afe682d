"""The summary of a job: a table in colours on a terminal, plain lines in a pipe."""

import sys
from typing import Any

import click

from neardup.cli.shown.unread import list_account
from neardup.output.written import plural, show_plain
from neardup.results.account import Account
from neardup.results.finished import Finished
from neardup.schemes.rule import RULES


def list_repeats(summary: dict[str, Any]) -> list[tuple[str, str, str]]:
    """Return the rows of a run of `passages`."""
    counts: dict[str, int] = summary["counts"]
    tokens = counts["tokens"]
    rows = [
        ("documents", f"{counts['documents']:,}", "bold"),
        *list_account(Account.of_run(summary)),
        *_list_reference(counts),
        ("passages", f"{counts['repeated']:,} of {summary['tokens']:,} {summary['unit']} or more", "green"),
        ("  later places", f"{counts['passages']:,} in {plural(counts['repeated_documents'], 'document')}", ""),
        ("repeated", _portion(counts["repeated_tokens"], tokens), "yellow"),
        ("cut", f"{_portion(counts['removed_tokens'], tokens)}, by {summary['cut']}", "yellow"),
        ("documents cut", f"{counts['cut']:,}", ""),
        ("  dropped", f"{counts['dropped']:,} with fewer than {plural(summary['least'], 'token')} left", ""),
    ]
    if counts["rejected"]:
        rows.append(("skipped", f"{plural(counts['rejected'], 'record')}, listed in rejects.jsonl", "red"))
    rows += [("", note, "yellow") for note in summary["notes"]]
    return rows


def _list_reference(counts: dict[str, int]) -> list["Row"]:
    return [("references", f"{counts['reference']:,}", "")] if counts["reference"] else []


def _portion(part: int, whole: int) -> str:
    tokens = plural(part, "token")
    return f"{tokens} ({part / whole:.1%})" if whole else tokens


Row = tuple[str, str, str]
"""A printed row: label, value and style."""


def print_summary(outcome: Finished, *, err: bool = False) -> None:
    """Print the summary of a job, with the place of its results, to stdout, or with `err` to stderr."""
    print_rows(list_rows(outcome), err=err)


def print_rows(rows: list[Row], *, err: bool = False) -> None:
    """Print labels and values to stdout, or with `err` to stderr, without characters that control a terminal."""
    rows = [(label, show_plain(value), style) for label, value, style in rows]
    if not (sys.stderr if err else sys.stdout).isatty():
        width = max(len(label) for label, _, _ in rows)
        for label, value, _ in rows:
            click.echo(f"{label:<{width}}  {value}", err=err)
        return
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(show_header=False, box=None, pad_edge=False)
    for label, value, style in rows:
        table.add_row(Text(label, style="dim"), Text(value, style=style, overflow="fold"))
    Console(stderr=err).print(table)


def list_rows(outcome: Finished) -> list[Row]:
    """Return the rows of a summary."""
    rows = _list_results(outcome.summary)
    rows.append(("time", _describe_time(outcome.summary), ""))
    rows.append(("digest", outcome.digest, "dim"))
    if outcome.output is not None:
        rows.append(("results", outcome.output_name, "bold"))
    return rows


def _list_results(summary: dict[str, Any]) -> list[Row]:
    if summary["verb"] == "passages":
        return list_repeats(summary)
    counts: dict[str, int] = summary["counts"]
    documents = counts["documents"]
    rows: list[Row] = [("documents", f"{documents:,}", "bold")]
    rows += list_account(Account.of_run(summary))
    rows += _list_reference(counts)
    if summary["verb"] == "dedup":
        rows.append(("kept", _share(counts["kept"], documents), "green"))
        rows.append(("dropped", _share(counts["dropped"], documents), "yellow"))
    if summary["verb"] == "cluster":
        rows.append(("clusters", _describe_clusters(summary["clusters"]), "green"))
    if counts["pairs"] is not None:
        rows.append(("pairs", f"{counts['pairs']:,}", "green"))
    rules = [f"{counts[rule]:,} {rule}" for rule in RULES if counts[rule]]
    originals = counts.get("originals", 0)
    if originals:
        rules.append(plural(originals, "original"))
    if rules:
        rows.append(("  by rule", ", ".join(rules), ""))
    if counts["without_text"]:
        rows.append(("no usable text", f"{counts['without_text']:,}, listed in run.json", ""))
    if counts.get("below_min_tokens"):
        rows.append(("left alone", f"{counts['below_min_tokens']:,} with fewer tokens than --min-tokens", ""))
    if summary.get("groups"):
        rows.append(("groups", _describe_groups(summary["groups"]), ""))
    if counts["short"]:
        rows.append(("short", f"{counts['short']:,} with fewer tokens than a shingle", ""))
    if counts["thin_samples"]:
        thin = f"{counts['thin_samples']:,} with fewer than 8 sampled values: their estimates are unreliable"
        rows.append(("thin samples", thin, "yellow"))
    if counts["rejected"]:
        rows.append(("skipped", f"{plural(counts['rejected'], 'record')}, listed in rejects.jsonl", "red"))
    frame = sum(one["frame"] or 0 for one in summary["passes"])
    if frame:
        rows.append(("frame", f"{plural(frame, 'shingle')} of hosts' frames, left out", ""))
    if summary["certificate"] is not None:
        rows.append(("recall", summary["certificate"]["says"], ""))
    if summary["capped"]:
        least = min(cap for one in summary["passes"] for cap in one["caps"] if cap)
        many = f"{len(summary['capped']):,} of more than {plural(least, 'document')}"
        rows.append(("capped keys", f"{many}, not compared pair by pair; listed in run.json", "yellow"))
    families = len(summary["stars"]) + len(summary["starred_keys"])
    if families:
        rows.append(
            ("large families", f"{families:,} listed as stars, see run.json; --max-family lists more", "yellow")
        )
    if not summary["verified"] and summary["verb"] != "sketch":
        rows.append(("not verified", "pairs were decided by a sketch alone", "yellow"))
    rows.append(("scheme", summary["scheme"], "cyan"))
    rows += [("", note, "dim" if summary["verified"] else "yellow") for note in summary["notes"]]
    return rows


def _share(part: int, whole: int) -> str:
    return f"{part:,} ({part / whole:.1%})" if whole else f"{part:,}"


def _describe_clusters(table: dict[str, int]) -> str:
    largest = f"; the largest of {table['largest']:,}" if table["largest"] else ""
    return (
        f"{table['clusters']:,}: {table['identical_clusters']:,} of identical documents only "
        f"({plural(table['identical_documents'], 'document')}), {table['mixed_clusters']:,} mixed "
        f"({plural(table['mixed_documents'], 'document')}){largest}"
    )


def _describe_groups(groups: dict[str, Any]) -> str:
    without = f"; {plural(groups['without'], 'document')} without one" if groups["without"] else ""
    return f"{groups['count']:,}, counted in run.json{without}"


def _describe_time(summary: dict[str, Any]) -> str:
    phases = summary["phases"]
    parts = ", ".join(f"{phase['name']} {phase['seconds']:.2f}" for phase in phases)
    return f"{sum(phase['seconds'] for phase in phases):.2f} s ({parts})"
