"""The request of a run: its verb, its inputs, and the options for the driver of the core."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from neardup import _core
from neardup.errors import UsageError
from neardup.inputs.form import TEXT
from neardup.options.reading import READING_NAMES
from neardup.options.table import default_of
from neardup.options.values import STDOUT
from neardup.output.addresses import is_address
from neardup.output.folders import refuse_inputs
from neardup.spread.sent_tables import SentTables
from neardup.spread.streams import Streams

CORE = (
    *READING_NAMES,
    "prefer",
    "max_family",
    "memory",
    "keep",
    "pairs",
    "output",
    "overwrite",
    "no_kept",
    "past",
    "command",
)
"""Options that the driver of the core takes."""


@dataclass(frozen=True)
class Request:
    """A verb over documents, with its options."""

    verb: str
    inputs: Sequence[Any]
    """Files; tables are sent."""
    options: dict[str, Any]
    """The options for the driver of the core."""
    tables: SentTables | None = None
    """The tables whose rows are sent to the tasks; None for files."""


_OF_ONE_MACHINE = (
    "against_text_field",
    "against_html_field",
    "against_id_field",
    "against_time_field",
    "only_against",
    "group_field",
    "groups",
    "min_tokens",
    "one_per",
    "write_dropped",
    "keep_per_duplicate",
    "add_fields",
)
"""Options of a run on one machine only."""
_FILE = re.compile(r"(?<==)(file|idf):(?!corpus(?:\s|$))(\S+)")


def scheme_of_tasks(scheme: str) -> str:
    """Return a scheme with the absolute paths of its files: tasks run elsewhere, in other folders."""
    return _FILE.sub(_in_full, scheme)


def _in_full(file: "re.Match[str]") -> str:
    return f"{file[1]}:{Path(file[2]).absolute()}"


def refuse_unknown(options: dict[str, Any], engine: str) -> None:
    """Raise `UsageError` for the first option that this engine does not support."""
    for name in _OF_ONE_MACHINE:
        if options.get(name) not in (None, default_of("dedup", name), _field_of_input(name, options)):
            raise UsageError(
                f"{name} is not known on {engine}: {name} is an option of one machine; leave it out, or run there"
            )
    for name in ("forest", "passages", "index"):
        if options.get(name):
            raise UsageError(f"{name} is not made on {engine}: leave it out, or run on one machine")
    if str(options.get("keep")).startswith(("highest:", "lowest:")):
        raise UsageError(
            f"keep by a number of a field runs on one machine; on {engine} keep earliest, first, latest ..."
        )
    if options.get("output") == STDOUT:
        raise UsageError("output -: records are written to the standard output by runs on one machine; name a folder")
    if options.get("past") is not None and any(is_address(str(options.get(name))) for name in ("past", "output")):
        raise UsageError("past: a past and its outputs are in folders that all machines see by the same path")
    if options.get("threads") is not None:
        raise UsageError(f"threads are those of one machine; {engine} knows how many cores a job has")


def _field_of_input(name: str, options: dict[str, Any]) -> Any:
    """Return the field of the input that an option names for a reference: that is the default for both."""
    if not name.startswith("against_"):
        return None
    default = None if options.get("html_field") or name != "against_text_field" else TEXT
    return options.get(name.removeprefix("against_")) or default


def make_request(
    verb: str, inputs: Sequence[Any], options: dict[str, Any], engine: str, frames: "type[SentTables] | None" = None
) -> Request:
    """Choose the options and convert the inputs; `UsageError` for what no engine supports, which is named.

    `frames` are the tables of inputs that are DataFrames of the engine.
    """
    if verb not in ("dedup", "cluster", "pairs"):
        raise UsageError(f"{verb} runs on one machine; on {engine} run dedup, cluster and pairs")
    refuse_unknown(options, engine)
    against = options.get("against") or ()
    scheme = _core.chosen_scheme(options)
    indexes = [one.folder for one in (*inputs, *against) if isinstance(one, _core.Index)]
    refuse_inputs(options.get("output"), indexes, scheme.files)
    core = {name: options[name] for name in CORE if options.get(name) is not None}
    core["scheme"] = str(scheme)
    if all(isinstance(one, str) for one in inputs):
        return Request(verb, inputs, core | ({"against": against} if against else {}))
    tables: SentTables = (frames or Streams)(inputs, against, core)
    core |= {"against": tables.against} if tables.against else {}
    return Request(verb, tables.inputs, core, tables)
