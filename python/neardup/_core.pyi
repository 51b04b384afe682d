"""The Rust core of neardup: coarse calls that work outside the interpreter's lock.

Every call here releases the lock while it works, checks for Ctrl-C several times a second (`KeyboardInterrupt`), and
reports a user's mistake by a class of `neardup.errors`. Texts are `str`, offsets are in bytes unless they say otherwise.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, Literal, Protocol, TypedDict, final, type_check_only

__version__: str
tokens_version: int
unicode_version: str
"""The Unicode version of the pinned tables that decide letters, scripts and case."""
digest_version: int
"""The version of digests: digests of different versions cannot be compared."""
driver_stage: int
"""The number of the stage that messages to the driver are sent to."""
home_stage: int
"""The number of the stage that rows of tables are sent to, for all stages at their homes."""
rows_step: str
"""The name of the step that has these rows."""
table_stage: int
"""The number of the stage that rows of tables are sent to, for callers without an output."""
machine_memory: int | None
"""Maximum bytes of memory of this process: those of the machine, or the limit of its control group; `None` if unknown."""

@type_check_only
class _ArrowStream(Protocol):
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

@type_check_only
class _ArrowArray(Protocol):
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...

@type_check_only
class _Options(TypedDict, total=False):
    """Options of a job; a missing entry or `None` means the default."""

    output: str | None
    """Folder for the results; it appears when all of them are complete. For dedup also -, which writes the kept records, and nothing else, to the standard output. By default results stay in memory."""
    threshold: str | None
    """Resemblance from which two documents are near-duplicates: above 0, up to 1; replaces that of a named scheme. At 1, signs are compared too, if no scheme is named. By default 0.8."""
    recall: str | None
    """Probability of finding a pair exactly at the threshold, or 'exact' to find every pair. By default 0.99."""
    scheme: str | None
    """A whole scheme line, which states its own threshold, or the name of a profile or a classic."""
    keep: Literal["earliest", "first", "latest", "longest", "shortest"] | str | None
    """Which document of a group is the original: earliest, first, latest, longest, shortest, or the one with the greatest or least number in a field, highest:FIELD or lowest:FIELD. By default earliest with `time_field`, else first."""
    prefer: list[tuple[str, list[str], bool]]
    """Values of a field, best first; a better value decides before `keep`. FIELD^=VALUE is a value by its beginning; of several fields the first decides first."""
    against_text_field: str | None
    """Field with the text of a reference. By default that of the input, `text_field`."""
    against_html_field: str | None
    """Field with the HTML of a reference. By default that of the input, `html_field`."""
    against_id_field: str | None
    """Field with the id of a reference. By default that of the input, `id_field`."""
    against_time_field: str | None
    """Field with the time of a reference. By default that of the input, `time_field`."""
    only_against: bool
    """Only what meets the reference counts: repeats inside the input are left alone."""
    group_field: str | None
    """Field with the group of a document, as its user or its site; the summary counts every group."""
    groups: str | None
    """Which pairs count by `group_field`: within one group, or across groups. By default all pairs."""
    min_tokens: int | None
    """Documents of fewer tokens are kept, compared with nothing, and counted. By default none."""
    one_per: str | None
    """What one document is kept of: a leader and the documents that meet it, or a component, in which documents are connected by chains of pairs."""
    text_field: str | None
    """Field with the text. By default text."""
    html_field: str | None
    """Field with HTML, from which the text is taken instead."""
    main_content: bool
    """Take the main content of HTML only, without navigation and the like."""
    extractor: str | None
    """What takes the main content: auto, by the structure of the page; resiliparse; or trafilatura. By default auto; in an index or a store the one that it was made with."""
    quoted_tsv: bool
    """Fields of TSV may be in double quotes, as those of CSV."""
    csv: str | None
    """How CSV and TSV are written: delimiter=CHARACTER (or tab), quotes=yes|no, or both with a space between. By default found out: , ; tab or |."""
    encoding: str | None
    """Encoding of text files without a byte order mark, such as windows-1251 or shift_jis; detect guesses it. By default utf-8."""
    include: Sequence[str]
    """Read only files that match a pattern, by name or by path below the folder: '*.jsonl', 'a/**'."""
    exclude: Sequence[str]
    """Do not read files that match a pattern, by name or by path below the folder."""
    source_code: bool
    """Source files of folders are read, too."""
    id_field: str | None
    """Field with the id. By default none; an id is source and row."""
    url_field: str | None
    """Field with the URL."""
    time_field: str | None
    """Field with the time: a date-time, a date or a number of Unix seconds."""
    time_unit: Literal["s", "ms", "us", "ns"]
    """Unit of times that are numbers, counted from 1970."""
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
    past: str | None
    """With the engine Spark or Ray: a folder with what earlier runs kept. Documents are decided as if those came before, and added."""
    no_kept: bool
    """Do not write the kept documents."""
    write_dropped: bool
    """Write the dropped documents, too: files in the folder dropped of the output, as those in kept."""
    add_fields: str | None
    """Columns of the decisions that are written into the kept records as fields: duplicate_id, group_size, id, source, row; COLUMN=NAME gives the field another name."""
    keep_per_duplicate: int
    """Documents of each group of duplicates that stay, the first in policy order; 0 drops every document that has a duplicate."""
    index: bool
    """Write an index of all documents, too, in the folder index of the output."""
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
    against: Sequence[str] | Sequence[_ArrowStream] | Sequence[tuple[str, _ArrowStream]] | None
    """Reference documents: files or streams, read with the same fields."""
    extract: Callable[[list[str]], list[tuple[str | None, str | None]]] | None
    """HTML pages -> for each (text, None) or (None, reason); called from worker threads, with the lock held."""
    archive: Callable[[str], Iterator[tuple[int, int, str | None, str | None, str | None, str | None]]] | None
    """Path of a WARC or ARC file -> its document records as (offset, length, url, time, text, reason).

    Offset and length are bytes of the file as it is stored (a gzip member, or the record with its trailing line ends);
    time is an RFC 3339 date-time. Exactly one of text and reason is given; reason says why the record is a reject."""

@final
class Table:
    """A table of columns in memory, shared with any Arrow library through the PyCapsule interface."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Return the batches as an Arrow C stream, without copying them; it may be called any number of times."""
    def __len__(self) -> int:
        """Count the rows."""
    @property
    def column_names(self) -> list[str]:
        """The names of the columns, in order."""
    def column(self, name: str) -> list[Any]:
        """Copy one column into Python objects; `UsageError` names the columns.

        They are `str`, `int`, `float`, `bool`, `bytes`, `list`, `dict` and `None`; dates, times and decimals are written.
        """
    def slice(self, start: int, len: int) -> Table:
        """Return at most `len` rows from the row `start` on, counted from 0, without copying them."""
    def take(self, rows: Sequence[int]) -> Table:
        """Return these rows, counted from 0, in their order in the table; `UsageError` for one that is not there."""
    def reversed(self) -> Table:
        """Return the rows in the opposite order."""
    def with_texts(self, name: str, texts: Sequence[str | None]) -> Table:
        """Return the table with other values in a column of texts."""
    def numbered(self, name: str) -> Table:
        """Return the table with one more column, the numbers of the rows from 1, as texts; `UsageError` if it is there."""
    def write_parquet(self, path: str | PathLike[str]) -> None:
        """Write the table as a Parquet file."""
    @staticmethod
    def of_stream(stream: _ArrowStream) -> Table:
        """Read a stream into memory; `ValueError` if it is no stream of a table, `DataError` if it fails."""
    @staticmethod
    def of_array(array: _ArrowArray, name: str) -> Table:
        """Return an array as a table of one column, and an array of structs as a table of their fields."""
    @staticmethod
    def of_bytes(bytes: bytes) -> Table:
        """Return a table from the bytes of an Arrow stream, by which it is pickled."""
    def __reduce__(self) -> tuple[Callable[[bytes], Table], tuple[bytes]]: ...

