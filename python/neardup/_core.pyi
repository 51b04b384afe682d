"""The Rust core of neardup: coarse calls that do their work outside the interpreter's lock.

Every call here releases the lock while it works, checks for Ctrl-C several times a second (`KeyboardInterrupt`), and
reports a user's mistake by a class of `neardup.errors`. Texts are `str`, offsets are in bytes unless they say otherwise.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, Literal, Protocol, TypedDict, final, type_check_only

__version__: str
unicode_version: str
"""The Unicode version of the pinned tables that decide letters, scripts and case."""
machine_memory: int | None
"""The most bytes this process can have: the machine's, or the limit of its control group; `None` where there is none."""

@type_check_only
class _ArrowStream(Protocol):
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

@type_check_only
class _ArrowArray(Protocol):
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...

@type_check_only
class _Options(TypedDict, total=False):
    """What a job receives; a missing entry or `None` means the default."""

    output: str | None
    """Folder for the results; it appears when all of them are complete. By default results stay in memory."""
    threshold: str | None
    """Resemblance from which two documents are near-duplicates: above 0, up to 1; replaces that of a named scheme. By default 0.8."""
    recall: str | None
    """Probability of finding a pair exactly at the threshold, or 'exact' to find every pair. By default 0.99."""
    scheme: str | None
    """A whole scheme line, which states its own threshold, or the name of a profile or a classic."""
    keep: Literal["earliest", "first", "latest", "longest", "shortest"] | None
    """Which document of a group is the original. By default earliest with `time_field`, else first."""
    prefer: tuple[str, list[str]] | None
    """Values of a field, best first; a better value decides before `keep`."""
    text_field: str | None
    """Field with the text. By default text."""
    html_field: str | None
    """Field with HTML, from which the text is taken instead."""
    main_content: bool
    """Take the main content of HTML only, without navigation and the like."""
    quoted_tsv: bool
    """Fields of TSV may be in double quotes, as those of CSV."""
    id_field: str | None
    """Field with the id. By default none; an id is source and row."""
    url_field: str | None
    """Field with the URL."""
    time_field: str | None
    """Field with the time: RFC 3339, YYYY[-MM[-DD]] or integer Unix seconds."""
    on_error: Literal["stop", "skip"]
    """At a record that cannot be used: stop, or skip it and list it in rejects.jsonl."""
    max_family: int
    """Largest group of equal documents, or of one key, whose pairs are all listed or compared."""
    forest: bool
    """Write what `recluster` needs for every higher threshold, too: forest.parquet, and thresholds to choose in report.html."""
    pairs: bool
    """List every pair, too: pairs.parquet."""
    passages: bool
    """Find the passages that the two documents of every pair share: passages.parquet."""
    cut: Literal["sentences", "lines", "tokens"]
    """What is cut: the sentences or lines that lie inside a passage, or all its tokens."""
    least: int
    """A document that was cut and has fewer tokens left is dropped."""
    no_kept: bool
    """Do not write the kept documents."""
    index: bool
    """Write an index of all documents, too, in the folder index of the output. For `keep` first or earliest."""
    threads: int | None
    """Worker threads; results do not depend on them. By default the cores there are."""
    memory: int | None
    """Memory of a run, in bytes or as 512M or 4G; results do not depend on it. By default half of what there is."""
    overwrite: bool
    """Replace a result that is already in the output folder."""
    command: str | None
    """How the run was started, as run.json and the report show it."""
    chunk: int
    """Bytes read at once, at least 4,096; results do not depend on them."""
    foreseen: list[int]
    """Keys of the only pass that more documents hold than their cap, as `Tasks.sign` writes keys."""
    counted: str | None
    """A file with the lexicon that the only pass counts. By default the pass counts it."""
    kept: bool
    """Write the kept documents (default true; without effect when `output` is `None`)."""
    against: Sequence[str] | Sequence[_ArrowStream] | None
    """Reference documents: files or streams, read with the same fields."""
    extract: Callable[[list[str]], list[tuple[str | None, str | None]]] | None
    """HTML pages -> for each (text, None) or (None, reason); called from worker threads, under the lock."""
    archive: Callable[[str], Iterator[tuple[int, int, str | None, str | None, str | None, str | None]]] | None
    """Path of a WARC or ARC file -> its document records as (offset, length, url, time, text, reason).

    Offset and length are bytes of the file as it is stored (a gzip member, or the record with its trailing line ends);
    time is an RFC 3339 date-time. Exactly one of text and reason is given: reason says why the record is a reject."""

