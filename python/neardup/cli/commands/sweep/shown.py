"""The rows that the commands about sweeps print."""

import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import click

from neardup.cli.shown.summary import Row
from neardup.cli.shown.table import print_table
from neardup.cli.shown.unread import IN_JSON, list_account
from neardup.output.json import write_json
from neardup.output.written import plural
from neardup.results.account import Account
from neardup.sweeps.addition import Added
from neardup.sweeps.changes import ListedStep, StepCounts
from neardup.sweeps.kinds import KINDS, Kind
from neardup.sweeps.locate import Location
from neardup.sweeps.removal import Removed
from neardup.sweeps.stats import Stats
from neardup.sweeps.trail import Visit


def print_places(places: Sequence[Location | Visit], head: str, values: Iterable[str | None], *, as_json: bool) -> None:
    """Print a row for each place, with `values` in the column `head`; or all places as JSON."""
    if as_json:
        click.echo(write_json(places))
        return
    rows = [
        (place.date, one, place.overlap and place.overlap.resemblance, place.url, place.remark)
        for place, one in zip(places, values, strict=True)
    ]
    print_table(("date", head, "resemblance", "url", "remark"), rows)


INTERVALS = ("from", "to", "days", *KINDS, "within", "between", "resemblance")
STACKED = (
    "from\nto",
    "days",
    "same",
    "changed",
    "moved",
    "moved+\nchanged",
    "new",
    "gone",
    "re-\nplaced",
    "resem-\nblance",
)
"""Columns of the table on a terminal, which has no room for moves within and between servers."""


def list_added(added: Added, store: Path) -> list[Row]:
    """Return the rows that describe an added sweep."""
    rows = [
        ("sweep", added.date, "bold"),
        ("pages", f"{added.pages:,}", "bold"),
        ("new texts", f"{added.new_texts:,} signed; all others were known", ""),
    ]
    if added.blank:
        rows.append(("blank", f"{plural(added.blank, 'page')} without text", ""))
    if added.repeated:
        rows.append(("repeated", f"{added.repeated:,} with a URL that came before, left out", "yellow"))
    if added.revisits:
        rows.append(("revisits", f"{added.revisits:,} with the text of an earlier sweep", ""))
    if added.pointers:
        rows.append(
            ("pointers", f"{plural(added.pointers, 'URL')} with a redirect, a refresh or another canonical URL", "")
        )
    if added.stubs:
        rows.append(_describe_stubs(added.stubs))
    if added.kinds is None:
        rows.append(("", "the first sweep, or the oldest: nothing to compare it with", "dim"))
    else:
        rows += [(kind, f"{count:,}", "") for kind, count in added.kinds.items()]
    rows += list_account(Account(added.files, added.records), IN_JSON)
    if added.rejects:
        rows.append(("skipped", f"{plural(len(added.rejects), 'page')}; --json lists them", "red"))
    return [*rows, ("store", str(store), "bold")]


def _describe_stubs(count: int) -> Row:
    return "stubs", f"{plural(count, 'URL')} with a notice, a soft 404 or the like in place of a page", ""


def list_removed(removed: Removed, left: int) -> list[Row]:
    """Return the rows that describe a sweep that was removed; `left` sweeps are in the store."""
    texts = f"{plural(removed.texts, 'text')} that no other sweep has"
    rows = [("removed", f"{removed.date}: {plural(removed.pages, 'page')}, {texts}", "bold")]
    if removed.kinds is None:
        rows.append(("", "it was the first or the last sweep: no others are neighbours now", "dim"))
    else:
        rows += [(kind, f"{pages:,}", "") for kind, pages in removed.kinds.items()]
    return [*rows, ("left", plural(left, "sweep"), "bold")]


CHANGES = ("from", "to", "kind", "resemblance", "old", "new", "remark")
STACKED_CHANGES = ("from\nto", "kind", "resem-\nblance", "url before\nurl after, if it is another")


def print_changes(changes: Iterable[ListedStep]) -> None:
    """Print a row for every change; on a terminal URLs and remark are one below the other."""
    if not sys.stdout.isatty():
        rows = ((one.start, one.end, one.kind, one.resemblance, one.old, one.new, one.remark) for one in changes)
        print_table(CHANGES, rows)
        return
    stacked = (((one.start, one.end), one.kind, one.resemblance, _stack_urls(one)) for one in changes)
    print_table(STACKED_CHANGES, stacked)


def _stack_urls(change: ListedStep) -> tuple[str, ...]:
    # a page that stays has one URL
    urls = dict.fromkeys(url for url in (change.old, change.new) if url is not None)
    return (*urls, *([f"({change.remark})"] if change.remark else []))


def list_counts(intervals: list[StepCounts], output: str) -> list[Row]:
    """Return the rows that count the changes of each kind, with the file to which they were written."""
    counts: Counter[Kind] = Counter()
    for one in intervals:
        counts.update(one.kinds)
    steps = f"{plural(counts.total(), 'step')} in {plural(len(intervals), 'interval')}"
    rows = [("changes", steps, "bold"), *((kind, f"{count:,}", "") for kind, count in counts.items())]
    return [*rows, ("file", output, "bold")]


def print_intervals(stats: Stats) -> None:
    """Print a row for every interval."""
    if sys.stdout.isatty():
        stacked = [
            ((one.start, one.end), round(one.days), *one.kinds.values(), one.resemblance) for one in stats.intervals
        ]
        print_table(STACKED, stacked)
        return
    rows = []
    for one in stats.intervals:
        moves = one.within, one.between
        rows.append((one.start, one.end, round(one.days), *one.kinds.values(), *moves, one.resemblance))
    print_table(INTERVALS, rows)


def list_lives(stats: Stats, output: str | None) -> list[Row]:
    """Return the rows that summarise sweeps, pages and moves."""
    rows = [
        ("sweeps", f"{len(stats.dates):,}", "bold"),
        ("texts", f"{stats.texts:,}, each counted once", ""),
        ("pages", f"{stats.lives:,}, followed through their moves; {stats.ended:,} of them gone", ""),
    ]
    moves = [sum(column) for column in zip(*((one.within, one.between) for one in stats.intervals), strict=True)]
    if any(moves):
        rows.append(("moves", f"{moves[0]:,} within a server, {moves[1]:,} between servers", ""))
    if stubs := sum(one.stubs for one in stats.intervals):
        rows.append(_describe_stubs(stubs))
    if stats.lifetime is not None:
        rows.append(("lifetime", f"{plural(round(stats.lifetime), 'day')} seen, the median of those born and gone", ""))
    rows.append(("scheme", stats.scheme, "cyan"))
    if output is not None:
        rows.append(("page", output, "bold"))
    return rows