@final
class JobResult:
    """Result of a job."""

    @property
    def summary(self) -> str:
        """The text of `run.json`; its keys are those of `docs/reference/outputs.md`."""
    @property
    def tables(self) -> list[str]:
        """The names of the tables of the result."""
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
        ],
    ) -> Table:
        """Return one table of the result.

        `dedup` has decisions. `cluster` has clusters and, if they were requested, forest and pairs; `pairs` has pairs
        and, if they were requested, passages; `sketch` has sketches. Columns are those of the Parquet files, in the same
        order. The source of a stream's documents is its name, or its place in `inputs` ("1", "2", ...); rows are counted
        from 1 over the whole stream.
        `UsageError` names the existing tables.
        """

@final
class DocumentReader(Iterator[tuple[str, str, str | None, int | str | None, str, int]]):
    """Documents of files or streams, one after another, in input order; a bounded number is read ahead."""

    def __iter__(self) -> DocumentReader: ...
    def __next__(self) -> tuple[str, str, str | None, int | str | None, str, int]:
        """Return (id, text, url, time, source, row); a missing id is `source:row`, and rows are counted from 1.

        Time is in Unix seconds, or an RFC 3339 date-time if there is a fraction.
        """
    @property
    def rejects(self) -> list[tuple[str, int, str]]:
        """The records skipped so far as (source, row, reason); empty unless `on_error` is "skip"."""

    def counts(self) -> tuple[str, str]:
        """Return the accounts of the files and of the records so far, each as the JSON of run.json."""

