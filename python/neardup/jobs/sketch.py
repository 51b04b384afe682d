"""Sketches: the values of a signature for every document, stored for later."""

from collections.abc import Sequence
from os import PathLike
from typing import Literal

from neardup._core import Scheme
from neardup.allowed import allow
from neardup.inputs.sources import Inputs, gather
from neardup.jobs.run import run_verb
from neardup.options.values import NoticeCallback, ProgressCallback, given, output_of
from neardup.results.outcomes import Sketching


@allow
def sketch(
    inputs: Inputs,
    scheme: str | Scheme,
    *,
    output: str | PathLike[str] | None = None,
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
    threads: int | None = None,
    memory: int | str | None = None,
    overwrite: bool = False,
    progress: ProgressCallback | None = None,
    notice: NoticeCallback | None = None,
    command: str | None = None,
) -> Sketching:
    """Sign documents with the first signature of a scheme, and store its values; nothing is compared.

    Args:
        inputs: As for `dedup`.
        scheme: A scheme, its line, or the name of a classic; its keys and its measure have no effect here.
        output: Folder for the results; it appears when all of them are complete. For dedup also -, which writes the
            kept records, and nothing else, to the standard output. By default results stay in memory.
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
        threads: Worker threads; results do not depend on them. By default the cores there are.
        memory: Memory of a run, in bytes or as 512M or 4G; results do not depend on it. By default half of what there
            is.
        overwrite: Replace a result that is already in the output folder.
        progress: A function `progress(phase, done, total, documents)`, called about ten times a second and at the end.
        notice: A function, called with a sentence on the memory and disk that a run of more than 32 MB will take.
        command: How the run was started, as run.json and the report show it.

    Returns:
        The values of the signature for every document.

    Raises:
        UsageError: An option or its value is not allowed.
        DataError: A record cannot be used.
        EnvironmentFault: A file cannot be read or written.

    Example:
        >>> line = "words | shingles:2 | moduli:1 | each | resemblance>=0.5"
        >>> len(neardup.sketch(["the quay was empty"], line).sketches)
        1
    """
    options = given("sketch", locals())
    result = run_verb("sketch", gather(inputs, options, is_read_once=True), options | {"scheme": scheme})
    return Sketching(result, output_of(options))
