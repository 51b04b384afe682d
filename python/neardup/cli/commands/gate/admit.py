"""`neardup gate create` and `admit`."""

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from neardup.cli.command import Command
from neardup.cli.commands.gate.common import join_gate, open_gate
from neardup.cli.commands.index.common import folder_argument, use_extractor
from neardup.cli.options import end_with, inputs_argument, options_for

if TYPE_CHECKING:
    from neardup.gate.gate import Gate
    from neardup.index.verdict import Admission
    from neardup.inputs.document import Document


class Entrance(NamedTuple):
    """A gate as the target of documents that are added."""

    gate: "Gate"

    def add(self, documents: "list[Document]", /) -> "list[Admission]":
        """Admit documents."""
        return self.gate.admit_all(documents)

    def info(self) -> dict[str, Any]:
        """Return how the index was made, and its counts."""
        return self.gate.index.info()


@click.command(cls=Command)
@folder_argument
@click.argument("inputs", nargs=-1, metavar="[INPUT]...")
@options_for("index create", "gate create", "index inputs")
def create(
    folder: str,
    inputs: tuple[str, ...],
    parts: bool,
    parts_scheme: str | None,
    store: str | None,
    schema: str,
    **options: Any,
) -> None:
    """Make a gate, and admit documents if any are named.

    INPUT is read as in dedup. The scheme, the policy and the limits hold for the life of the gate. If admitting ends
    early, the gate keeps the documents admitted so far; `gate admit` admits the rest.
    """
    from neardup.cli.commands.index.admissions import add_inputs
    from neardup.errors import UsageError
    from neardup.index.orphans import index_exists
    from neardup.options.table import options_of

    setup = {option.name: options.pop(option.name) for option in options_of("index create") if option.name in options}

    if inputs and options["main_content"]:
        options["extractor"] = setup["extractor"]

    def make() -> Entrance:
        if index_exists(Path(folder) / "index"):
            raise UsageError(f"{folder}: there is a gate already: admit to it, or name another folder")
        return Entrance(
            stack.enter_context(join_gate(folder, store, schema, parts=parts_scheme or parts or None, **setup))
        )

    with ExitStack() as stack:
        tally = add_inputs(make, inputs, again="`gate admit` with the same input", **options)
    end_with(tally.rejected, duplicates=tally.duplicates)


@click.command(cls=Command)
@folder_argument
@inputs_argument
@options_for("gate admit", "index inputs")
def admit(
    folder: str,
    inputs: tuple[str, ...],
    scheme: str | None,
    parts_scheme: str | None,
    store: str | None,
    schema: str,
    **options: Any,
) -> None:
    """Store documents, and report which are duplicates.

    INPUT is read as in dedup, or `-`: lines of JSON from stdin. The exit code is 0 if every document is an original,
    4 if one is a duplicate, and 3 if records were skipped. --each prints the verdicts. A document that is there
    already, to the letter, changes nothing, so the same command resumes after an interruption. Another document with
    an id that is there is refused.
    """
    from neardup.cli.commands.index.admissions import add_inputs

    def find() -> Entrance:
        return Entrance(stack.enter_context(open_gate(folder, scheme, parts_scheme, store, schema)))

    with ExitStack() as stack:
        if options["main_content"]:
            entrance = find()
            use_extractor(entrance.gate.index, options)
            tally = add_inputs(lambda: entrance, inputs, **options)
        else:
            tally = add_inputs(find, inputs, **options)
    end_with(tally.rejected, duplicates=tally.duplicates)