@final
class Scheme:
    """A scheme line, parsed, checked and with every choice filled in."""

    def __new__(cls, line: str) -> Scheme:
        """Parse a line; `UsageError` names the stage, what was written and what is allowed."""
    def __str__(self) -> str:
        """The canonical line."""
    @property
    def notes(self) -> list[str]:
        """Notes for users of this scheme: recall that is not promised, results that are not verified."""
    def notes_of_run(
        self,
        capped: list[int],
        *,
        documents: int,
        without_features: int,
        short: int,
        signs_only: int | None,
        of_records: list[str],
    ) -> list[str]:
        """Return the notes of a run in which keys of the passes `capped`, counted from 1, were capped.

        The notes on its counts come first, then the notes `of_records`.
        """
    @property
    def subjects(self) -> list[str | None]:
        """Name of the number that decides in each pass, as `hamming` or `~resemblance`; None if features or keys decide."""
    @property
    def keeping_signs(self) -> list[str | None]:
        """For each pass, a scheme whose tokens are its words and signs; None if its tokens do not leave out signs."""
    @property
    def files(self) -> list[str]:
        """The files that its options name, such as lexicons and seeds."""
    @property
    def verified(self) -> bool:
        """Whether every pair is checked on the full features."""
    @property
    def bands(self) -> tuple[int, int] | None:
        """Bands and rows of the first kind of keys, if keys are bands."""
    @property
    def threshold(self) -> str | None:
        """The threshold of the first exact measure, as the shortest decimal."""

_NewDocument = tuple[str | None, str, str | None, int | str | None]
"""A document: (id, text, url, time), time in Unix seconds or text."""
_VerdictRow = tuple[str, str | None, str | None, int, int, int, bool]
"""A verdict: (id, original, rule, shared, size, original_size, verified); original and rule are `None` for a kept document."""
_DocumentRow = tuple[int, str, str, str | None, int | str | None, str]
"""A document of an index: (number of arrival, id, text, url, time as of `of_micros`, original)."""
_Arrival = tuple[_DocumentRow, str | None]
"""A document that was added, and the rule by which it was dropped."""
_Role = tuple[str, str, str | None]
"""The role of a document: (id, original, rule)."""
_Changes = tuple[int, list[str], list[_Arrival], list[_Role]]
"""Changes: (position, removed ids, added documents, roles of documents that were there before)."""

