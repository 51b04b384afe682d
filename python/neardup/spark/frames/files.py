"""Files as documents: the executors, which see the same paths, read them, and large files of lines in parts."""

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import DataFrame

from neardup import _core
from neardup.options.values import translate_readers
from neardup.spark.frames.documents import INPUT, REFERENCE, ROW_BITS, Documents
from neardup.spark.session.batches import Batches, names_of, table_of

if TYPE_CHECKING:
    from neardup.spark.session.operations import SparkOperations

CHUNK = 32 << 20
"""Bytes of lines that one task reads."""
BATCH = 10_000
"""Maximum rows that a task passes on at once."""
SPLITS = "place bigint, side int, path string, name string, chunk bigint, before bigint"
"""A file or, if `chunk` is not null, a part of it; `before` is the number of lines before the part."""


@dataclass(frozen=True)
class File:
    """A file of the input or of the reference, as it is read and written."""

    path: str
    name: str
    target: str
    """Path of its kept output, below the common folder."""
    bytes: int
    unit: str
    """Unit in which places in it are counted."""
    are_lines: bool
    """Whether reading can begin at any chunk."""
    side: int


def take_files(
    engine: "SparkOperations", sources: _core.Sources, options: dict[str, Any], *, are_kept: bool
) -> tuple[Documents, list[File], dict[str, Any]]:
    """Return the documents of files, the files, and the account of all files that were named or found.

    All executors see the files by the same paths. With `are_kept`, a record that could not be written again cannot be
    used.
    """
    files = [
        # tasks run elsewhere, in other folders
        File(str(path.absolute()), name, str(target), size, unit, lines, side)
        for side, of_side in ((INPUT, sources.input), (REFERENCE, sources.against))
        for path, name, target, size, unit, lines in of_side
    ]
    splits = plan_splits(engine, files)
    read = ReadSplits(options, CHUNK, are_kept)
    table = engine.map(splits, read, ReadSplits.columns)
    known = {name: value for name, value in options.items() if name not in READ} | {"text_field": "text"}
    # Records of archives have URLs without a field.
    if options.get("url_field") or any(file.unit == "record" for file in files):
        known["url_field"] = "url"
    reference = sum(file.side == INPUT for file in files) if sources.against else None
    units = tuple(file.unit for file in files)
    has_ids = options.get("id_field") is not None
    names = tuple(file.name for file in files)
    documents = Documents(table, known, names, reference, has_ids, units, (splits, read))
    return documents, files, json.loads(sources.account)


READ = ("html_field", "id_field", "url_field", "time_field", "time_unit", "prefer")
"""Options that reading has already applied."""


def plan_splits(engine: "SparkOperations", files: list[File]) -> DataFrame:
    """Return the splits of files: large files of lines are cut into parts, with the number of lines before each."""
    whole = [(place, file.side, file.path, file.name, None, 0) for place, file in enumerate(files) if not _is_cut(file)]
    cut = [
        (place, file.side, file.path, file.name, chunk, 0)
        for place, file in enumerate(files)
        if _is_cut(file)
        for chunk in range(-(-file.bytes // CHUNK))
    ]
    if cut:
        rows = table_of(engine.session, cut, SPLITS).repartition(len(cut))
        counted = engine.map(rows, CountLines(CHUNK), CountLines.columns).collect()
        lines = {(row["place"], row["chunk"]): row["lines"] for row in counted}
        before = 0
        for number, (place, side, path, name, chunk, _) in enumerate(cut):
            before = 0 if chunk == 0 else before + lines[place, chunk - 1]
            cut[number] = (place, side, path, name, chunk, before)
    count = max(1, len(cut) + min(len(whole), _tasks(engine, sum(file.bytes for file in files if not _is_cut(file)))))
    return table_of(engine.session, [*whole, *cut], SPLITS).repartition(count, "place", "chunk")


def _is_cut(file: File) -> bool:
    return file.are_lines and file.bytes > CHUNK


def _tasks(engine: "SparkOperations", size: int) -> int:
    """Return the number of tasks that read `size` bytes of whole files."""
    return max(engine.session.sparkContext.defaultParallelism, size // CHUNK + 1)


@dataclass(frozen=True)
class CountLines:
    """Kernel that counts the lines that begin in each part of `bytes` bytes of a file."""

    bytes: int

    columns = "place bigint, chunk bigint, lines bigint"

    def __call__(self, batches: Batches) -> Batches:
        for row in (row for batch in batches for row in batch.to_pylist()):
            start = row["chunk"] * self.bytes
            with open(row["path"], "rb") as file:
                # A line begins after a line end, and the first at the start of the file.
                file.seek(max(0, start - 1))
                lines = file.read(self.bytes if start else self.bytes - 1).count(b"\n") + (not start)
            yield pa.record_batch({"place": [row["place"]], "chunk": [row["chunk"]], "lines": [lines]})


@dataclass(frozen=True)
class ReadSplits:
    """Kernel that reads the documents of splits; a record that cannot be used has a `reject` and no text."""

    options: dict[str, Any]
    chunk: int
    """Number of bytes of a part."""
    are_kept: bool
    """Whether the files of the input are written again, without the records that cannot be used or are dropped."""

    columns = (
        "number bigint, side int, id string, text string, url string, time bigint, rank int, offset bigint,"
        " length bigint, lacks int, reject string"
    )

    def __call__(self, batches: Batches) -> Batches:
        names = names_of(self.columns)
        options = self.options | translate_readers(self.options) | {"chunk": self.chunk}
        for split in (row for batch in batches for row in batch.to_pylist()):
            only = None if split["chunk"] is None else [split["chunk"]]
            is_kept = self.are_kept and split["side"] == INPUT
            reader = _core.SplitReader(split["path"], split["name"], only, split["before"], is_kept, options)
            for rows in map(pa.table, reader):
                numbers = pc.add(rows["row"], split["place"] << ROW_BITS)
                sides = pa.array([split["side"]] * len(rows), pa.int32())
                known = {"number": numbers, "side": sides}
                columns = [known[name] if name in known else rows[name] for name in names]
                yield from pa.table(columns, names=names).to_batches(max_chunksize=BATCH)
