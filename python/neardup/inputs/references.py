"""References: documents that the input is compared with, whose fields need not have the names of the input's."""

from collections.abc import Mapping
from typing import Any

from neardup import _core
from neardup.inputs.columns import collect
from neardup.inputs.document import ArrowStream
from neardup.inputs.form import FIELDS, FieldNames, TableForm
from neardup.inputs.listed import DocumentList, TextList
from neardup.inputs.sources import Streams, gather


def gather_reference(against: Any, options: Mapping[str, Any]) -> tuple[Streams, dict[str, str]]:
    """Convert a reference for the core.

    Args:
        against: As the inputs of a verb: a list of `str` is texts, a list of `Path` is paths.
        options: The options of the job, of which the names of fields are used.

    Returns:
        The reference, and names of its fields where it is texts or documents, which have names of their own. If the
        input has ids, texts and documents without ids are numbered from 1.
    """
    own = {name: options.get(f"against_{name}") or options.get(name) for name in FIELDS}
    gathered = gather(against, own, is_read_once=True)
    form = gathered.form
    needs_ids = options.get("id_field") is not None
    if isinstance(form, DocumentList):
        names = {"against_text_field": "text"}
        if needs_ids:
            names["against_id_field"] = "id"
            if all(document.id is None for document in form.documents):
                numbered = [document._replace(id=str(number)) for number, document in enumerate(form.documents, 1)]
                gathered = gathered._replace(inputs=DocumentList(numbered).streams)
        if options.get("time_field") is not None:
            names["against_time_field"] = "time"
        return gathered.inputs, names
    if not isinstance(form, TableForm) or not form.is_column or options.get("against_html_field"):
        return gathered.inputs, {}
    field = FieldNames.of(own).compared
    names = {"against_text_field": field}
    if not needs_ids:
        return gathered.inputs, names
    names["against_id_field"] = str(own["id_field"])
    return [_numbered(form, field, names["against_id_field"])], names


def _numbered(texts: TableForm, field: str, id_field: str) -> ArrowStream:
    """Return a column of texts as a table with ids, which are numbers from 1."""
    values = texts.texts if isinstance(texts, TextList) else _core.Table.of_stream(texts.once).column(field)
    written = [value.decode() if isinstance(value, bytes) else value for value in values]
    ids = [str(number) for number in range(1, len(written) + 1)]
    return collect({field: written, id_field: ids}, FieldNames((field,), (id_field,)))
