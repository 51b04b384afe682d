"""Lexicons: in how many documents of a corpus each term stands."""

from os import PathLike, fspath
from typing import Any, NamedTuple, Unpack, cast

from neardup import _core
from neardup.allowed import allow, check_options
from neardup.options import LexiconOptions, translate
from neardup.sources import Inputs, file_name, gather

WORDS = "words | terms | digest | each | equal"
"""The scheme whose terms are counted when none is named: every word."""


class Lexicon(NamedTuple):
    """What a lexicon file holds."""

    path: str
    """The file, a Parquet table of feature and documents; `weight=idf:FILE` in a scheme names it."""
    documents: int
    """How many documents were counted."""
    terms: int
    """How many distinct terms they have."""
    counted: str
    """Unit, features and seed, as in "words | shingles:1 seed=0"."""
    digest: str
    """BLAKE3 over all of it, the same for any threads, chunks and memory."""
    rejected: int
    """How many records could not be used."""


@allow
def build_lexicon(inputs: Inputs, output: str | PathLike[str], **options: Unpack[LexiconOptions]) -> Lexicon:
    """Count in how many documents each term stands that a scheme looks up, and write the counts to a file.

    `inputs` as in `dedup`; `output` is the file; `options` are those of `neardup.LexiconOptions`. The scheme says what
    a term is by its tokens, its features (single tokens for terms and keywords, else shingles) and its seed. Raises
    `UsageError`, `DataError`, `EnvironmentFault`.
    """
    import json

    check_options(options, LexiconOptions)
    core = translate(cast(dict[str, Any], {**options, "scheme": options.get("scheme") or WORDS}))
    path = file_name(fspath(output))
    made = _core.build_lexicon(gather(inputs).inputs, path, cast(Any, core), options.get("progress"))
    return Lexicon(path, **json.loads(made))
