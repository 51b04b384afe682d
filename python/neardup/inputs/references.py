"""References: documents that the input is compared with, whose fields need not have the names of the input's."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from neardup import _core
from neardup.errors import UsageError
from neardup.inputs.document import ArrowStream
from neardup.inputs.form import FIELDS, FieldNames, TableForm
from neardup.inputs.listed import DocumentList
from neardup.inputs.sources import Streams, gather


def gather_reference(against: Any, options: Mapping[str, Any]) -> tuple[Streams, dict[str, str]]:
    """Convert a reference for the core.

    Args:
        against: As the inputs of a verb: a list of `str` is texts, a list of `Path` is paths.
        options: The options of the job, of which the names of fields are used.

    Returns:
        The reference, and names of its fields where it is texts or documents, which have names of their own. If the
        input has ids, texts and documents without ids are numbered from 1.

    Raises:
        UsageError: The texts and their numbers would be one field.
    """
    own = {name: options.get(f"against_{name}") or options.get(name) for name in FIELDS}
    gathered = gather(against, own, is_read_once=True)
    form = gathered.form
    if isinstance(form, DocumentList):
        field, id_field, names = "text", "id", {"against_text_field": "text"}
        if options.get("time_field") is not None:
            names["against_time_field"] = "time"
    elif isinstance(form, TableForm) and form.is_column:
        field, id_field = FieldNames.of(own).compared, str(own["id_field"])
        names = {} if options.get("against_html_field") else {"against_text_field": field}
    else:
        return gathered.inputs, {}
    if options.get("id_field") is None:
        return gathered.inputs, names
    if id_field == field:
        raise UsageError(
            f'the reference is texts without ids, which are numbered: both cannot be in the field "{field}"; give '
            "another name as against_id_field"
        )
    sources = cast(Sequence[tuple[str, ArrowStream]], gathered.inputs)
    return [(name, _with_ids(stream, id_field)) for name, stream in sources], names | {"against_id_field": id_field}


def _with_ids(stream: ArrowStream, id_field: str) -> _core.Table:
    """Return texts or documents with their own ids, or else numbers from 1."""
    table = _core.Table.of_stream(stream)
    return table if id_field in table.column_names else table.numbered(id_field)