@final
class Index:
    """An index, which `neardup.Index` wraps.

    Methods that write wait for other writers, in this process or another; when they return, the changes are on the disk.
    Damage is a `DamagedIndex`; a file or folder that cannot be read or written is an `EnvironmentFault`.
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
        extractor: str | None = None,
    ) -> Index:
        """Make an empty index; `UsageError` if there is one, and for a scheme that an index does not support.

        `ttl` is in seconds, `most` a number of documents. With `folders` it is split over this number of folders.
        `extractor` is the name and version of the one that takes main content.
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
        """Open an index and check every byte of it; `UsageError` if its schemes are not those that are given.

        `flush_at` documents in memory are written as a segment (default 131,072). No answer depends on it.
        With `peers` (host:port) it is one shard, which meets the others there and waits `timeout` seconds for them.
        """
    @staticmethod
    def exists_in(dir: str) -> bool:
        """Return whether there is an index in a folder."""
    def add(
        self, documents: Sequence[_NewDocument], now: int, first: int
    ) -> list[tuple[_VerdictRow, str | None, bool, list[str], list[_VerdictRow]]]:
        """Add documents in this order, all or none, at `now` in Unix seconds.

        Returns (verdict, replaced, unchanged, expired, changed) for each. A `DataError` counts documents from `first`.
        """
    def check(self, given: _NewDocument) -> tuple[_VerdictRow, str | None, bool]:
        """Return the outcome of adding a document as (verdict, replaced, unchanged), without adding it."""
    def remove(self, ids: Sequence[str]) -> tuple[list[str], list[_VerdictRow]]:
        """Remove documents, all or none, and return (removed, changed); `DataError` if one of them is not there."""
    def expire(self, now: int) -> tuple[list[str], list[_VerdictRow]]:
        """Remove the documents that have expired by `now`, in Unix seconds, and return (removed, changed)."""
    def query(
        self, text: str, by: Literal["scheme", "containment", "contained_by"], threshold: str | None, limit: int
    ) -> tuple[list[tuple[str, str | None, int | str | None, int, int, int, str | None, str, int]], bool, bool]:
        """Find documents like a text and return (hits, thin, cut).

        A hit is (id, url, time as of `of_micros`, shared, size, id_size, rule, original, group_size); `threshold` is an
        exact decimal or fraction as text.
        """
    def get(self, id: str) -> _DocumentRow | None:
        """Return the document of this id."""
    def of_url(self, url: str) -> str | None:
        """Return the id of the document of this URL."""
    def documents(self, from_: int, count: int) -> list[_DocumentRow]:
        """Return at most `count` documents in order of arrival, from the one that arrived as number `from_` on."""
    def verdict(self, id: str) -> _VerdictRow | None:
        """Return the verdict on a document."""
    def changes_since(self, step: int, count: int) -> _Changes | None:
        """Return the changes after a step; None if the step is too long ago to be remembered.

        At most the first `count` added documents are returned. This and the next three methods return what is on the disk,
        and so wait for the writer.
        """
    def originals(self) -> tuple[int, list[tuple[str, str]]]:
        """Return the position, and (id, original) of every document, ascending."""
    def roles(self, ids: Sequence[str]) -> list[_Role]:
        """Return the roles of the documents with these ids, without those that are not there."""
    def arrivals(self, after: int, until: int, count: int) -> list[_Arrival]:
        """Return at most `count` documents, in order of arrival, added after step `after` and not after step `until`."""
    def cluster(self, id: str) -> list[str] | None:
        """Return the ids of all documents connected with this one, ascending."""
    def decisions(self) -> Table:
        """Return the verdicts on all documents, with the columns of decisions.parquet that an index can fill."""
    def clusters(self) -> Table:
        """Return the clusters of all documents, with the columns of clusters.parquet that an index can fill."""
    def group(self, id: str) -> list[str] | None:
        """Return the ids of all documents with the original of this one: the original, then the others, ascending."""
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Return all documents, in order of arrival, as batches of id, text, url, time that are made on demand."""
    def __len__(self) -> int:
        """Count the documents."""
    @property
    def position(self) -> int:
        """Number of steps that were taken: additions of a document, and removals."""
    @property
    def folder(self) -> str:
        """Its folder, as it was named."""
    @property
    def identity(self) -> str:
        """Unique name of the index: 128 random bits in hexadecimal."""
    @property
    def scheme(self) -> str:
        """The canonical scheme line; a check value represents a secret seed."""
    def info(self) -> str:
        """Return JSON: how the index was made, its number of documents and its sizes."""
    def refresh(self) -> None:
        """Read the changes that other writers have made since."""
    def recover(self) -> None:
        """Take over the steps of the log that readers do not trust yet, as a writer does: after a power failure."""
    def compact(self) -> None:
        """Merge all segments into one."""
    def verify(self) -> None:
        """Read every byte and sign every text again; `DamagedIndex` names what is not as it was written."""

def run(
    verb: Literal["dedup", "cluster", "pairs", "sketch", "passages"],
    inputs: Sequence[str] | Sequence[_ArrowStream] | Sequence[tuple[str, _ArrowStream]],
    options: _Options,
    progress: Callable[[str, int, int, int], None] | None = None,
    notice: Callable[[str], None] | None = None,
) -> JobResult:
    """Run one job over files or Arrow streams and return its result.

    `inputs` are paths, folders, globs or "-" (JSONL from stdin), or Arrow streams with the text field and, where the
    options name them, the others. `progress(phase, done, total, documents)` is called about ten times a second from the
    calling thread; done and total are in the phase's own units (bytes or items), total is 0 if it is not known.
    `notice(sentence)` receives warnings before the run, as of the memory and disk that a larger run will take.
    Raises `UsageError`, `DataError`, `EnvironmentFault`; a result folder is renamed into place only when it is complete.
    """

def recluster(
    run: str,
    threshold: str,
    policy: Literal["resemblance", "containment", "contained-by"],
    output: str | None = None,
    overwrite: bool = False,
) -> JobResult:
    """Cluster the result of a run of `pairs` or `cluster` in the folder `run` again, at another threshold.

    The result has clusters. `UsageError` if the folder contains no such run, or if its pairs may lack some that are
    needed.
    """

def at_thresholds(
    run: str,
    thresholds: Sequence[str],
    policy: Literal["resemblance", "containment", "contained-by"],
    words_alone: bool,
) -> tuple[list[tuple[str, int, int, int]], list[str]]:
    """Return threshold, clusters, documents in them and the largest of them, for each threshold, and the warnings of `recluster`.

    Errors are those of `recluster`; with `words_alone`, the threshold 1 is allowed for a run without signs.
    """

def reading(run: str) -> str:
    """Return the scheme of the run in the folder `run`, and how its documents were read: JSON, a list of both.

    `UsageError` if the folder contains no run of dedup, cluster or pairs.
    """

def evidence(
    run: str,
    inputs: Sequence[str] | Sequence[_ArrowStream] | Sequence[tuple[str, _ArrowStream]],
    options: _Options,
    ids: list[str],
    clusters: list[str],
    rule: str | None = None,
    sample: int | None = None,
    texts: bool = False,
    progress: Callable[[str, int, int, int], None] | None = None,
) -> JobResult:
    """Find the passages of pairs of the run in the folder `run`, whose documents are read again as the options say.

    The result has passages. `UsageError` if the documents are not those of the run, or if the run cannot answer.
    """

def build_lexicon(
    inputs: Sequence[str] | Sequence[_ArrowStream] | Sequence[tuple[str, _ArrowStream]],
    path: str,
    options: _Options,
    progress: Callable[[str, int, int, int], None] | None = None,
) -> str:
    """Count the terms of a scheme in the documents of `inputs`, write the lexicon to the file `path` and return JSON.

    Keys: documents, terms, rejected (integers), counted, digest. Inputs, options, progress and errors as in `run`; a file
    that is there already is replaced only with `overwrite`.
    """

def read(
    inputs: Sequence[str] | Sequence[_ArrowStream] | Sequence[tuple[str, _ArrowStream]],
    options: _Options,
    url_is_default: bool = False,
) -> DocumentReader:
    """Read documents of files or streams with the same fields, errors and HTML and archive callables as `run`.

    `DataError` for a named field that no record has; with `url_is_default` the field of the URL was not named.
    """

def keep_rows(
    inputs: Sequence[str],
    options: _Options,
    dropped: dict[str, list[int]],
    folder: str,
    url_is_default: bool = False,
) -> int:
    """Write files below `folder` without some of their rows, and without records that cannot be used.

    `dropped` has the rows of each file, ascending, as `read` counts them, by the name of the file. A dropped response of
    an archive stays if a revisit that is kept refers to it. Returns the number of these responses.
    """

def collect_columns(
    names: Sequence[str], columns: Sequence[list[Any]], reasons: list[str | None] | None = None
) -> tuple[Table, list[tuple[str, int, str]]]:
    """Return columns of Python values, all of one length, as a table.

    Values of one kind (`str`, `bool`, `int`, `float`, `bytes`, `dict`, `list`) make a column of that type; whole numbers
    among others are numbers; all other columns are written as texts. `reasons` says of each row why it cannot be used.
    The second result lists, for each column of values of several kinds, its path (a.b for b in a), the row from 0 of the
    first value of another kind, and the type of this value.
    """

def collect(documents: Iterable[tuple[str | None, str | None, str | None, int | str | None, str | None]]) -> Table:
    """Make a table with the columns id, text, url, time, source from (id, text, url, time, source) of each document.

    Ids are all given or all `None` (the column is then left out). Times are integers (Unix seconds) or texts; if there
    are both, all of them become texts.
    `DataError` names the document, counted from 1.
    """

@final
class Repair:
    """An index under repair; no other process writes it until `finish` or `release`.

    Documents have names: their ids, or `#` and the number of their steps.
    """

    @staticmethod
    def begin(
        dir: str,
        scheme: str | None = None,
        parts: str | None = None,
        lost: tuple[str, str | None, str, int | None, int | None, str | None] | None = None,
    ) -> Repair:
        """Read all that the index in a folder still has; nothing is written yet.

        `lost` is how the index was made, if no manifest says so: scheme, parts, policy, ttl, most and extractor.
        `DamagedIndex` if nothing says how the index was made.
        """

    @staticmethod
    def exists_in(dir: str) -> bool:
        """Return whether an index is in a folder, however damaged."""

    @staticmethod
    def remains_in(dir: str) -> bool:
        """Return whether files of an index whose manifest is lost are in a folder."""

    @property
    def is_whole(self) -> bool:
        """Whether there is nothing to repair."""

    @property
    def damages(self) -> list[tuple[str, str]]:
        """Files that are not as they were written, and their damage."""

    @property
    def outdated(self) -> list[str]:
        """Why the index is made anew although no byte of it is wrong."""

    @property
    def doubts(self) -> list[str]:
        """Facts that are not known because of the damage."""

    @property
    def lost(self) -> list[tuple[int | None, str | None, str | None, str]]:
        """Lost documents, as far as they are known: step, id, URL, and the file that contained them."""

    @property
    def identity(self) -> str:
        """The unique name of the index."""

    def names(self) -> list[str]:
        """Return the names of all documents that are left."""

    def __len__(self) -> int: ...
    def reach(self, steps: int) -> None:
        """Count at least `steps` steps as taken, because a follower of the index has applied them."""

    def restore(self, name: str, given: _NewDocument) -> bool:
        """Restore a lost document, and return whether it was one of the lost, with the text that it had."""

    @property
    def steps(self) -> int:
        """Number of steps that the index has taken."""

    def add(self, name: str, given: _NewDocument) -> None:
        """Add a document of which the index has no trace."""

    def keep_only(self, names: set[str]) -> None:
        """Remove all documents except those with these names."""

    def note(self, what: str) -> None:
        """Note a damage of the index as a whole."""

    def finish(self) -> list[str]:
        """Make the index anew, and end; return the damaged files that were kept, by their new names."""

    def release(self) -> None:
        """End without writing anything more."""

@final
class OutputFolder:
    """An output folder while it is made, as NAME.partial beside its place; no other process can make it meanwhile."""

    def __new__(cls, target: str | PathLike[str], kind: str, overwrite: bool = False) -> OutputFolder:
        """Open it, with the files that a stopped process left; `kind` is its kind in the marker.

        Raises `UsageError` if another process makes it, if `target` is there and must not be overwritten, or if it is
        not neardup's, is of another kind or contains files that neardup did not write.
        """

    @property
    def folder(self) -> Path:
        """The folder that is written to."""

    def file(self, name: str | PathLike[str]) -> Path:
        """Return the path of a file to write; its name is in the marker from now on."""

    def tree(self, name: str | PathLike[str]) -> Path:
        """Return the path of a folder in which anything may be written."""

    def clear(self, keeps: str | None = None) -> None:
        """Remove the files that a stopped process left, except the tree `keeps`."""

    def finish(self, spent: str | None = None) -> None:
        """Put the folder into its place, without the tree `spent`; only the first call of this, `leave` or `give_up` does anything."""

    def leave(self) -> None:
        """Leave the folder as it is, for another process that resumes."""

    def give_up(self) -> None:
        """Remove the folder, unless it is finished."""

def write_output(
    target: str | PathLike[str], pieces: Iterable[str], what: str, mark: str, overwrite: bool = False
) -> None:
    """Write a file piece by piece; it appears when it is complete.

    Raises `UsageError` if it is there and must not be overwritten, or if it does not contain `mark` and so is not `what`.
    """

def take_folder(
    folder: str | PathLike[str], kind: str, files: Sequence[str | PathLike[str]], trees: Sequence[str | PathLike[str]]
) -> None:
    """Mark a new or empty folder as neardup's; a folder that is already marked as this kind passes.

    `files` are the beginnings of the names of files that will be written there, `trees` the folders. Raises `UsageError`
    for every other folder.
    """

def kind_of_folder(folder: str | PathLike[str]) -> str | None:
    """Return the kind of a folder in its marker; `None` if there is no marker."""

def remove_folder(folder: str | PathLike[str]) -> None:
    """Remove a folder that neardup made; `UsageError` for another one, and for one with files that neardup did not write."""

def refuse_inputs(output: str | PathLike[str], inputs: Sequence[str | PathLike[str]]) -> None:
    """Raise `UsageError` if the output would replace one of the inputs."""

def explain(left: str, right: str, scheme: str) -> str:
    """Compare two texts under a scheme and return JSON.

    Keys: scheme, rule (identical, lexical, shingles, near, or null if the measure is not met), left_tokens,
    right_tokens, shared, left_size, right_size (integers); resemblance, left_in_right, right_in_left (six decimals,
    for display only); passages: [{tokens, left: {bytes: [start, end], chars: [start, end]}, right: the same}];
    left_covered, right_covered (tokens inside passages); changes: [{kind: equal|removed|added, text}]; changes_cut
    (true if the texts were too long to be compared to their ends).
    """

def compare_texts(left: str, right: str, scheme: str, limit: int) -> str:
    """Show two texts side by side as HTML that is safe whatever they are, in the style of `page_style`.

    Rows are `<div class="row">` with a `<div class="left">` and a `<div class="right">`; differences are in `<del>` and
    `<ins>`, the passages that `explain` reports in `<mark>`. A `<p class="fold">` represents equal text that is left out, and
    text that is not compared or is cut: at most `limit` characters of each text are shown, and a quarter as many words
    compared. For two equal texts the only row is a `<div class="same">` with the beginning; for two empty texts there is
    none. No tag has a `style`. `UsageError` for an invalid scheme, and for one of several passes.
    """

def difference(left: str, right: str) -> str:
    """Return in one line how two texts differ: "same text", "white space differs", "14 of 310 words differ"."""

def title(text: str) -> str:
    """Return the first line of a text that has a word, or its first words, at most 80 characters."""

def overlaps(pairs: Sequence[tuple[str, str]], scheme: str) -> list[tuple[int, int, int]]:
    """Count the features of pairs of texts as (shared, left_size, right_size), in their order, on all cores.

    A call cannot be interrupted: pass some thousand pairs at a time. `UsageError` for a scheme of several passes.
    """

def measure(left: str, right: str, scheme: str, name: str) -> float | None:
    """Return the value of a measure of two texts, as "lcs" or "levenshtein:chars", under a scheme's tokens and features.

    For display; `None` if the measure has no value (`distinct` of texts of two lengths).
    """

def count(text: str, scheme: str) -> tuple[int, int]:
    """Count the tokens and the distinct features of a text under a scheme's first pass."""