@final
class Table:
    """A table of columns in memory, shared with any Arrow library through the PyCapsule interface."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Return the batches as an Arrow C stream, without copying them; may be called any number of times."""
    def __len__(self) -> int:
        """Count the rows."""
    @property
    def column_names(self) -> list[str]:
        """The names of the columns, in order."""
    def column(self, name: str) -> list[Any]:
        """Copy one column into Python objects (`str`, `int`, `float`, `bool`, `list` or `None`); `UsageError` names the columns there are."""

@final
class JobResult:
    """What a job leaves behind."""

    @property
    def summary(self) -> str:
        """The text of `run.json`; its keys are those of `docs/reference/outputs.md`."""
    @property
    def tables(self) -> list[str]:
        """The names of the tables there are."""
    def table(
        self,
        name: Literal[
            "decisions",
            "clusters",
            "forest",
            "pairs",
            "passages",
            "sketches",
            "repeated",
            "removed",
            "changed",
            "rejects",
            "kept",
        ],
    ) -> Table:
        """Return one table of the result.

        `dedup` has decisions and, when its input was one Arrow stream, kept: that input's own columns without the
        dropped rows. `cluster` has clusters and, when they were asked for, forest and pairs; `pairs` has pairs and, when they were
        asked for, passages; `sketch` has sketches. Columns are those of the Parquet files, in the same order.
        The source of a stream's documents is its place in `inputs` ("1", "2", ...), their row is counted from 1 over the
        whole stream.
        `UsageError` names the tables there are.
        """

@final
class DocumentReader(Iterator[tuple[str, str, str | None, int | str | None, str, int]]):
    """Documents of files or streams, one after another, in input order; a bounded number is read ahead."""

    def __iter__(self) -> DocumentReader: ...
    def __next__(self) -> tuple[str, str, str | None, int | str | None, str, int]:
        """Return (id, text, url, time, source, row); a missing id is `source:row`, and rows are counted from 1.

        Time is in Unix seconds, or an RFC 3339 date-time when there is a fraction.
        """
    @property
    def rejects(self) -> list[tuple[str, int, str]]:
        """The records skipped so far as (source, row, reason); empty unless `on_error` is "skip"."""

    def counts(self) -> tuple[str, str]:
        """Return what became of the files and of the records so far, each as the JSON of run.json."""

@final
class Scheme:
    """A scheme line, parsed, checked and with every choice filled in."""

    def __new__(cls, line: str) -> Scheme:
        """Parse a line; `UsageError` names the stage, what was written and what is allowed."""
    def __str__(self) -> str:
        """The canonical line."""
    @property
    def notes(self) -> list[str]:
        """What a user of this scheme should know: recall that is not promised, results that are not verified."""
    def notes_of_run(
        self, capped: list[int], *, documents: int, without_features: int, short: int, of_records: list[str]
    ) -> list[str]:
        """The same of a run in which keys of these passes, counted from 1, were capped.

        What its counts say comes first, then the notes `of_records`.
        """
    @property
    def subjects(self) -> list[str | None]:
        """What the number is of that decides in each pass, as `hamming` or `~resemblance`; None where features or keys decide."""
    @property
    def files(self) -> list[str]:
        """The files that its options name, as lexicons and seeds."""
    @property
    def verified(self) -> bool:
        """Whether every pair is checked on the full features."""
    @property
    def bands(self) -> tuple[int, int] | None:
        """Bands and rows, when keys are bands: of the first kind."""
    @property
    def threshold(self) -> str | None:
        """The threshold of the first exact measure, as the shortest decimal."""

_Given = tuple[str | None, str, str | None, int | str | None]
"""A document: (id, text, url, time), time in Unix seconds or text."""
_Told = tuple[str, str | None, str | None, int, int, int, bool]
"""A verdict: (id, original, rule, shared, size, original_size, verified); original and rule are `None` of a kept document."""
_Held = tuple[int, str, str, str | None, int | str | None, str]
"""A document that is held: (number of arrival, id, text, url, time as of `of_micros`, original)."""
_Arrival = tuple[_Held, str | None]
"""A document that came, and the rule by which it was dropped."""
_Role = tuple[str, str, str | None]
"""The role of a document: (id, original, rule)."""
_Changed = tuple[int, list[str], list[_Arrival], list[_Role]]
"""What has changed: (position, removed, came, roles of documents that were there before)."""

