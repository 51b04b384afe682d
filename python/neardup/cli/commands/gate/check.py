"""`neardup gate check`."""

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from neardup.cli.command import Command
from neardup.cli.commands.gate.common import open_index_of
from neardup.cli.commands.index.common import folder_argument, use_extractor
from neardup.cli.options import end_with, inputs_argument, options_for
from neardup.errors import DamagedIndex, DataError

if TYPE_CHECKING:
    from neardup.index.index import Index
    from neardup.inputs.document import Document
    from neardup.results.document_reader import Reading

COLUMNS = ("id", "kind", "verdict", "original", "rule", "resemblance", "replaced")
"""Columns of the table: members of the answer for a document."""


class Checking:
    """Checks documents one by one, and counts those that are refused."""

    def __init__(self, index: "Index", *, skips: bool) -> None:
        self._index, self._skips = index, skips
        self.duplicates = self.refused = 0

    def answers(self, documents: "Reading", *, has_ids: bool) -> Iterator[dict[str, Any]]:
        """Yield the answer for each document; `DataError` names one that could not be admitted, unless it skips."""
        from neardup.cli.commands.index.admissions import batches_of

        for batch in batches_of(documents, has_ids=has_ids):
            for document in batch:
                if (answer := self._answer(document)) is not None:
                    self.duplicates += answer["verdict"] == "drop"
                    yield answer

    def _answer(self, document: "Document") -> dict[str, Any] | None:
        from neardup.cli.commands.index.admissions import place_of
        from neardup.index.answers import describe_check

        try:
            return describe_check(self._index.check(document))
        except DamagedIndex:
            raise
        except DataError as error:
            if not self._skips:
                raise DataError(f"{place_of(document)}: {error}") from None
            self.refused += 1
            return None


@click.command(cls=Command)
@folder_argument
@inputs_argument
@options_for("gate check")
def check(
    folder: str,
    inputs: tuple[str, ...],
    scheme: str | None,
    parts_scheme: str | None,
    as_json: bool,
    quiet: bool,
    **fields: Any,
) -> None:
    """Show what admit would say, and store nothing.

    INPUT is read as in dedup, or `-`: lines of JSON from stdin. Each document is compared with those in the gate, and
    not with the others of INPUT. The exit code is that of `gate admit`.
    """
    from neardup.cli.shown.table import print_table
    from neardup.cli.shown.unread import note_account
    from neardup.jobs.read import read

    index = open_index_of(folder, scheme, parts_scheme)
    use_extractor(index, fields)
    documents = read(list(inputs), **fields)
    checking = Checking(index, skips=fields["on_error"] == "skip")
    answers = checking.answers(documents, has_ids=fields["id_field"] is not None)
    if as_json:
        for answer in answers:
            click.echo(json.dumps(answer, ensure_ascii=False))
    else:
        rows = [tuple(answer[name] for name in COLUMNS) for answer in answers]
        if not quiet:
            print_table(COLUMNS, rows, styles=("bold", "", "", "bold", "yellow", "green"))
    if not quiet:
        note_account(documents.account)
    end_with(len(documents.rejects) + checking.refused, duplicates=checking.duplicates)
