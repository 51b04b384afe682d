"""Lexicons: the number of documents of a corpus in which each term occurs."""

import json
from collections.abc import Sequence
from os import PathLike, fspath
from typing import Any, Literal, NamedTuple, cast

from neardup import _core
from neardup.allowed import allow
from neardup.inputs.sources import Inputs, file_name, gather
from neardup.options.values import ProgressCallback, given, translate

WORDS = "words | terms | digest | each | equal"
"""Default scheme, whose terms are all words."""


class Lexicon(NamedTuple):
    """A lexicon file and its counts."""

    path: str
    """The file, a Parquet table of feature and documents; `weight=idf:FILE` in a scheme names it."""
    documents: int
    """Number of documents that were counted."""
    terms: int
    """Number of distinct terms in them."""
    counted: str
    """Unit, features and seed, as in "words | shingles:1 seed=0"."""
    digest: str
    """BLAKE3 over all of it, the same for any threads, chunks and memory."""
    rejected: int
    """Number of records that could not be used."""
    files: dict[str, Any]
    """Account of the files, as in run.json."""
    records: dict[str, Any]
    """Account of the records, as in run.json."""


@allow
def build_lexicon(
    inputs: Inputs,
    output: str | PathLike[str],
    *,
    scheme: str | None = None,
    text_field: str | None = None,
    html_field: str | None = None,
    main_content: bool = False,
    extractor: Literal["auto", "resiliparse", "trafilatura"] | None = None,
    quoted_tsv: bool = False,
    csv: str | None = None,
    encoding: str | None = None,
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    on_error: Literal["stop", "skip"] = "stop",
    threads: int | None = None,
    memory: int | str | None = None,
    overwrite: bool = False,
    progress: ProgressCallback | None = None,
) -> Lexicon:
    """Count the documents in which each term of a scheme occurs, and write the counts to a file.

    The scheme says what a term is by its tokens, its features (single tokens for terms and keywords, else shingles) and
    its seed.

    Args:
        inputs: As for `dedup`.
        output: The file.
        scheme: The scheme that looks terms up. By default one of all words, by terms.
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
        on_error: At a record that cannot be used: stop, or skip it and count it.
        threads: Worker threads; results do not depend on them. By default the cores there are.
        memory: Memory of a run, in bytes or as 512M or 4G; results do not depend on it. By default half of what there
            is.
        overwrite: Replace a file that exists already.
        progress: A function `progress(phase, done, total, documents)`, called about ten times a second and at the end.

    Returns:
        The file, with its counts.

    Raises:
        UsageError: An option or its value is not allowed.
        DataError: A record cannot be used.
        EnvironmentFault: A file cannot be read or written.

    Example:
        >>> neardup.build_lexicon(["the quay", "the ferry"], folder / "lexicon.parquet").terms
        3
    """
    options = given("lexicon", locals())
    core = translate(options | {"scheme": scheme or WORDS})
    path = file_name(fspath(output))
    made = _core.build_lexicon(gather(inputs, options, is_read_once=True).inputs, path, cast(Any, core), progress)
    return Lexicon(path, **json.loads(made))