def tokens(text: str, scheme: str) -> list[tuple[str, int, int]]:
    """Return the tokens of a text by the first pass of a scheme, in order, each with its bytes in the original text."""

def decode_page(body: bytes, charset: str | None = None, *, is_markup: bool) -> tuple[str, list[str]]:
    """Decode a page, or a plain text if it is not `is_markup`; return its text and the flaws of that.

    The charset is that of a byte order mark, else `charset` (the label in the HTTP header; an unknown one is ignored), else
    the one that the markup declares by the rules of the WHATWG, else detected. Bytes that are no characters of it become
    U+FFFD. A flaw is `charset detected: NAME`, where the guess is not UTF-8, or `bytes replaced by U+FFFD`.
    """

def decode_text(content: bytes, name: str, encoding: str | None = None) -> str:
    """Return the text of the bytes of a file called `name`.

    A byte order mark decides first, then `encoding`, which may be `detect`; by default the bytes must be UTF-8.
    `DataError` names the first byte that is no text; `UsageError` lists the encodings.
    """

def place_of(source: str, row: int) -> str:
    """Return the name of a record of a source in messages, by the format that the suffix shows: `docs.jsonl, line 7`.

    A file that is one document is named alone; records of an unknown format are counted in lines.
    """

def parse_time(text: str) -> int:
    """Read a time as Unix seconds: an RFC 3339 date-time, a date YYYY[-MM[-DD]] or seconds; four digits are a year.

    `UsageError` names what is allowed. A fraction of a second is cut off.
    """

