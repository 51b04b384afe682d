"""What a job can be told: the same words in Python, on the command line and in the contract."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from os import PathLike, fspath
from typing import Any, Literal, TypedDict

from neardup._core import Scheme
from neardup.allowed import MOST, check_count, show
from neardup.document import ArrowStream, Document
from neardup.engine import Engine
from neardup.errors import UsageError
from neardup.limits import MOST_THREADS
from neardup.policy import POLICIES, Policy
from neardup.scheme import Number, write_number, write_scheme
from neardup.sources import Gathered, Inputs, file_name, gather, gather_paths

Progress = Callable[[str, int, int, int], None]
Notice = Callable[[str], None]
References = str | PathLike[str] | ArrowStream | Iterable[str | PathLike[str] | Document | ArrowStream]

FIELDS = ("text_field", "html_field", "id_field", "url_field", "time_field")
_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


class ReadOptions(TypedDict, total=False):
    """Options of whatever reads documents."""

    text_field: str | None
    """Field with the text ("text")."""
    html_field: str | None
    """Field with HTML, from which the text is taken."""
    main_content: bool
    """Take the main content of HTML only, without navigation and the like."""
    quoted_tsv: bool
    """Fields of TSV may be in double quotes, as those of CSV; else a quote is a character as any."""
    threads: int | None
    """Worker threads; the result does not depend on it."""
    memory: int | str | None
    """Memory budget in bytes, or as "512M", "4G"; the result does not depend on it."""
    progress: Progress | None
    """Called about ten times a second, and at the end, as progress(phase, done, total, documents)."""


class DocumentOptions(TypedDict, total=False):
    """Options of `read`."""

    text_field: str | None
    """Field with the text ("text")."""
    html_field: str | None
    """Field with HTML, from which the text is taken."""
    main_content: bool
    """Take the main content of HTML only, without navigation and the like."""
    quoted_tsv: bool
    """Fields of TSV may be in double quotes, as those of CSV; else a quote is a character as any."""
    id_field: str | None
    """Field with the id."""
    url_field: str | None
    """Field with the URL."""
    time_field: str | None
    """Field with the time."""
    on_error: Literal["stop", "skip"]
    """Stop at the first record that cannot be used, or skip and count such records."""


class JobOptions(ReadOptions, total=False):
    """Options of every job; each has a default."""

    notice: Notice | None
    """Told in a sentence what of memory and disk the run will take, once 32 MB of a larger input are read."""
    output: str | PathLike[str] | None
    """Folder for the result files; without one the result stays in memory."""
    overwrite: bool
    """Replace a result that already stands in the output folder."""
    scheme: str | Scheme | None
    """A scheme, its line, or the name of a profile or classic; its keys are its own, recall goes with `auto` alone."""
    threshold: Number | None
    """Resemblance from which two documents are near-duplicates (0.8); replaces the threshold of a named scheme."""
    recall: Number | None
    """Probability of finding a pair exactly at the threshold (0.99), or "exact"."""
    keep: Policy | None
    """Which of several is the original: earliest when there are times, else first; or latest, longest, shortest."""
    prefer: str | tuple[str, list[str]] | None
    """A field and its values, best first ("source=books,web"); it comes before `keep`."""
    against: References | None
    """Reference documents: compared with, never dropped, never written. A list of str is a list of paths here."""
    id_field: str | None
    """Field with the id; without one it is source and row."""
    url_field: str | None
    """Field with the URL."""
    time_field: str | None
    """Field with the time."""
    on_error: Literal["stop", "skip"]
    """Stop at the first record that cannot be used, or skip and count such records."""
    command: str | None
    """How the run was asked for, as the report shows it."""
    engine: Engine | None
    """What runs the job, a `SparkEngine`; without one this machine does, and Spark for its DataFrames."""


class DedupOptions(JobOptions, total=False):
    """Options of `dedup`."""

    no_kept: bool
    """Do not write the kept documents."""
    index: bool
    """Leave all documents as an index, too, in the folder index of the output."""


class PairOptions(JobOptions, total=False):
    """Options of `cluster` and `find_pairs`."""

    max_family: int | None
    """Largest group of equal documents, or of one key, whose pairs are all listed (10,000)."""


class ClusterOptions(PairOptions, total=False):
    """Options of `cluster`."""

    forest: bool
    """Leave the maximum spanning forest of the pairs: `recluster` answers every higher threshold from it."""
    pairs: bool
    """List every pair as `find_pairs` does, so that `recluster` can cluster by containment, too."""
    index: bool
    """Leave all documents as an index, too, in the folder index of the output."""


class ListOptions(PairOptions, total=False):
    """Options of `find_pairs`."""

    passages: bool
    """Find where the two documents of every pair say the same."""


class SketchOptions(ReadOptions, total=False):
    """Options of `sketch`."""

    output: str | PathLike[str] | None
    """Folder for the result files; without one the result stays in memory."""
    overwrite: bool
    """Replace a result that already stands in the output folder."""
    id_field: str | None
    """Field with the id; without one it is source and row."""
    on_error: Literal["stop", "skip"]
    """Stop at the first record that cannot be used, or skip and count such records."""
    command: str | None
    """How the run was asked for, as run.json shows it."""
    notice: Notice | None
    """As in the other jobs."""


class EvidenceOptions(TypedDict, total=False):
    """Options of `evidence`."""

    inputs: Inputs | None
    """The documents of the run; without them they are read from where the run read them."""
    against: References | None
    """The reference documents of the run, likewise."""
    ids: Sequence[str]
    """Only pairs with one of these documents."""
    clusters: Sequence[str]
    """Only pairs of these clusters: of `cluster` by the smallest id, of `dedup` by the id of the leader."""
    rule: Literal["identical", "lexical", "shingles", "near"] | None
    """Only pairs that this rule found; not of runs of `cluster`."""
    sample: int | None
    """So many of those, drawn by the digests of their ids: the same every time."""
    texts: bool
    """Write what the passages say and what differs, too: evidence.jsonl in the output folder."""
    output: str | PathLike[str] | None
    """Folder for the result files; without one the result stays in memory."""
    overwrite: bool
    """Replace a result that already stands in the output folder."""
    threads: int | None
    """Worker threads; the result does not depend on it."""
    memory: int | str | None
    """Memory budget in bytes, or as "512M", "4G"; the result does not depend on it."""
    progress: Progress | None
    """Called about ten times a second, and at the end, as progress(phase, done, total, documents)."""
    command: str | None
    """How it was asked for, as run.json shows it."""


class PassageOptions(ReadOptions, total=False):
    """Options of `find_passages`."""

    output: str | PathLike[str] | None
    """Folder for the result files; without one the result stays in memory."""
    overwrite: bool
    """Replace a result that already stands in the output folder."""
    unit: Literal["words", "eojeol", "segmented", "chars", "jamo", "bytes"] | None
    """What a token is ("words")."""
    cut: Literal["sentences", "lines", "tokens"] | None
    """What is cut whole: sentences or lines inside a passage, or all tokens ("sentences")."""
    least: int | None
    """A document that was cut and has fewer tokens left is dropped (1)."""
    no_kept: bool
    """Do not write the kept documents."""
    id_field: str | None
    """Field with the id; without one it is source and row."""
    on_error: Literal["stop", "skip"]
    """Stop at the first record that cannot be used, or skip and count such records."""
    command: str | None
    """How the run was asked for, as the report shows it."""
    notice: Notice | None
    """As in the other jobs, and once more when it is known how much of the text stands twice."""


class LexiconOptions(ReadOptions, total=False):
    """Options of `build_lexicon`."""

    scheme: str | None
    """The scheme that is to look terms up; every word, when none is named."""
    overwrite: bool
    """Replace a file that is there already."""
    on_error: Literal["stop", "skip"]
    """Stop at the first record that cannot be used, or skip and count such records."""


def translate(options: dict[str, Any]) -> dict[str, Any]:
    """Turn the options of a verb into the core's; `UsageError` names a wrong value and what is allowed.

    Which options there are is the verb's to check.
    """
    core: dict[str, Any] = {name: value for name, value in options.items() if name in _PLAIN and value is not None}
    for name in ("threshold", "recall"):
        if options.get(name) is not None:
            core[name] = write_number(options[name], name)
    if core.get("scheme"):
        core["scheme"] = write_scheme(core["scheme"], core.pop("threshold", None), core.get("recall"))
    _check_choice(options, "keep", POLICIES)
    _check_choice(options, "on_error", ("stop", "skip"))
    for name, least, most in (("threads", 1, MOST_THREADS), ("max_family", 2, MOST)):
        if name in core:
            check_count(name, core[name], least, most)
    if options.get("output") is not None:
        core["output"] = fspath(options["output"])
    if options.get("prefer") is not None:
        core["prefer"] = parse_prefer(options["prefer"])
    if options.get("memory") is not None:
        core["memory"] = parse_memory(options["memory"])
    if options.get("against") is not None:
        core["against"] = gather_references(options["against"]).inputs
    core["kept"] = not options.get("no_kept", False)
    core.update(translate_readers(options))
    return core


_PLAIN = (
    "overwrite",
    "scheme",
    "keep",
    "threads",
    "on_error",
    "max_family",
    "forest",
    "pairs",
    "passages",
    "index",
    "command",
    *FIELDS,
    "quoted_tsv",
)


def _check_choice(options: dict[str, Any], name: str, allowed: tuple[str, ...]) -> None:
    if options.get(name) is not None and options[name] not in allowed:
        raise UsageError(f"{name} is {options[name]!r}; allowed are {', '.join(allowed)}")


def parse_prefer(prefer: str | tuple[str, list[str]]) -> tuple[str, list[str]]:
    """Read "FIELD=VALUE,VALUE" into the field and its values, best first."""
    if not isinstance(prefer, str):
        field, values = prefer if isinstance(prefer, tuple) and len(prefer) == 2 else (prefer, None)
        if isinstance(field, str) and isinstance(values, list | tuple) and all(isinstance(one, str) for one in values):
            return field, list(values)
        raise UsageError(f"prefer is {show(prefer)}; it is FIELD=VALUE,VALUE or a field and the list of its values")
    field, equals, values_text = prefer.partition("=")
    ranked = [value for value in values_text.split(",") if value]
    if not (field and equals and ranked):
        raise UsageError(f"prefer is {prefer!r}; it is written FIELD=VALUE,VALUE with the best value first")
    return field, ranked


def parse_memory(memory: int | str) -> int:
    """Read a number of bytes, or a number with K, M, G or T."""
    if isinstance(memory, int):
        check_count("memory", memory)
        return memory
    text = memory.strip().upper().removesuffix("IB").removesuffix("B")
    number, unit = (text[:-1], text[-1:]) if text[-1:] in _UNITS and text[-1:] else (text, "")
    try:
        size = int(float(number) * _UNITS[unit])
    except (ValueError, OverflowError):
        size = 0
    if not 0 < size <= MOST:
        raise UsageError(f"memory is {show(memory)}; it is written as bytes or as 512M, 4G")
    return size


def gather_references(against: References) -> Gathered:
    """Sort out references as `gather` does inputs, but that a list of `str` is one of paths."""
    if isinstance(against, list | tuple) and all(isinstance(path, str) for path in against):
        return gather_paths([file_name(path) for path in against])
    return gather(against)


def translate_readers(options: Mapping[str, Any]) -> dict[str, Any]:
    """Give the core the readers that stand on Python libraries; they are imported when the first page comes."""
    main_content = bool(options.get("main_content", False))

    def extract(pages: list[str]) -> list[tuple[str | None, str | None]]:
        from neardup.corpus.markup import extract_texts

        return extract_texts(pages, main_content=main_content)

    def archive(path: str) -> Any:
        from neardup.corpus.archives import read_archive

        return read_archive(path, main_content=main_content)

    return {"extract": extract, "archive": archive, "main_content": main_content}
