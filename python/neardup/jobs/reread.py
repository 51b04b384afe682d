"""How a finished run read its documents, so that they are read again in the same way."""

from typing import Any

from neardup import _core
from neardup.corpus.extractors import check_label
from neardup.inputs.form import FIELDS
from neardup.inputs.listed import DocumentList
from neardup.inputs.sources import Inputs, Streams, gather, gather_paths
from neardup.options.reading import READING_NAMES
from neardup.options.values import read_preferences, translate_readers

OF_A_REFERENCE = tuple(f"against_{name}" for name in FIELDS if name != "url_field")
_OF_THE_RUN = (*READING_NAMES, *OF_A_REFERENCE, "prefer")
"""Options that are taken from the run."""

Fields = dict[str, str | None]
"""Names of fields that take the place of those of the run; None for a field that is not read."""


def reading_options(run: str, reading: dict[str, Any]) -> dict[str, Any]:
    """Return the options of the core by which the run in the folder `run` read its documents.

    `reading` is from its run.json. Raises `UsageError` if the main content was taken by another extractor.
    """
    core: dict[str, Any] = {}
    if reading["main_content"]:
        core |= translate_readers({"main_content": True, "extractor": check_label(reading.get("extractor"), None, run)})
    # runs of before do not state all of these
    core |= {name: reading[name] for name in _OF_THE_RUN if reading.get(name) is not None}
    if "prefer" in core:
        core["prefer"] = read_preferences(core["prefer"])
    return core


def gather_again(inputs: Inputs | None, reading: dict[str, Any]) -> tuple[Streams | None, Fields]:
    """Gather the documents of a run once more: `inputs`, or by default those that the run named.

    Returns:
        The documents, None if the run did not name files; and their fields if these have names of their own.
    """
    if inputs is None:
        return (None if reading["inputs"] is None else gather_paths(reading["inputs"]).inputs), {}
    found = gather(inputs, reading)
    has_own = isinstance(found.form, DocumentList) or are_indexes(found.inputs)
    return found.inputs, fields_of_documents("", reading) if has_own else {}


def are_indexes(inputs: Streams) -> bool:
    """Return whether any of the inputs is an index."""
    return any(isinstance(one, _core.Index) for one in inputs)


def fields_of_documents(prefix: str, reading: dict[str, Any]) -> Fields:
    """Return the fields of documents and of indexes, which have names of their own, as far as the run read them."""
    named = {name for name in ("text", "id", "time") if reading.get(f"{name}_field") is not None}
    return {f"{prefix}{name}_field": name for name in named} | {f"{prefix}html_field": None}