def to_micros(time: int | str) -> int:
    """Return the microseconds since 1970 of a document's time; `DataError` for an invalid time."""

def of_micros(micros: int) -> int | str:
    """Return Unix seconds, or an RFC 3339 date-time in UTC if the time is not a whole second."""

def write_time(micros: int) -> str | None:
    """Write microseconds since 1970 as an RFC 3339 date-time in UTC; None if the year does not have four digits."""

def search_terms(text: str) -> list[tuple[str, str]]:
    """Return the words of a text, in order, each as (word, its parts with a space between two), for a search engine.

    A word without Hangul and without a script written without spaces is its only part. Of a word of more than 255
    characters these count. Words and parts consist of letters, digits, marks and `_`.
    """

def query_terms(query: str) -> list[tuple[str, str, bool]]:
    """Return the words of a query, in order, each as (word, parts, open): a document must have those parts in a row.

    If `open`, the last part is the beginning of a part.
    """

def plan(threshold: str, recall: str) -> str:
    """Return the canonical line of the default scheme for a threshold and a recall."""

def curve(scheme: str, points: int) -> list[tuple[float, float]]:
    """Return `points` (resemblance, probability of sharing enough keys) of a scheme's bands or minima, for display.

    Resemblance runs from 0 to 1. At resemblance s two documents share one of b bands of r rows with probability
    1 - (1 - s^r)^b (Indyk and Motwani 1998), the number of bands of `match=` with that of a binomial tail, and one of k
    minima with 1 - (1 - s)^k or more; of several kinds of keys the best counts. Other keys have no points: their
    probability does not follow from the resemblance.
    """

