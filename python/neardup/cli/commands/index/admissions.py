"""Adding documents to an index or a gate, with progress; the admissions are counted and printed."""

import json
import time
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, Protocol

import click

from neardup.cli.job import stopped_by_term
from neardup.cli.options import refuse_needless
from neardup.cli.shown.progress import show_progress
from neardup.cli.shown.summary import Row, print_rows
from neardup.cli.shown.unread import IN_JSON, list_account, note_account
from neardup.errors import DamagedIndex, DataError, Interrupted
from neardup.index.answers import describe_admission
from neardup.jobs.read import read
from neardup.output.written import plural
from neardup.results.account import Account
from neardup.results.document_reader import Reading
from neardup.schemes.rule import RULES

if TYPE_CHECKING:
    from neardup.index.verdict import Admission
    from neardup.inputs.document import Document


class Target(Protocol):
    """An index or a gate, to which documents are added."""

    def add(self, documents: "list[Document]", /) -> "list[Admission]":
        """Add documents, in this order; `DataError` if one cannot be added, and then none of up to 256 is."""
        ...

    def info(self) -> dict[str, Any]:
        """Return how the index was made, and its counts."""
        ...


class Tally:
    """Counts of admissions."""

    def __init__(self) -> None:
        self.documents = self.kept = self.replaced = self.unchanged = self.changed = self.expired = 0
        self.rules = dict.fromkeys(RULES, 0)
        self.duplicates = 0
        """Documents that another one represents, including those that were there already."""
        self.refused = 0
        """Documents whose id is taken."""
        self.rejected = 0
        """All records that were skipped, including the refused documents."""
        self.total = self.total_kept = 0
        """Documents in the index afterwards, and kept ones: not `kept`, as later documents may change verdicts."""
        self.seconds = 0.0
        self.account = Account.of_counts()

    def count(self, admission: "Admission") -> None:
        """Count an admission."""
        self.documents += 1
        self.unchanged += admission.unchanged
        self.replaced += admission.replaced is not None and not admission.unchanged
        self.changed += len(admission.changed)
        self.expired += len(admission.expired)
        self.duplicates += not admission.verdict.kept
        if admission.unchanged:
            return
        if admission.verdict.rule is None:
            self.kept += 1
        else:
            self.rules[admission.verdict.rule] += 1

    def describe(self) -> dict[str, Any]:
        """Return the counts by name."""
        names = ("documents", "kept", "replaced", "unchanged", "changed", "expired", "rejected", "total", "total_kept")
        counts: dict[str, Any] = {name: getattr(self, name) for name in names}
        counts |= {"dropped": sum(self.rules.values()), **self.rules, "seconds": round(self.seconds, 6)}
        return counts | self.account._asdict()

    def show(self) -> None:
        """Print the counts to stdout."""
        dropped = sum(self.rules.values())
        rows: list[Row] = [("documents", f"{self.documents:,}", "bold")] if self.documents or self.rejected else []
        if self.documents:
            rows += [("kept", f"{self.kept:,}", "green"), ("dropped", f"{dropped:,}", "yellow")]
        if dropped:
            rows.append(
                ("  by rule", ", ".join(f"{count:,} {rule}" for rule, count in self.rules.items() if count), "")
            )
        more = {
            "unchanged": "there already, to the letter",
            "replaced": "in place of another document of the same URL",
            "changed": "verdicts on documents that were there",
            "expired": "too old, or too many",
        }
        rows += [
            (name, f"{getattr(self, name):,} ({words})", "") for name, words in more.items() if getattr(self, name)
        ]
        rows += list_account(self.account, IN_JSON)
        if self.rejected:
            rows.append(("skipped", plural(self.rejected, "record"), "red"))
        if self.documents:
            rows.append(
                (
                    "time",
                    f"{self.seconds:.2f} s, {plural(round(self.documents / self.seconds), 'document')} a second",
                    "",
                )
            )
        print_rows([*rows, ("index", f"{plural(self.total, 'document')}, {self.total_kept:,} kept", "bold")])