@final
class Index:
    """A living index, as `neardup.Index` wraps it.

    Methods that write wait for other writers, in this process or another, and give back what is on the disk. Damage is a
    `DamagedIndex`; a file or folder that cannot be read or written is an `EnvironmentFault`.
    """

    @staticmethod
    def create(
        dir: str,
        scheme: str,
        parts: str | None,
        policy: Literal["first", "earliest"],
        ttl: int | None,
        most: int | None,
        folders: int | None = None,
    ) -> Index:
        """Make an empty index; `UsageError` when there is one, and for a scheme that an index cannot follow.

        `ttl` is in seconds, `most` a number of documents. With `folders` it is split over this many.
        """
    @staticmethod
    def open(
        dir: str,
        scheme: str | None = None,
        parts: str | None = None,
        flush_at: int | None = None,
        peers: str | None = None,
        timeout: float = 60.0,
        read_only: bool = False,
    ) -> Index:
        """Open an index and check every byte of it; `UsageError` when its schemes are not those that are given.

        This many documents in memory, as `flush_at` says, are written as a segment (default 131,072). No answer depends on it.
        With `peers` (host:port) it is one shard, which meets the others there, and waits this many seconds for them.
        """
    @staticmethod
    def stands_in(dir: str) -> bool:
        """Return whether there is an index in a folder."""
    def add(
        self, documents: Sequence[_Given], now: int, first: int
    ) -> list[tuple[_Told, str | None, bool, list[str], list[_Told]]]:
        """Add documents in this order, all or none, at `now` in Unix seconds.

        Returns for each (verdict, replaced, unchanged, expired, changed). A `DataError` counts documents from `first`.
        """
    def check(self, given: _Given) -> tuple[_Told, str | None, bool]:
        """Return what would become of a document as (verdict, replaced, unchanged)."""
    def remove(self, ids: Sequence[str]) -> tuple[list[str], list[_Told]]:
        """Remove documents, all or none, and return (removed, changed); `DataError` when one of them is not there."""
    def expire(self, now: int) -> tuple[list[str], list[_Told]]:
        """Remove what has to go by `now`, in Unix seconds, and return (removed, changed)."""
    def query(
        self, text: str, by: Literal["scheme", "containment", "contained_by"], threshold: str | None, limit: int
    ) -> tuple[list[tuple[str, str | None, int | str | None, int, int, int, str | None, str, int]], bool, bool]:
        """Find documents like a text and return (hits, thin, cut).

        A hit is (id, url, time as of `of_micros`, shared, size, id_size, rule, original, group_size); `threshold` is an
        exact decimal or fraction as text.
        """
    def get(self, id: str) -> _Held | None:
        """Return the document of this id."""
    def of_url(self, url: str) -> str | None:
        """Return the id of the document of this URL."""
    def held(self, from_: int, count: int) -> list[_Held]:
        """Return documents in order of arrival, `count` at most, from the one that arrived as number `from_` on."""
    def verdict(self, id: str) -> _Told | None:
        """Return the verdict on a document."""
    def changes_since(self, step: int, count: int) -> _Changed | None:
        """Return what changed after a step; None when that is too long ago to be remembered.

        Of what came, the first `count` documents are given. This and the next three say what is on the disk, and so wait for the writer.
        """
    def originals(self) -> tuple[int, list[tuple[str, str]]]:
        """Return the position, and (id, original) of every document, ascending."""
    def roles(self, ids: Sequence[str]) -> list[_Role]:
        """Return the roles of those of these documents that are there."""
    def arrivals(self, after: int, until: int, count: int) -> list[_Arrival]:
        """Return documents in order of arrival, `count` at most, that came after one step and not after another."""
    def cluster(self, id: str) -> list[str] | None:
        """Return the ids of all documents connected with this one, ascending."""
    def group(self, id: str) -> list[str] | None:
        """Return the ids of all documents with the original of this one: the original, then the others, ascending."""
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Return all documents, in order of arrival, as batches of id, text, url, time that are made when they are asked for."""
    def __len__(self) -> int:
        """Count the documents."""
    @property
    def position(self) -> int:
        """How many steps were taken: documents that came, and removals."""
    @property
    def folder(self) -> str:
        """Its folder, as it was named."""
    @property
    def identity(self) -> str:
        """What no other index has: 128 random bits in hexadecimal."""
    @property
    def scheme(self) -> str:
        """The canonical scheme line; a check value represents a secret seed."""
    def info(self) -> str:
        """Return JSON: how the index was made, what it holds and what it takes."""
    def refresh(self) -> None:
        """See what others have written since."""
    def recover(self) -> None:
        """Take up what the log holds beyond what readers trust, as a writer does: after a power failure."""
    def compact(self) -> None:
        """Make one segment of all."""
    def verify(self) -> None:
        """Read every byte and sign every text again; `DamagedIndex` names what is not as it was written."""

def run(
    verb: Literal["dedup", "cluster", "pairs", "sketch", "passages"],
    inputs: Sequence[str] | Sequence[_ArrowStream],
    options: _Options,
    progress: Callable[[str, int, int, int], None] | None = None,
    notice: Callable[[str], None] | None = None,
) -> JobResult:
    """Run one job over files or Arrow streams and return its result.

    `inputs` are paths, folders, globs or "-" (JSONL from stdin), or Arrow streams with the text field and, where the
    options name them, the others. `progress(phase, done, total, documents)` is called about ten times a second from the
    calling thread; done and total are in the phase's own units (bytes or items), total is 0 when it is not known.
    `notice(sentence)` receives what a person should know beforehand, as the memory and disk that a larger run will take.
    Raises `UsageError`, `DataError`, `EnvironmentFault`; a result folder is renamed into place only when all is done.
    """

def recluster(
    run: str,
    threshold: str,
    policy: Literal["resemblance", "containment", "contained-by"],
    output: str | None = None,
    overwrite: bool = False,
) -> JobResult:
    """Cluster what a run of `pairs` or `cluster` left in the folder `run` again, at another threshold.

    The result has clusters. `UsageError` when the folder holds no such run, or when its pairs need not hold all that is
    asked for.
    """

def at_thresholds(
    run: str, thresholds: Sequence[str], policy: Literal["resemblance", "containment", "contained-by"]
) -> tuple[list[tuple[str, int, int, int]], list[str]]:
    """Return threshold, clusters, documents in them and the largest of them, for each threshold, and what `recluster` warns of.

    Errors as `recluster`.
    """

def reading(run: str) -> str:
    """Return by which scheme and how the documents of the run in the folder `run` were read: JSON, a list of both.

    `UsageError` when the folder holds no run of dedup, cluster or pairs.
    """

def evidence(
    run: str,
    inputs: Sequence[str] | Sequence[_ArrowStream],
    options: _Options,
    ids: list[str],
    clusters: list[str],
    rule: str | None = None,
    sample: int | None = None,
    texts: bool = False,
    progress: Callable[[str, int, int, int], None] | None = None,
) -> JobResult:
    """Find the passages of pairs of the run in the folder `run`, whose documents are read again as the options say.

    The result has passages. `UsageError` when the documents are not those of the run, or it cannot say what is asked.
    """

def build_lexicon(
    inputs: Sequence[str] | Sequence[_ArrowStream],
    path: str,
    options: _Options,
    progress: Callable[[str, int, int, int], None] | None = None,
) -> str:
    """Count the terms of a scheme in the documents of `inputs`, write the lexicon to the file `path` and return JSON.

    Keys: documents, terms, rejected (integers), counted, digest. Inputs, options, progress and errors as in `run`; a file
    that is there already is replaced only with `overwrite`.
    """

def read(
    inputs: Sequence[str] | Sequence[_ArrowStream], options: _Options, url_is_default: bool = False
) -> DocumentReader:
    """Read documents of files or streams with the same fields, errors and HTML and archive callables as `run`.

    `DataError` for a named field that no record has; with `url_is_default` that of the URL was not named.
    """

def collect(documents: Iterable[tuple[str | None, str, str | None, int | str | None, str | None]]) -> Table:
    """Make a table with the columns id, text, url, time, source from (id, text, url, time, source) of each document.

    Ids are all given or all `None` (the column is then left out). Times are integers (Unix seconds) or texts; where there
    are both, all of them become texts.
    `DataError` names the document, counted from 1.
    """

@final
class Repair:
    """An index under repair; no other process writes it until `finish` or `leave`.

    Documents have names: their ids, or `#` and the number of their steps.
    """

    @staticmethod
    def begin(
        dir: str,
        scheme: str | None = None,
        parts: str | None = None,
        lost: tuple[str, str | None, str, int | None, int | None] | None = None,
    ) -> Repair:
        """Read all that the index in a folder still has; nothing is written yet.

        `lost` is how the index was made, where no manifest says so: scheme, parts, policy, ttl and most.
        `DamagedIndex` when nothing says what the index is.
        """

    @staticmethod
    def stands_in(dir: str) -> bool:
        """Return whether an index is in a folder, however damaged."""

    @staticmethod
    def remains_in(dir: str) -> bool:
        """Return whether files of an index whose manifest is lost are in a folder."""

    @property
    def is_whole(self) -> bool:
        """Whether nothing has to be done."""

    @property
    def damages(self) -> list[tuple[str, str]]:
        """Files that are not as they were written, and what is wrong with them."""

    @property
    def outdated(self) -> list[str]:
        """Why the index is made anew though no byte of it is wrong."""

    @property
    def doubts(self) -> list[str]:
        """What the damage leaves open."""

    @property
    def lost(self) -> list[tuple[int | None, str | None, str | None, str]]:
        """Documents that are lost, as far as they are known: step, id, URL, and the file that they were in."""

    @property
    def identity(self) -> str:
        """The name of the index; no other has it."""

    def names(self) -> list[str]:
        """Return the names of all documents that are there."""

    def __len__(self) -> int: ...
    def reach(self, steps: int) -> None:
        """Take this many steps for taken, at least: what follows the index has heard of them."""

    def restore(self, name: str, given: _Given) -> bool:
        """Bring a lost document back, and return whether it was one of the lost, with the text that it had."""

    @property
    def steps(self) -> int:
        """How many steps the index has taken."""

    def add(self, name: str, given: _Given) -> None:
        """Add a document of which the index has no trace."""

    def keep_only(self, names: set[str]) -> None:
        """Remove all documents but those of these names."""

    def note(self, what: str) -> None:
        """Note what is wrong with the index as a whole."""

    def finish(self) -> list[str]:
        """Make the index anew, and end; return the damaged files that were kept, by the names they have now."""

    def leave(self) -> None:
        """End, and leave what is not written as it is."""

@final
class OutputFolder:
    """An output folder while it is made, as NAME.partial beside its place; no other process makes it meanwhile."""

    def __new__(cls, target: str | PathLike[str], kind: str, overwrite: bool = False) -> OutputFolder:
        """Open it, with what a process that was stopped left; `kind` is what its marker calls it.

        Raises `UsageError` when another process makes it, when `target` is there and is not to be overwritten, or when
        what is there is not neardup's, is of another kind or has files in it that neardup did not write.
        """

    @property
    def folder(self) -> Path:
        """The folder that is written to."""

    def file(self, name: str | PathLike[str]) -> Path:
        """The path of a file that is to be written: its name is in the marker from now on."""

    def tree(self, name: str | PathLike[str]) -> Path:
        """The path of a folder in which anything is to be written."""

    def clear(self) -> None:
        """Remove what a process that was stopped left."""

    def finish(self) -> None:
        """Put the folder into its place; only the first call of this or `give_up` does anything."""

    def give_up(self) -> None:
        """Remove the folder, unless it is finished."""

def write_output(target: str | PathLike[str], text: str, what: str, mark: str, overwrite: bool = False) -> None:
    """Write a file, which appears when it is complete.

    Raises `UsageError` when it is there and is not to be overwritten, or does not have `mark` in it and so is not `what`.
    """

def take_folder(
    folder: str | PathLike[str], kind: str, files: Sequence[str | PathLike[str]], trees: Sequence[str | PathLike[str]]
) -> None:
    """Mark a folder that is new or empty as neardup's; one that is marked as this kind is fine.

    `files` are the beginnings of the names of files that will be written there, `trees` the folders. Raises `UsageError`
    for every other folder.
    """

def kind_of_folder(folder: str | PathLike[str]) -> str | None:
    """What the marker of a folder calls it; `None` where there is none."""

def remove_folder(folder: str | PathLike[str]) -> None:
    """Remove a folder that neardup made; `UsageError` for another one, and for one with files that neardup did not write."""

def refuse_inputs(output: str | PathLike[str], inputs: Sequence[str | PathLike[str]]) -> None:
    """Raise `UsageError` when the output would replace one of the inputs."""

def explain(left: str, right: str, scheme: str) -> str:
    """Compare two texts under a scheme and give JSON.

    Keys: scheme, rule (identical, lexical, shingles, near, or null when the measure is not met), left_tokens,
    right_tokens, shared, left_size, right_size (integers); resemblance, left_in_right, right_in_left (six decimals,
    for display only); passages: [{tokens, left: {bytes: [start, end], chars: [start, end]}, right: the same}];
    left_covered, right_covered (tokens inside passages); changes: [{kind: equal|removed|added, text}]; changes_cut
    (true when the texts were too long to be compared to their ends).
    """

def compare_texts(left: str, right: str, scheme: str, limit: int) -> str:
    """Show two texts side by side as HTML that is safe whatever they are, in the style of `page_style`.

    Rows are `<div class="row">` with a `<div class="left">` and a `<div class="right">`; what differs is in `<del>` and
    `<ins>`, the passages that `explain` reports in `<mark>`. A `<p class="fold">` represents equal text that is left out, and
    for what is not compared or cut: at most `limit` characters of each text are shown, and a quarter as many words compared.
    Of two equal texts the only row is a `<div class="same">` with the beginning, of two empty ones there is nothing. No
    tag has a `style`. `UsageError` for a scheme that is none or has several passes.
    """

def overlaps(pairs: Sequence[tuple[str, str]], scheme: str) -> list[tuple[int, int, int]]:
    """Count the features of pairs of texts as (shared, left_size, right_size), in their order, on all cores.

    A call runs to its end: give some thousand pairs at a time. `UsageError` for a scheme of several passes.
    """

def measure(left: str, right: str, scheme: str, name: str) -> float | None:
    """Return the value of a measure of two texts, as "lcs" or "levenshtein:chars", under a scheme's tokens and features.

    For display; `None` where the measure has no value (`distinct` of texts of two lengths).
    """

def count(text: str, scheme: str) -> tuple[int, int]:
    """Count the tokens and the distinct features of a text under a scheme's first pass."""