def folds() -> list[tuple[str, str]]:
    """List the folds: name and what it maps, in the order of the canonical line."""

def comment_styles() -> list[tuple[str, str]]:
    """List the styles of comments: name and what is a comment, in the order of the canonical line."""

def schemes() -> list[tuple[str, str, str, str, str]]:
    """Return every stage as (kind, form, arguments, meaning, source): `("keys", "bands:BxR", "BxR, ...", ...)`."""

def formats() -> list[tuple[list[str], list[str], str, bool]]:
    """Return every format of documents as (suffixes, suffixes of compressions, unit of places, whether rewritten).

    The first suffix names the format. A unit is line, row, record or file; a format is rewritten if other texts can be
    written into its files.
    """

def unpack(path: str) -> bytes:
    """Return the content of a file of a known suffix, decompressed as its suffix says."""

def pack(path: str, content: bytes) -> None:
    """Write a file of a known suffix, compressed as its suffix says."""

def read_table(path: str) -> Table:
    """Read a whole Parquet file."""

def evaluation_page(evaluation_json: str) -> str:
    """Return the page of an evaluation.json; `DataError` if the text is none."""

def sweeps_page(stats_json: str) -> str:
    """Return the page of the statistics of sweeps; `DataError` if the text is none."""

def sweeps_plots(stats_json: str) -> str:
    """Return the content of `<main>` of `sweeps_page`, in the style of `page_style`; no tag has a `style`.

    It consists of sections with the ids intervals, amount, lives and words. `DataError` if the text is none.
    """

def changes_page(changes_json: str) -> str:
    """Return the page of the changes between sweeps; `DataError` if the text is none."""

def page_style() -> str:
    """Return the style sheet for the HTML of `compare_texts` and `sweeps_plots`, and for pages that look like a report."""

