"""Evidence: the passages that the documents of the pairs of a finished run share."""

import json
from collections.abc import Sequence
from os import PathLike
from typing import Any, Literal, cast

from neardup import _core
from neardup.allowed import allow
from neardup.corpus.extractors import check_label
from neardup.errors import UsageError
from neardup.inputs.form import FIELDS
from neardup.inputs.listed import DocumentList
from neardup.inputs.references import gather_reference
from neardup.inputs.sources import Inputs, Streams, gather, gather_paths
from neardup.options.reading import READING_NAMES
from neardup.options.values import (
    ProgressCallback,
    References,
    given,
    output_of,
    read_preferences,
    translate,
    translate_readers,
)
from neardup.results.outcomes import Evidence

_OWN = ("output", "overwrite", "threads", "memory", "command")
_OF_A_REFERENCE = tuple(f"against_{name}" for name in FIELDS if name != "url_field")
_OF_THE_RUN = (*READING_NAMES, *_OF_A_REFERENCE, "prefer")
"""Options that are taken from the run."""


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
    if reading["main_content"]:
        core |= translate_readers(
            {"main_content": True, "extractor": check_label(reading.get("extractor"), None, str(run))}
        )
    # runs of before do not state all of these
    core |= {name: reading[name] for name in _OF_THE_RUN if reading.get(name) is not None} | fields
    if "prefer" in core:
        core["prefer"] = read_preferences(core["prefer"])
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


def _gather_documents(
    options: dict[str, Any], reading: dict[str, Any]
) -> tuple[dict[str, Streams], dict[str, str | None]]:
    """Gather the inputs and references, as they are given or as the run read them.

    Returns:
        The documents, and names of fields that take the place of those of the run; None for a field that is not read.
    """
    gathered: dict[str, Streams] = {}
    fields: dict[str, str | None] = {}
    for name in ("inputs", "against"):
        if name not in options and reading[name] is not None:
            gathered[name] = gather_paths(reading[name]).inputs
    if "inputs" in options:
        found = gather(options["inputs"], reading)
        gathered["inputs"] = found.inputs
        if isinstance(found.form, DocumentList) or _are_indexes(found.inputs):
            # those of a reference are by default those of the inputs
            has_reference = "against" in gathered or "against" in options
            fields = _fields_of_documents("", reading) | (_fields_of_reference(reading) if has_reference else {})
    if "against" in options:
        gathered["against"], own = gather_reference(options["against"], reading)
        fields |= own
        if "against_text_field" in own or _are_indexes(gathered["against"]):
            fields |= _fields_of_documents("against_", reading) | own
    return gathered, fields


def _are_indexes(inputs: Streams) -> bool:
    return any(isinstance(one, _core.Index) for one in inputs)


def _fields_of_documents(prefix: str, reading: dict[str, Any]) -> dict[str, str | None]:
    """Return the fields of documents and of indexes, which have names of their own, as far as the run read them."""
    named = {name for name in ("text", "id", "time") if reading.get(f"{name}_field") is not None}
    return {f"{prefix}{name}_field": name for name in named} | {f"{prefix}html_field": None}


def _fields_of_reference(reading: dict[str, Any]) -> dict[str, str | None]:
    """Return the fields that the run read of its reference; a text field of its own takes the place of HTML."""
    inherited = {**reading, "html_field": None} if reading.get("against_text_field") else reading
    return {name: reading.get(name) or inherited.get(name.removeprefix("against_")) for name in _OF_A_REFERENCE}