def locate(text: str, unit: str) -> list[tuple[int, int]]:
    """Return the byte spans of the tokens of a text in the original text, in order; unit is one of contract.md's."""

def place_of(source: str, row: int) -> str:
    """Return how messages name a record of a source, by the format that its name says: `docs.jsonl, line 7`.

    A file that is one document is named alone; what is of no known format is counted in lines.
    """

def parse_time(text: str) -> int:
    """Read a time as Unix seconds: an RFC 3339 date-time, a date YYYY[-MM[-DD]] or seconds; four digits are a year.

    `UsageError` names what is allowed. A fraction of a second is cut off.
    """

def to_micros(time: int | str) -> int:
    """Return the microseconds since 1970 of a document's time; `DataError` for what is none."""

def of_micros(micros: int) -> int | str:
    """Return Unix seconds, or an RFC 3339 date-time in UTC where a moment is not on a whole one."""

def search_terms(text: str) -> list[tuple[str, str]]:
    """Return the words of a text, in order, each as (word, its parts with a space between two), for a search engine.

    Of a word without Hangul and without a script written without spaces, the word is the only part. Of a longer one
    than 255 characters these count. Words and parts consist of letters, digits, marks and `_`.
    """

def query_terms(query: str) -> list[tuple[str, str, bool]]:
    """Return the words of a query, in order, each as (word, parts, open): a document is asked for those parts in a row.

    Where `open`, the last part is the beginning of a part.
    """