def block_plans(
    documents: int, bits: int, distance: int
) -> list[tuple[Literal["single", "double", "nested"], int, int, int, int]]:
    """Return the cost of every plan of `blocks` as (plan, tables, prefix_bits, candidates_per_prefix, compares).

    For N random fingerprints of 2 to 1024 bits within `distance` m, 0 to 31: m + 1, (m + 2)(m + 1) / 2 or (m + 1)^2 tables;
    p, the bits of the shortest key; N / 2^p, rounded; and the pairs that share a key by chance, the sum over the tables of
    N (N - 1) / 2 / 2^p (Manku, Jain, Das Sarma 2007). `UsageError` for numbers out of range.
    """

@final
class Sources:
    """The files that a job would read, found once."""

    def __new__(cls, inputs: Iterable[str], options: dict[str, Any]) -> Sources:
        """Find the files of inputs and of the reference, as a job reads them; the errors are those of a job.

        `UsageError` for the standard input.
        """
    @property
    def input(self) -> list[Path]:
        """The paths of the files of the input."""
    @property
    def account(self) -> str:
        """The account of all files that were named or found, as JSON."""

_Stage = tuple[int, str, int, list[tuple[str, int]], Table]
"""A stage of a step: number, name, number of parts, the rows that it takes (of which step, sent to which stage), and messages."""

@final
class RunDriver:
    """The driver of a run over many machines: which steps there are, what they take, and the summary of what they count."""

    def __new__(
        cls,
        verb: str,
        inputs: Iterable[Any],
        options: dict[str, Any],
        *,
        cores: int,
        tables: list[tuple[int, int]] | None = None,
        by_id: bool = False,
        connected: int | None = None,
        family: int | None = None,
        home: int | None = None,
        output: str | None = None,
    ) -> RunDriver:
        """Find the files of a job, and plan its run on `cores` cores; tasks write results below the folder `output`.

        If the inputs are tables, only their schemas are read; `tables` are the rows and bytes of each, those of the
        reference last. With `by_id` their rows have no order except that of their ids.

        One task connects at most `connected` links, by default 8,000,000, and compares at most `family` documents that are
        linked, by default 200,000, or fewer long ones. A task reads about `home` bytes; by default
        2 to 32 MiB, by the size of the input.
        """
    @property
    def plan(self) -> bytes:
        """The plan, which every task of the next step takes."""
    def identity(self, root: str | None = None) -> bytes:
        """Return a digest of the files as they were found, and of how they are divided; the path of a folder is left out."""
    @property
    def tables(self) -> list[str]:
        """The names of the tables, the verb's own first."""
    @property
    def lexicon_files(self) -> list[str]:
        """The names of the files in which the output has the lexicons that the run counts."""
    @property
    def lexicon(self) -> bytes | None:
        """The lexicon of the pass under way, for its tasks; None if it counts nothing."""
    def begin_past(self, output: str) -> None:
        """Note that the run into `output` is about to add its documents to the past."""
    def close_past(self) -> None:
        """Add the documents of the finished run to the past."""
    def homes_of(self, table: int) -> tuple[int, int]:
        """Return the first home of a table, and the number of its homes, each of which has a part of the rows in order."""
    def pack(self, table: int, stream: _ArrowStream) -> Table:
        """Pack all rows of a table into messages to its homes, as `next` describes them."""
    def next(self) -> tuple[str, list[_Stage]] | None:
        """Return the name and the stages of the next step, each of which takes what the one before sends; None at the end.

        Messages are rows (stage, part, packed), as tasks return them.
        """
    def take(self, name: str, tallies: list[bytes]) -> None:
        """Take the packed messages that the tasks of a step sent to stage 0; `DataError` for a record that cannot be used."""
    def summary(self, engine: str, phases: list[tuple[str, float]]) -> str:
        """Return the summary of the finished run; `phases` are names and seconds."""

def run_stage(
    plan: bytes,
    verb: str,
    stage: int,
    part: int,
    packed: list[_ArrowArray],
    options: dict[str, Any],
    lexicon: bytes | None = None,
    output: str | None = None,
) -> Table:
    """Do one task of a stage with the packed messages to its part, and return those that it sends: stage, part, packed.

    The folder `output` takes the place of that of the driver. The option `fetch` is a function of path, start, end and
    a folder: it brings a file there, or its lines that begin in a range of bytes, and returns its path.
    """

def needed_columns(table: _ArrowStream, options: dict[str, Any]) -> list[str]:
    """Return the columns of a table that the fields of a job are read from; `DataError` for a field that it lacks."""

def pack_rows(home: int, number: int, rows: _ArrowStream) -> Table:
    """Pack rows into messages to a home, the first of which has this number, in the order of the rows."""

def result_tables() -> dict[str, list[tuple[str, str, bool, str]]]:
    """Return the columns of every result table, in order: name, type, whether the digest includes it, meaning."""

def chosen_scheme(options: dict[str, Any]) -> Scheme:
    """Return the scheme of a job with these options, with every choice filled in."""
