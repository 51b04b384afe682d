"""Repeated passages: runs of text that occur in several places of a corpus, found and cut."""

from collections.abc import Iterable, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal, TypeVar, overload

from neardup.allowed import allow
from neardup.errors import UsageError
from neardup.inputs.form import FieldNames
from neardup.inputs.sources import Files, Inputs, Item, OneTable, gather
from neardup.jobs.run import run_verb
from neardup.options.values import NoticeCallback, ProgressCallback, References, given, output_of
from neardup.results.outcomes import PassageList

if TYPE_CHECKING:
    from pathlib import Path

T = TypeVar("T", bound=OneTable)
D = TypeVar("D", bound=Item)


@overload
def find_passages(  # type: ignore[overload-overlap]
    inputs: T,
    tokens: int = 50,
    *,
    output: str | PathLike[str] | None = None,
    against: References | None = None,
    against_text_field: str | None = None,
    against_html_field: str | None = None,
    against_id_field: str | None = None,
    only_against: bool = False,
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
    on_error: Literal["stop", "skip"] = "stop",
    unit: Literal["words", "eojeol", "segmented", "chars", "jamo", "bytes"] = "words",
    cut: Literal["sentences", "lines", "tokens"] = "sentences",
    least: int = 1,
    no_kept: bool = False,
    threads: int | None = None,
    memory: int | str | None = None,
    overwrite: bool = False,
    progress: ProgressCallback | None = None,
    notice: NoticeCallback | None = None,
    command: str | None = None,
) -> PassageList[T]: ...
@overload
def find_passages(  # type: ignore[overload-overlap]
    inputs: Files,
    tokens: int = 50,
    *,
    output: str | PathLike[str] | None = None,
    against: References | None = None,
    against_text_field: str | None = None,
    against_html_field: str | None = None,
    against_id_field: str | None = None,
    only_against: bool = False,
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
    on_error: Literal["stop", "skip"] = "stop",
    unit: Literal["words", "eojeol", "segmented", "chars", "jamo", "bytes"] = "words",
    cut: Literal["sentences", "lines", "tokens"] = "sentences",
    least: int = 1,
    no_kept: bool = False,
    threads: int | None = None,
    memory: int | str | None = None,
    overwrite: bool = False,
    progress: ProgressCallback | None = None,
    notice: NoticeCallback | None = None,
    command: str | None = None,
) -> "PassageList[Path | None]": ...
@overload
def find_passages(
    inputs: Iterable[dict[str, Any]],
    tokens: int = 50,
    *,
    output: str | PathLike[str] | None = None,
    against: References | None = None,
    against_text_field: str | None = None,
    against_html_field: str | None = None,
    against_id_field: str | None = None,
    only_against: bool = False,
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
    on_error: Literal["stop", "skip"] = "stop",
    unit: Literal["words", "eojeol", "segmented", "chars", "jamo", "bytes"] = "words",
    cut: Literal["sentences", "lines", "tokens"] = "sentences",
    least: int = 1,
    no_kept: bool = False,
    threads: int | None = None,
    memory: int | str | None = None,
    overwrite: bool = False,
    progress: ProgressCallback | None = None,
    notice: NoticeCallback | None = None,
    command: str | None = None,
) -> PassageList[list[dict[str, Any]]]: ...
@overload
def find_passages(
    inputs: Iterable[D],
    tokens: int = 50,
    *,
    output: str | PathLike[str] | None = None,
    against: References | None = None,
    against_text_field: str | None = None,
    against_html_field: str | None = None,
    against_id_field: str | None = None,
    only_against: bool = False,
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
    on_error: Literal["stop", "skip"] = "stop",
    unit: Literal["words", "eojeol", "segmented", "chars", "jamo", "bytes"] = "words",
    cut: Literal["sentences", "lines", "tokens"] = "sentences",
    least: int = 1,
    no_kept: bool = False,
    threads: int | None = None,
    memory: int | str | None = None,
    overwrite: bool = False,
    progress: ProgressCallback | None = None,
    notice: NoticeCallback | None = None,
    command: str | None = None,
) -> PassageList[list[D]]: ...
@allow
def find_passages(
    inputs: Inputs,
    tokens: int = 50,
    *,
    output: str | PathLike[str] | None = None,
    against: References | None = None,
    against_text_field: str | None = None,
    against_html_field: str | None = None,
    against_id_field: str | None = None,
    only_against: bool = False,
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
    on_error: Literal["stop", "skip"] = "stop",
    unit: Literal["words", "eojeol", "segmented", "chars", "jamo", "bytes"] = "words",
    cut: Literal["sentences", "lines", "tokens"] = "sentences",
    least: int = 1,
    no_kept: bool = False,
    threads: int | None = None,
    memory: int | str | None = None,
    overwrite: bool = False,
    progress: ProgressCallback | None = None,
    notice: NoticeCallback | None = None,
    command: str | None = None,
) -> PassageList[Any]:
    r"""Find every passage that occurs in two places of the corpus, and cut all but the first.

    The search is complete: every run of `tokens` tokens that also occurs at an earlier place is part of a passage.
    Anchors are chosen by winnowing: Schleimer, Wilkerson, Aiken 2003.

    Args:
        inputs: As for `dedup`.
        tokens: Tokens in a row that are a passage when they occur in two places, 2 to 64.
        output: Folder for the results; it appears when all of them are complete. For dedup also -, which writes the
            kept records, and nothing else, to the standard output. By default results stay in memory.
        against: Reference documents or an index to compare with: never dropped, never written.
        against_text_field: Field with the text of a reference. By default that of the input, `text_field`.
        against_html_field: Field with the HTML of a reference. By default that of the input, `html_field`.
        against_id_field: Field with the id of a reference. By default that of the input, `id_field`.
        only_against: Only what meets the reference counts: repeats inside the input are left alone.
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
        on_error: At a record that cannot be used: stop, or skip it and list it in rejects.jsonl.
        unit: What a token is.
        cut: What is cut: the sentences or lines that lie inside a passage, or all its tokens.
        least: A document that was cut and has fewer tokens left is dropped.
        no_kept: Do not write the kept documents.
        threads: Worker threads; results do not depend on them. By default the cores there are.
        memory: Memory of a run, in bytes or as 512M or 4G; results do not depend on it. By default half of what there
            is.
        overwrite: Replace a result that is already in the output folder.
        progress: A function `progress(phase, done, total, documents)`, called about ten times a second and at the end.
        notice: A function, called with a sentence on the memory and disk that a run of more than 32 MB will take.
        command: How the run was started, as run.json and the report show it.

    Returns:
        The passages, and the documents as they are after the cut.

    Raises:
        UsageError: An option or its value is not allowed.
        DataError: A record cannot be used.
        EnvironmentFault: A file cannot be read or written.

    Example:
        >>> line = "the quay was empty when the last ferry left.\n"
        >>> neardup.find_passages([line + "One.", line + "Two."], tokens=5).kept
        ['the quay was empty when the last ferry left.\nOne.', 'Two.']
    """
    options = given("passages", locals())
    gathered = gather(inputs, options)
    field = FieldNames.of(options).compared
    # spans are those of the text, which is not a field if it comes from HTML
    form = None if "html_field" in options else gathered.form
    if form is not None and not form.can_cut(field):
        if not no_kept:
            raise UsageError(
                f'the text "{field}" is nested or joined, so that it cannot be cut there; name one field, or leave the '
                "kept documents out: no_kept"
            )
        form = None
    scheme = f"{unit} | shingles:{tokens} | whole | each | equal"
    result = run_verb("passages", gathered, options | {"scheme": scheme})
    return PassageList(result, output_of(options), form, field)
