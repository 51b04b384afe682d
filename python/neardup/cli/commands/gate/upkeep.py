"""`neardup gate status` and `rebuild`."""

import json

import click

from neardup.cli.command import Command
from neardup.cli.commands.gate.common import describe_store, open_database, open_index_of, require_gate, store_of
from neardup.cli.commands.index.common import folder_argument
from neardup.cli.options import options_for


@click.command(cls=Command)
@folder_argument
@options_for("gate status")
def status(
    folder: str, scheme: str | None, parts_scheme: str | None, store: str | None, schema: str, as_json: bool
) -> None:
    """Show how a gate was made and what it holds.

    Shown is also whether its store has every step of its index. Nothing changes. A store that lacks steps receives them
    when the gate is next opened for writing.
    """
    from neardup.cli.commands.index.show import list_info
    from neardup.cli.shown.summary import print_rows
    from neardup.output.written import plural
    from neardup.stores.sqlite import SqliteStore

    index = open_index_of(folder, scheme, parts_scheme)
    found = index.info()
    opened = None
    if store is not None:
        opened = open_database(store, schema)
    elif (file := store_of(folder)).exists():
        opened = SqliteStore(file)
    described = None if opened is None else describe_store(index, opened)
    if as_json:
        click.echo(json.dumps({**found, "store": described}, ensure_ascii=False))
        return
    rows = list_info(found)
    if described is None:
        rows.append(("store", f"none yet: `neardup gate admit {folder}` makes it", "yellow"))
    else:
        behind = described["behind"]
        rows.append(("store", f"{plural(described['documents'], 'document')}, {described['place']}", "bold"))
        if behind:
            rows.append(
                (
                    "behind",
                    f"{plural(behind, 'step')}; it receives what it lacks when the gate is next opened",
                    "yellow",
                )
            )
    print_rows(rows)


@click.command(cls=Command)
@folder_argument
@options_for("gate rebuild")
@click.pass_context
def rebuild(
    context: click.Context, folder: str, scheme: str | None, parts_scheme: str | None, as_json: bool, quiet: bool
) -> None:
    """Sign and decide all documents anew, from the stored texts.

    The store and its search are compared with the new index, and made anew if they differ. Verdicts stay the same,
    unless a file was damaged; damage is reported as by `index repair`. A gate of another scheme, policy or limit is a
    new one: `neardup gate create NEW DIR/index --scheme LINE`.
    """
    from neardup.cli.commands.index.upkeep import print_repair
    from neardup.index.restoration import repair

    require_gate(folder)
    print_repair(context, repair(folder, scheme=scheme, parts=parts_scheme, anew=True), as_json=as_json, quiet=quiet)
