"""A run: inputs and options of a verb, passed to the core or to another engine."""

from collections.abc import Sequence
from typing import Any, Literal, cast

from neardup import _core
from neardup.errors import UsageError
from neardup.inputs.form import naming
from neardup.inputs.sources import Gathered, RunResult
from neardup.options.values import translate
from neardup.output.log import RunLog

Verb = Literal["dedup", "cluster", "pairs", "sketch", "passages"]


def run_verb(verb: Verb, gathered: Gathered, options: dict[str, Any]) -> RunResult:
    """Run a verb.

    Args:
        verb: Its name in the core.
        gathered: Its inputs, with the options that apply unless `options` has them.
        options: The options of the call, by their names in the table.

    Raises:
        UsageError: A value is not allowed, or two options exclude each other.
        DataError: A record cannot be used.
        EnvironmentFault: A file cannot be read or written.
    """
    core = translate(options)
    chosen = {"scheme", "threshold", "recall"} & core.keys()
    for name, value in gathered.options.items():
        if name != "scheme" or not chosen:
            core.setdefault(name, value)
    engine = options.get("engine") or gathered.engine
    if any(isinstance(one, _core.Index) for one in core.get("against", ())):
        if "id_field" not in core:
            raise UsageError(
                "the reference is an index, whose documents have ids: name the id field of the input: id_field"
            )
        if engine is None:
            _name_fields_of_index(core)
    log = RunLog(verb)
    progress, notice = log.watch(options.get("progress")), log.listen(options.get("notice"))
    if engine is not None:
        if "against" in core:
            core["against"] = unnamed(core["against"])
        result: RunResult = engine.run(verb, unnamed(gathered.inputs), core, progress, notice)
    else:
        # a table of the reference may have the same name
        form = gathered.form if all(isinstance(one, str) for one in core.get("against", ())) else None
        with naming(form):
            result = _core.run(verb, gathered.inputs, cast(Any, core), progress, notice)
    log.end(result.summary)
    return result


def _name_fields_of_index(core: dict[str, Any]) -> None:
    """Name the fields of an index, which are not those of the input."""
    for name in ("text", "id", "time"):
        if name == "text" or f"{name}_field" in core:
            core.setdefault(f"against_{name}_field", name)


def unnamed(inputs: Sequence[Any]) -> list[Any]:
    """Return inputs for an engine that numbers its streams; `UsageError` if they have names of their own."""
    streams = []
    for number, one in enumerate(inputs, 1):
        name, stream = one if isinstance(one, tuple) else (str(number), one)
        if name != str(number):
            raise UsageError(
                f"the source {name!r}: tables by name are one corpus on one machine only; give them as a list"
            )
        streams.append(stream)
    return streams
