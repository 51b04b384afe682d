"""The request of a run, with every choice filled in."""

import re
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pyspark.sql import DataFrame

from neardup import _core
from neardup.errors import UsageError
from neardup.inputs.form import TEXT
from neardup.inputs.sources import is_frame
from neardup.options.reading import READING_NAMES
from neardup.options.table import default_of
from neardup.options.values import STDOUT, translate_readers
from neardup.output.folders import refuse_inputs
from neardup.results.account import Account
from neardup.spark.frames.documents import Documents, take_frames, take_streams
from neardup.spark.frames.files import File, take_files
from neardup.spark.passes.one_pass import Pass, Verb
from neardup.spark.passes.tasks import Options

if TYPE_CHECKING:
    from collections.abc import Sequence

    from neardup.spark.session.operations import SparkOperations

CORE = (*(name for name in READING_NAMES if name != "on_error"), "prefer", "max_family", "memory")
"""Options that are passed to tasks, which report each record that cannot be used, whatever on_error says."""

OF_DRIVER = ("on_error", "keep", "pairs", "output", "overwrite", "no_kept", "against", "command")
"""Further options that the driver of the core takes."""


@dataclass(frozen=True)
class Request:
    """A verb over documents, with its options."""

    verb: Verb
    documents: Documents
    files: list[File]
    """The files of the documents, if they come from files."""
    sources: _core.Sources
    """The files as they were found. They must not change during the run: tasks read them again to compare."""
    accounting: dict[str, Any]
    """Account of all files that were named or found."""
    frame: DataFrame | None
    """The DataFrame of the documents, if they come from one."""
    scheme: _core.Scheme
    keep: str
    options: dict[str, Any] = field(repr=False)

    @property
    def lists(self) -> bool:
        """Whether pairs are listed."""
        return self.verb == "pairs" or bool(self.options.get("pairs"))

    @property
    def skips(self) -> bool:
        """Whether records that cannot be used are left out."""
        return self.options.get("on_error") == "skip"

    @property
    def writes_kept(self) -> bool:
        """Whether the files of the input are written again, without dropped documents."""
        return bool(self.files) and _writes_kept(self.verb, self.options)

    @property
    def max_family(self) -> int:
        """The largest group of copies of which all pairs are listed."""
        return int(self.options.get("max_family") or default_of("pairs", "max_family"))

    def passes(self) -> list[Pass]:
        """Return the passes, each a scheme by itself."""
        lines = str(self.scheme).split(" ; ")
        passes = []
        for number, line in enumerate(lines, 1):
            decides: tuple[Verb, ...] = ("cluster",) if self.verb == "cluster" else ("dedup",)
            lists: tuple[Verb, ...] = ("pairs",) if self.lists else ()
            # A list of pairs needs no drops, except to choose the documents that the next pass sees.
            verbs = lists if self.verb == "pairs" and number == len(lines) else (*decides, *lists)
            core = {**self.documents.options, "scheme": _FILE.sub(_in_full, line)}
            passes.append(Pass(verbs, number, self.keep, self.max_family, Options(core, self.verb == "pairs")))
        return passes


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


def _in_full(file: "re.Match[str]") -> str:
    """Name a file of a scheme by its absolute path: tasks run elsewhere, in other folders."""
    return f"{file[1]}:{Path(file[2]).absolute()}"


def _writes_kept(verb: str, options: dict[str, Any]) -> bool:
    return verb == "dedup" and options.get("output") is not None and not options.get("no_kept")


def refuse_unknown(options: dict[str, Any]) -> None:
    """Raise `UsageError` for the first option that this engine does not support."""
    for name in _OF_ONE_MACHINE:
        if options.get(name) not in (None, default_of("dedup", name), _field_of_input(name, options)):
            raise UsageError(
                f"{name} is not known on Spark: {name} is an option of runs on one machine; leave it out, or run there"
            )
    for name in ("forest", "passages", "index"):
        if options.get(name):
            raise UsageError(f"{name} is not made on Spark: leave it out, or run on one machine")
    if str(options.get("keep")).startswith(("highest:", "lowest:")):
        raise UsageError("keep by a number of a field runs on one machine; on Spark keep earliest, first, latest ...")
    if options.get("output") == STDOUT:
        raise UsageError("output -: records are written to the standard output by runs on one machine; name a folder")
    if options.get("threads") is not None:
        raise UsageError("threads are those of one machine; Spark's master says how many cores a job has")


def _field_of_input(name: str, options: dict[str, Any]) -> Any:
    """Return the field of the input that an option names for a reference: that is the default for both."""
    if not name.startswith("against_"):
        return None
    default = None if options.get("html_field") or name != "against_text_field" else TEXT
    return options.get(name.removeprefix("against_")) or default


def spread_options(inputs: "Sequence[Any]", options: dict[str, Any]) -> dict[str, Any] | None:
    """Return the options for the driver of the core; None for a run that it does not plan yet."""
    scheme = _core.chosen_scheme(options)
    lines = str(scheme).split(" ; ")
    if any(_core.what_counts(line) is not None for line in lines):
        return None
    if not inputs or not all(isinstance(one, str) for one in inputs):
        return None
    refuse_inputs(options.get("output"), [], scheme.files)
    core = {name: options[name] for name in (*CORE, *OF_DRIVER) if options.get(name) is not None}
    return core | {"scheme": _FILE.sub(_in_full, str(scheme))}


def refuse(verb: str, options: dict[str, Any]) -> None:
    """Raise `UsageError` for what this engine does not support."""
    if verb not in ("dedup", "cluster", "pairs"):
        raise UsageError(f"{verb} runs on one machine; on Spark run dedup, cluster and pairs")
    refuse_unknown(options)


def make_request(engine: "SparkOperations", verb: str, inputs: "Sequence[Any]", options: dict[str, Any]) -> Request:
    """Fill in defaults, and convert the inputs."""
    against = options.get("against") or ()
    fields = {name: options[name] for name in CORE if options.get(name) is not None}
    scheme = _core.chosen_scheme(options)
    indexes = [one.folder for one in (*inputs, *against) if isinstance(one, _core.Index)]
    refuse_inputs(options.get("output"), indexes, scheme.files)
    core = fields | {"scheme": str(scheme)}
    asked = core | translate_readers(core) | ({"keep": options["keep"]} if options.get("keep") else {})
    files, accounting = list[File](), Account.of_counts().files
    if inputs and all(isinstance(one, str) for one in inputs):
        are_kept = _writes_kept(verb, options) and options.get("on_error") == "skip"
        sources = _core.Sources(inputs, asked | ({"against": list(against)} if against else {}))
        documents, files, accounting = take_files(engine, sources, core, are_kept=are_kept)
        refuse_inputs(options.get("output"), [file.path for file in files])
    else:
        sources = _core.Sources([], asked)
        is_of_frames = inputs and is_frame(inputs[0])
        of_streams = partial(take_streams, engine)
        documents = (take_frames if is_of_frames else of_streams)(inputs, against, fields)
    keep = options.get("keep") or ("earliest" if options.get("time_field") else "first")
    frame = inputs[0] if len(inputs) == 1 and is_frame(inputs[0]) else None
    return Request(verb, documents, files, sources, accounting, frame, scheme, keep, options)  # type: ignore[arg-type]