_BATCH = 256
"""Number of documents in one call of `Index.add`, which adds all of them or none."""


def add_inputs(
    open_target: Callable[[], Target],
    inputs: tuple[str, ...],
    *,
    each: bool,
    as_json: bool,
    quiet: bool,
    progress: str,
    again: str = "the same command",
    **fields: Any,
) -> Tally:
    """Add the documents of `inputs`, print the counts, and return them.

    `again` names the command that adds the rest after an interruption.
    """
    if each:
        refuse_needless(["as_json"], "--each prints JSON already, a line for every document; leave out one of the two")
    if not inputs:
        refuse_needless([*fields, "each"], "no INPUT is named, so nothing is added")
    tally, start = Tally(), time.monotonic()
    documents = read(list(inputs), **fields) if inputs else Reading(iter(()), None)
    batches = batches_of(documents, has_ids=fields["id_field"] is not None)
    # the first batch is read before the index is made, so that unreadable inputs make none
    batches = chain(list(islice(batches, 1)), batches)
    target, is_timed = open_target(), False
    try:
        with stopped_by_term(), show_progress(quiet=quiet or each, progress=progress) as move:
            for batch in batches:
                is_timed = is_timed or any(document.time is not None for document in batch)
                for admission in _add(target, batch, tally, skips=fields["on_error"] == "skip"):
                    tally.count(admission)
                    if each:
                        click.echo(json.dumps(describe_admission(admission), ensure_ascii=False))
                if move is not None:
                    move("add", tally.documents, 0, tally.documents)
    except KeyboardInterrupt:
        rest = "" if "-" in inputs else f"; {again} adds the rest"
        raise Interrupted(f"what was added stays{rest}") from None
    tally.rejected, info = len(documents.rejects) + tally.refused, target.info()
    tally.account = documents.account
    tally.seconds, tally.total, tally.total_kept = time.monotonic() - start, info["documents"], info["kept"]
    if as_json and not each:
        click.echo(json.dumps(tally.describe(), ensure_ascii=False))
    elif not (quiet or each):
        tally.show()
    elif not quiet:
        note_account(tally.account)
    if not quiet and (error := info["segment_error"]):
        click.echo(f"note: {error}; what was added stays in memory and in the log until there is room", err=True)
    if not quiet and tally.documents and info["policy"] == "earliest" and not is_timed:
        click.echo("note: no document that was added has a time (--time-field), which the policy needs", err=True)
    return tally


def _add(target: Target, batch: list["Document"], tally: Tally, *, skips: bool) -> Iterable["Admission"]:
    try:
        return target.add(batch)
    except DamagedIndex:
        raise
    except DataError:
        return _add_singly(target, batch, tally, skips=skips)


def _add_singly(target: Target, batch: list["Document"], tally: Tally, *, skips: bool) -> Iterator["Admission"]:
    """Add the documents of a failed batch one by one, to name the one that fails."""
    for document in batch:
        try:
            yield from target.add([document])
        except DamagedIndex:
            raise
        except DataError as error:
            if not skips:
                raise DataError(f"{place_of(document)}: {error}") from None
            tally.refused += 1


def place_of(document: "Document") -> str | None:
    """Return the source and the row of a document, or its id if it has no source."""
    return document.id if document.source is None else f"{document.source}:{document.row}"


def batches_of(documents: Reading, *, has_ids: bool) -> Iterator[list["Document"]]:
    """Yield documents in batches; those that the index should name have no id."""
    while batch := list(islice(documents, _BATCH)):
        yield [document._replace(id=None) if _is_nameless(document, has_ids) else document for document in batch]


def _is_nameless(document: "Document", has_ids: bool) -> bool:
    """Whether the index should name a document: in the next input its source and row may be those of another one."""
    if document.source is None:
        # it comes from an index, which may have named it
        return document.id is not None and document.id[:1] == "#" and document.id[1:].isdigit()
    return not has_ids and (document.source == "stdin" or document.url is not None)
