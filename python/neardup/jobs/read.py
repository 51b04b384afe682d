"""Reading: the documents of files, indexes and tables, one after another."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, Literal, cast

from neardup import _core
from neardup.allowed import allow
from neardup.errors import UsageError
from neardup.inputs.document import Document, documents_of
from neardup.inputs.form import Form, naming
from neardup.inputs.sources import Files, Item, OneTable, Streams, core_of, engine_of, gather_named, is_frame
from neardup.options.values import given, translate
from neardup.results.document_reader import Reading

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


@allow
def read(
    inputs: "Files | list[str] | OneTable | Iterable[Item] | DataFrame",
    *,
    text_field: str | None = None,
    html_field: str | None = None,
    main_content: bool = False,
    extractor: Literal["auto", "resiliparse", "trafilatura"] | None = None,
    quoted_tsv: bool = False,
    csv: str | None = None,
    encoding: str | None = None,
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    id_field: str | None = None,
    url_field: str | None = None,
    time_field: str | None = None,
    time_unit: Literal["s", "ms", "us", "ns"] = "s",
    on_error: Literal["stop", "skip"] = "stop",
) -> Reading:
    """Read the documents of files, indexes or a table one after another, in input order.

    Fields, HTML and archives are read as in the jobs, and the errors are the same. A Spark DataFrame is brought to
    this machine one partition at a time, in the order of its ids.

    Args:
        inputs: As for `dedup`, except that a list of `str` is a list of paths here.
        text_field: Field with the text. By default text.
        html_field: Field with HTML, from which the text is taken instead.
        main_content: Take the main content of HTML only, without navigation and the like.
        extractor: What takes the main content: auto, by the structure of the page; resiliparse; or trafilatura. By
            default auto; in an index or a store the one that it was made with.
        quoted_tsv: Fields of TSV may be in double quotes, as those of CSV.
        csv: How CSV and TSV are written: delimiter=CHARACTER (or tab), quotes=yes|no, or both with a space between. By
            default found out: , ; tab or |.
        encoding: Encoding of text files without a byte order mark, such as windows-1251 or shift_jis; detect guesses
            it. By default utf-8.
        include: Read only files that match a pattern, by name or by path below the folder: '*.jsonl', 'a/**'.
        exclude: Do not read files that match a pattern, by name or by path below the folder.
        id_field: Field with the id. By default none; an id is source and row.
        url_field: Field with the URL.
        time_field: Field with the time: a date-time, a date or a number of Unix seconds.
        time_unit: Unit of times that are numbers, counted from 1970.
        on_error: At a record that cannot be used: stop, or skip it and list it in rejects.jsonl.

    Returns:
        An iterator of `Document`. Its `rejects` are the records skipped so far; its `account` counts the files and the
        records so far, with the reasons for those that are not read or are no documents.

    Raises:
        UsageError: An option or its value is not allowed.
        DataError: A record cannot be used.
        EnvironmentFault: A file cannot be read.

    Example:
        >>> (folder / "one.txt").write_text("the quay was empty")
        18
        >>> [document.text for document in neardup.read(folder / "one.txt")]
        ['the quay was empty']
    """
    return read_as(inputs, translate(given("read", locals())))


def read_as(inputs: Any, core: dict[str, Any], *, url_is_default: bool = False, needs_text: bool = True) -> Reading:
    """Read documents with the options of the core.

    With `url_is_default`, records need not have the URL field. Without `needs_text`, the text field is any field that
    all records have.
    """
    if is_frame(inputs):
        return _reading([engine_of(inputs).stream(inputs, core)], None, core, url_is_default)
    known = gather_named(inputs, core)
    # an index that is given by its folder is not read as a table: it may grow meanwhile
    indexes = [one for one in known.inputs if isinstance(one, _core.Index)] if core_of(inputs) is None else []
    if indexes:
        _refuse_fields({name: field for name, field in core.items() if needs_text or name != "text_field"})
        return Reading(chain.from_iterable(map(documents_of, indexes)), None)
    return _reading(known.inputs, known.form, {**known.options, **core}, url_is_default)


def _refuse_fields(core: dict[str, Any]) -> None:
    """Raise `UsageError` if a field is named that documents of an index do not have in its role."""
    own = {"text_field": "text", "html_field": None, "id_field": "id", "url_field": "url", "time_field": "time"}
    for name, field in own.items():
        if core.get(name) not in (None, field):
            there = "theirs are id, text, url, time"
            raise UsageError(f'{name}: documents of an index have no field "{core[name]}"; {there}')


def _reading(inputs: Streams, form: Form | None, core: dict[str, Any], url_is_default: bool) -> Reading:
    with naming(form):
        reader = _core.read(inputs, cast(Any, core), url_is_default)
    return Reading(_documents(reader, form), reader)


def _documents(reader: _core.DocumentReader, form: Form | None) -> Iterator[Document]:
    with naming(form):
        for key, text, url, time, source, row in reader:
            yield Document(text, key, url, time, source, row)