def plan(threshold: str, recall: str) -> str:
    """Return the canonical line of the default scheme for a threshold and a recall."""

def curve(scheme: str, points: int) -> list[tuple[float, float]]:
    """Return `points` (resemblance, probability of sharing enough keys) of a scheme's bands or minima, for display.

    Resemblance goes from 0 to 1; at s two documents share one of b bands of r rows with probability 1 - (1 - s^r)^b
    (Indyk and Motwani 1998), as many as `match=` asks for with that of a binomial tail, and one of k minima with
    1 - (1 - s)^k or more; of several kinds of keys the best counts. Other keys have no points: with them it does not follow
    from the resemblance.
    """

def schemes() -> list[tuple[str, str, str, str, str]]:
    """List every stage there is as (kind, form, arguments, meaning, source): `("keys", "bands:BxR", "BxR, ...", ...)`."""

def unpack(path: str) -> bytes:
    """Return the content of a file of a known suffix, decompressed when its name ends in .gz or .zst."""

def read_table(path: str) -> Table:
    """Read a Parquet file whole."""

def evaluation_page(evaluation_json: str) -> str:
    """Make the page of an evaluation.json; `DataError` when the text is none."""

def sweeps_page(stats_json: str) -> str:
    """Make the page of the statistics of sweeps; `DataError` when the text is none."""

