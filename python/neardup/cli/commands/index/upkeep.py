"""`neardup index compact`, `verify` and `repair`."""

import json
from typing import TYPE_CHECKING, Any

import click

from neardup.cli.command import Command
from neardup.cli.commands.index.common import folder_argument, open_index
from neardup.cli.options import options_for
from neardup.output.written import plural

if TYPE_CHECKING:
    from neardup.index.restoration import Repaired


@click.command(cls=Command)
@folder_argument
@options_for("index compact")
def compact(
    folder: str, scheme: str | None, parts_scheme: str | None, peers: str | None, as_json: bool, quiet: bool
) -> None:
    """Erase removed documents, and make one segment.

    Nothing of their texts, sketches and keys is left on the disk.
    """
    from neardup.cli.shown.summary import print_rows

    index = open_index(folder, scheme, parts_scheme, peers)
    before = index.info()
    index.compact()
    after = index.info()
    sizes = {name: after[name] for name in ("segment_bytes", "text_bytes")}
    counts = {"documents": after["documents"], "erased": before["removed"], **sizes}
    if as_json:
        click.echo(json.dumps(counts))
    elif not quiet:
        print_rows([(name.replace("_", " "), f"{count:,}", "") for name, count in counts.items()])


@click.command(cls=Command)
@folder_argument
@options_for("index verify")
def verify(folder: str, scheme: str | None, parts_scheme: str | None, as_json: bool, quiet: bool) -> None:
    """Read every byte, and sign every text again.

    The store of a gate, and what it searches, is compared with the index. Damage is an error that names the file, and
    the exit code 1; `repair` restores what can be restored.
    """
    import json
    from pathlib import Path

    from neardup.cli.shown.summary import print_rows
    from neardup.index.restoration import verify_beside

    index = open_index(folder, scheme, parts_scheme)
    index.verify()
    verify_beside(index, Path(folder))
    if as_json:
        click.echo(json.dumps({"documents": len(index), "whole": True}))
    elif not quiet:
        print_rows([("documents", f"{len(index):,}", ""), ("damage", "none", "green")])


_SHOWN = 20
"""Number of lost documents that are listed without `--json`."""


@click.command(cls=Command)
@folder_argument
@options_for("index repair")
@click.pass_context
def repair(
    context: click.Context, folder: str, scheme: str | None, parts_scheme: str | None, as_json: bool, quiet: bool
) -> None:
    """Restore a damaged index from its texts.

    DIR is the folder of an index, of a run or of a gate. Segments, verdicts and the search index of the gate are made
    again. Documents that only the damaged files contained are listed; the exit code is then 3. An index of an older
    format, or whose texts were cut by another version of the tokens, is brought up to date in the same way. An index
    without damage stays as it is.
    """
    from neardup.index.restoration import repair as repair_index

    print_repair(context, repair_index(folder, scheme=scheme, parts=parts_scheme), as_json=as_json, quiet=quiet)


def print_repair(context: click.Context, done: "Repaired", *, as_json: bool, quiet: bool) -> None:
    """Print what was repaired; the exit code is 3 if documents are lost, or facts are not known any more."""
    from neardup.cli.shown.summary import print_rows

    if as_json:
        described: dict[str, Any] = done._asdict()
        described |= {"damages": [one._asdict() for one in done.damages], "lost": [one._asdict() for one in done.lost]}
        click.echo(json.dumps(described, ensure_ascii=False))
    elif not quiet:
        print_rows(_list_rows(done))
    if done.lost or done.doubts:
        context.exit(3)


def _list_rows(done: "Repaired") -> list[tuple[str, str, str]]:
    rows = [("documents", f"{done.documents:,}", "bold")]
    rows += [("damaged", f"{damage.file}: {damage.what}", "red") for damage in done.damages]
    rows += [("outdated", reason, "yellow") for reason in done.outdated]
    if done.is_whole:
        return [*rows, ("damage", "none", "green")]
    rows.append(("made anew", "segments, verdicts and what depends on them", "green"))
    if done.restored:
        rows.append(("restored", f"{plural(len(done.restored), 'document')}, from the store of the gate", "green"))
    for lost in done.lost[:_SHOWN]:
        name = lost.id or ("the documents of a file" if lost.step is None else f"what came with step {lost.step}")
        url = f", {lost.url}" if lost.url else ""
        rows.append(("lost", f"{name}{url}: was in {lost.file}", "red"))
    if len(done.lost) > _SHOWN:
        rows.append(("lost", f"{len(done.lost) - _SHOWN:,} more: --json lists all", "red"))
    rows += [("not known", doubt, "yellow") for doubt in done.doubts]
    rows += [("kept aside", path, "dim") for path in done.kept_aside]
    return rows
