"""Evidence: the passages that the documents of the pairs of a finished run share."""

import json
from collections.abc import Sequence
from os import PathLike
from typing import Any, Literal, cast

from neardup import _core
from neardup.allowed import allow
from neardup.errors import UsageError
from neardup.inputs.references import gather_reference
from neardup.inputs.sources import Inputs, Streams, gather_paths
from neardup.jobs.reread import OF_A_REFERENCE, Fields, are_indexes, fields_of_documents, gather_again, reading_options
from neardup.options.values import (
    ProgressCallback,
    References,
    given,
    output_of,
    translate,
)
from neardup.results.outcomes import Evidence

_OWN = ("output", "overwrite", "threads", "memory", "command")


@allow
def evidence(
    run: str | PathLike[str],
    *,
    output: str | PathLike[str] | None = None,
    inputs: Inputs | None = None,
    against: References | None = None,
    ids: Sequence[str] = (),
    clusters: Sequence[str] = (),
    rule: Literal["identical", "lexical", "shingles", "near"] | None = None,
    sample: int | None = None,
    texts: bool = False,
    threads: int | None = None,
    memory: int | str | None = None,
    overwrite: bool = False,
    progress: ProgressCallback | None = None,
    command: str | None = None,
) -> Evidence:
    """Find the passages that the documents of the pairs of a finished run share.

    The documents are read again, from where the run read them or from `inputs`.

    Args:
        run: The folder of the results of `dedup` (every dropped document with its original), `cluster` (with its
            leader) or `find_pairs`.
        output: Folder for the results; it appears when all of them are complete. For dedup also -, which writes the
            kept records, and nothing else, to the standard output. By default results stay in memory.
        inputs: The documents of the run, if they have moved.
        against: The reference documents of the run, if they have moved.
        ids: Only pairs with this document.
        clusters: Only pairs of this cluster, named by its smallest id; after dedup, by the id of the leader.
        rule: Only pairs that this rule found; not after cluster.
        sample: Draw a reproducible sample of N pairs.
        texts: Write the text of the passages and of the differences, too: evidence.jsonl.
        threads: Worker threads; results do not depend on them. By default the cores there are.
        memory: Memory of a run, in bytes or as 512M or 4G; results do not depend on it. By default half of what there
            is.
        overwrite: Replace a result that is already in the output folder.
        progress: A function `progress(phase, done, total, documents)`, called about ten times a second and at the end.
        command: How the run was started, as run.json and the report show it.

    Returns:
        The passages, with their byte spans in both documents.

    Raises:
        UsageError: The documents are not those of the run, or an option is not allowed.
        DataError: A record cannot be used, or a file of the run is damaged.
        EnvironmentFault: A file cannot be read or written.

    Example:
        >>> text = "the quay was empty when the last ferry left for the islands that night"
        >>> (folder / "one.txt").write_text(text), (folder / "two.txt").write_text(text + ", and nobody came")
        (70, 87)
        >>> run = neardup.find_pairs(folder / "*.txt", threshold=0.5, output=folder / "run")
        >>> neardup.evidence(folder / "run").passages.column("tokens")
        [14]
    """
    options = given("evidence", locals())
    for name in ("ids", "clusters"):
        if isinstance(options.get(name), str):
            raise UsageError(f"{name} is {options[name]!r}; it is a list of ids")
    if texts and output is None:
        raise UsageError("texts are written to evidence.jsonl in the folder of the results: name it as output")
    scheme, reading = json.loads(_core.reading(str(run)))
    gathered, fields = _gather_documents(options, reading)
    if "inputs" not in gathered:
        raise UsageError(f"{run}: its documents did not come from files, or from stdin: give them once more as inputs")
    core = translate({name: options[name] for name in _OWN if name in options} | {"scheme": scheme})
    core |= reading_options(str(run), reading) | fields
    if "against" in gathered:
        core["against"] = gathered["against"]
    result = _core.evidence(
        str(run),
        gathered["inputs"],
        cast(Any, core),
        list(ids),
        list(clusters),
        rule,
        sample,
        bool(texts),
        progress,
    )
    return Evidence(result, output_of(options))


def _gather_documents(options: dict[str, Any], reading: dict[str, Any]) -> tuple[dict[str, Streams], Fields]:
    """Gather the inputs and references, as they are given or as the run read them, and fields of their own."""
    gathered: dict[str, Streams] = {}
    inputs, fields = gather_again(options.get("inputs"), reading)
    if inputs is not None:
        gathered["inputs"] = inputs
    if "against" not in options and reading["against"] is not None:
        gathered["against"] = gather_paths(reading["against"]).inputs
    if fields and ("against" in gathered or "against" in options):
        # those of a reference are by default those of the inputs
        fields |= _fields_of_reference(reading)
    if "against" in options:
        gathered["against"], own = gather_reference(options["against"], reading)
        fields |= own
        if "against_text_field" in own or are_indexes(gathered["against"]):
            fields |= fields_of_documents("against_", reading) | own
    return gathered, fields


def _fields_of_reference(reading: dict[str, Any]) -> Fields:
    """Return the fields that the run read of its reference; a text field of its own takes the place of HTML."""
    inherited = {**reading, "html_field": None} if reading.get("against_text_field") else reading
    return {name: reading.get(name) or inherited.get(name.removeprefix("against_")) for name in OF_A_REFERENCE}