def sweeps_plots(stats_json: str) -> str:
    """Make what is in `<main>` of `sweeps_page`, in the style of `page_style`; no tag has a `style`.

    It consists of sections with the ids intervals, amount, lives and words. `DataError` when the text is none.
    """

def page_style() -> str:
    """Return the style sheet of what `compare_texts` and `sweeps_plots` make, and of pages that look like a report."""

def block_plans(
    documents: int, bits: int, distance: int
) -> list[tuple[Literal["single", "double", "nested"], int, int, int, int]]:
    """Return the cost of every plan of `blocks` as (plan, tables, prefix_bits, candidates_per_prefix, compares).

    For N random fingerprints of 2 to 1024 bits within `distance` m, 0 to 31: m + 1, (m + 2)(m + 1) / 2 or (m + 1)^2 tables;
    p, the bits of the shortest key; N / 2^p, rounded; and the pairs that share a key by chance, the sum over the tables of
    N (N - 1) / 2 / 2^p (Manku, Jain, Das Sarma 2007). `UsageError` for numbers out of range.
    """

_Planned = tuple[Path, str, Path, int, Literal["line", "row", "record", "file"], bool]
"""A file: path, name as shown, path below the common folder of all, bytes, what places in it are counted in, whether it can be
read from any chunk on."""

