"""Adding documents to an index: progress, what came of them, the exit code."""

import json
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

import click

from neardup.cli.commands.index.tally import Tally
from neardup.cli.job import SKIPPED
from neardup.cli.needless import refuse_needless
from neardup.cli.shown.progress import show_progress
from neardup.cli.shown.unread import note_account
from neardup.cli.stopping import stopped_by_term
from neardup.errors import DamagedIndex, DataError, Interrupted
from neardup.index.answers import describe_admission
from neardup.jobs.read import read
from neardup.results.reading import Reading

if TYPE_CHECKING:
    from neardup.index.index import Index
    from neardup.index.verdict import Admission
    from neardup.inputs.document import Document

_BATCH = 256
"""What `Index.add` adds at once: all of them, or none."""


def add_inputs(
    open_index: "Callable[[], Index]",
    inputs: tuple[str, ...],
    *,
    each: bool,
    as_json: bool,
    quiet: bool,
    again: str = "the same command",
    **fields: Any,
) -> None:
    """Add the documents of inputs, say what came of them, and end with code 0, or 3 when records were skipped.

    `again` names the command that adds the rest after an interruption.
    """
    if each:
        refuse_needless(["as_json"], "--each prints JSON already, a line for every document; leave out one of the two")
    if not inputs:
        refuse_needless([*fields, "each"], "no INPUT is named, so nothing is added")
    tally, start = Tally(), time.monotonic()
    documents = read(list(inputs), **fields) if inputs else Reading(iter(()), None)
    batches = _batches(documents, has_ids=fields["id_field"] is not None)
    # no index is made for inputs that cannot be read
    batches = chain(list(islice(batches, 1)), batches)
    index, is_timed = open_index(), False
    try:
        with stopped_by_term(), show_progress(quiet=quiet or each) as progress:
            for batch in batches:
                is_timed = is_timed or any(document.time is not None for document in batch)
                for admission in _add(index, batch, tally, skips=fields["on_error"] == "skip"):
                    tally.count(admission)
                    if each:
                        click.echo(json.dumps(describe_admission(admission), ensure_ascii=False))
                if progress is not None:
                    progress("add", tally.documents, 0, tally.documents)
    except KeyboardInterrupt:
        rest = "" if "-" in inputs else f"; {again} adds the rest"
        raise Interrupted(f"what was added stays{rest}") from None
    tally.rejected, held = len(documents.rejects) + tally.refused, index.info()
    tally.account = documents.account
    tally.seconds, tally.total, tally.total_kept = time.monotonic() - start, held["documents"], held["kept"]
    if as_json and not each:
        click.echo(json.dumps(tally.describe(), ensure_ascii=False))
    elif not (quiet or each):
        tally.show()
    elif not quiet:
        note_account(tally.account)
    if not quiet and (error := held["segment_error"]):
        click.echo(f"note: {error}; what was added stays in memory and in the log until there is room", err=True)
    if not quiet and tally.documents and held["policy"] == "earliest" and not is_timed:
        click.echo("note: no document that was added has a time (--time-field), by which the policy goes", err=True)
    if tally.rejected:
        sys.exit(SKIPPED)


def _add(index: "Index", batch: list["Document"], tally: Tally, *, skips: bool) -> Iterable["Admission"]:
    try:
        return index.add(batch)
    except DamagedIndex:
        raise
    except DataError:
        return _add_singly(index, batch, tally, skips=skips)


def _add_singly(index: "Index", batch: list["Document"], tally: Tally, *, skips: bool) -> Iterator["Admission"]:
    """Add documents of which one cannot be added, to tell which."""
    for document in batch:
        try:
            yield from index.add(document)
        except DamagedIndex:
            raise
        except DataError as error:
            if not skips:
                place = document.id if document.source is None else f"{document.source}:{document.row}"
                raise DataError(f"{place}: {error}") from None
            tally.refused += 1


def _batches(documents: Reading, *, has_ids: bool) -> Iterator[list["Document"]]:
    while batch := list(islice(documents, _BATCH)):
        yield [document._replace(id=None) if _is_nameless(document, has_ids) else document for document in batch]


def _is_nameless(document: "Document", has_ids: bool) -> bool:
    """Whether the index is to name a document, since its source and row may be those of another the next time."""
    if document.source is None:
        # it comes from an index, where it may have been named so already
        return document.id is not None and document.id[:1] == "#" and document.id[1:].isdigit()
    return not has_ids and (document.source == "stdin" or document.url is not None)