@final
class Sources:
    """The files that a driver plans a job over, found once."""

    def __new__(cls, inputs: Iterable[str], options: dict[str, Any]) -> Sources:
        """Find the files of inputs and of what they are compared with, as a job reads them; the errors are those of a job.

        `UsageError` for the standard input.
        """
    @property
    def input(self) -> list[_Planned]:
        """Those of the input."""
    @property
    def against(self) -> list[_Planned]:
        """Those of the reference."""
    @property
    def account(self) -> str:
        """As JSON, what became of all files that were named or found."""
    def check(self) -> None:
        """Compare sizes and times with those found; `NeardupError` for the first file that was written since."""
    def notes(self, counts: list[list[int]], *, records: int, has_times: bool, ranks: set[int]) -> list[str]:
        """Say what the records lack: a field of some, the end of a last line, preferred values of all.

        `counts` are of each file: how many records lack the field of the address, the time and the preference, and the
        line end. `DataError` for a field that no record has.
        """

def keep_source(path: str, dropped: list[tuple[int, int]], target: str) -> None:
    """Write a file without the records that begin at an offset and have a length, as a job writes what it keeps."""

def tell_reject(reject: str) -> str:
    """Say of a reject, written as JSON, what a job says that it stops at."""

@final
class SplitReader(Iterator[Table]):
    """The records of a file or of some of its chunks, batch by batch, in order; those that cannot be used follow last.

    The columns are row (from 1), id, text, url, time (microseconds), rank, offset and length (of the record in the
    file), lacks (the bits 1, 2, 4 and 8: it has no field of the address, the time or the preference, or no line end)
    and reject, as a line of rejects.jsonl. A last row, of number 0, has there as JSON how many records were passed over
    (`kinds`) and how many texts are flawed (`flaws`); it is missing where there are none.
    """

    def __new__(
        cls, path: str, name: str, only: list[int] | None, before: int, is_kept: bool, options: dict[str, Any]
    ) -> SplitReader:
        """Read the chunks of the numbers `only`, or all; this many lines are `before` them.

        If `is_kept`, the file is written again, and a record of which any column is damaged cannot be used.
        """
    def __iter__(self) -> SplitReader: ...
    def __next__(self) -> Table: ...

@final
class Tasks:
    """What tasks do for one pass of a scheme where a run is spread over many machines."""

    def __new__(cls, options: dict[str, Any], lists: bool) -> Tasks:
        """Compile the only pass of a scheme, that decides or `lists` pairs; `options` are those of a job."""
    def sign(self, inputs: Iterable[_ArrowStream]) -> Table:
        """Sign the documents of the only stream: a row for each, those that cannot be used with a reason.

        The columns are row (from 0), reason, id, time (microseconds), rank, tokens, size (distinct features), raw and
        lexical (digests of 16 bytes of the text and of its tokens), keys (the table in the upper half, the key in the lower)
        and sketch.
        """
    def count(self, inputs: Iterable[_ArrowStream], groups: _ArrowArray) -> Table:
        """Count in how many documents of each group, given row by row, a term occurs: group, term, documents.

        Without a term, how many documents the group has.
        """
    def hosts(self, inputs: Iterable[_ArrowStream]) -> Table:
        """Return row (from 0), host and text of documents whose URL has a host, the last two as hashes in their order."""
    @property
    def caps(self) -> list[int | None]:
        """The most documents of a key of each kind."""
    @property
    def limits(self) -> list[tuple[int | None, bool, int | None]]:
        """For each table the cap of its keys, whether they are dropped above, and above how many they give way to others."""
    @property
    def lexicon(self) -> str | None:
        """The digest of the lexicon that idf is taken from."""
    @property
    def frame(self) -> int | None:
        """How many shingles are frame."""
    @property
    def shortest(self) -> int:
        """Tokens of the shortest text with a whole feature."""
    def key_groups(self) -> KeyGroups:
        """Return the kernel that links documents of one key."""

@final
class KeyGroups:
    """Where rows of the same key meet."""

    def combine(self, keys: _ArrowArray, parts: int) -> tuple[Table, Table]:
        """Take the keys of a batch of documents, a list for each: rows that travel (part, key, row, weight) and links.

        A row represents as many documents as it weighs, which links (part, key, left, right: rows) tie to it. All of one
        key belongs to one of this many `parts`; both tables are in the order of parts.
        """
    def meet(self, keys: _ArrowArray, weights: _ArrowArray, sketches: _ArrowArray) -> tuple[Table, Table]:
        """Take all rows of some keys, ascending, each representing this many documents and with the sketch of one.

        Returns links (left, right: places of rows) and keys that many hold (row, key, size).
        """

def families(left: _ArrowArray, right: _ArrowArray, count: int) -> Table:
    """Return the root of each of `count` members that pairs of uint32 connect: the smallest of its component."""

def result_columns(
    table: Literal[
        "decisions",
        "clusters",
        "pairs",
        "passages of pairs",
        "sketches",
        "passages",
        "repeated",
        "removed",
        "changed",
    ],
) -> list[tuple[str, str, bool, str]]:
    """Return the columns of a result table, in order: name, type, whether the digest includes it, meaning."""

def digest_rows(batch: object) -> bytes:
    """Write rows of texts and numbers as a digest takes them."""

@final
class RowDigest:
    """The digest of a result whose rows come in pieces."""

    def __new__(cls, kind: Literal["decisions", "clusters", "pairs"]) -> RowDigest: ...
    def update(self, rows: bytes) -> None:
        """Take the next rows, as `digest_rows` writes them."""
    def finish(self) -> str | None:
        """Return the digest; None when it was given already."""

def chosen_scheme(options: dict[str, Any]) -> Scheme:
    """Return the scheme of a job with these options, every choice filled in."""

frame_least: int
"""Different texts that a host has at least if it is to have a frame, and that hold what is frame."""
frame_most: int
"""Texts of a host that are looked at."""

def what_counts(line: str) -> tuple[int, int] | None:
    """Return what the first pass of a scheme counts: nothing, terms (0, 0), or what above a share of a host's documents hold."""

def write_lexicon(line: str, documents: int, terms: _ArrowArray, counts: _ArrowArray, path: str) -> None:
    """Write the lexicon of what the first pass of a scheme counts, of this many documents."""
