"""Results as files, in a folder that all executors see; it is put into its place when it is complete."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from shutil import rmtree
from typing import TYPE_CHECKING, Any, cast

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark import TaskContext
from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from neardup import _core
from neardup.output.folders import RESULT
from neardup.spark.frames.documents import INPUT, place_of
from neardup.spark.frames.files import File
from neardup.spark.results.results import SparkTable, narrow
from neardup.spark.session.batches import Batches, table_of

if TYPE_CHECKING:
    from neardup.spark.session.operations import SparkOperations


class Output:
    """A folder of results while it is made."""

    def __init__(self, folder: str, *, overwrite: bool) -> None:
        self._made = _core.OutputFolder(folder, RESULT, overwrite)

    def clear(self, keeps: str | None = None) -> None:
        """Remove what an earlier run left, except the tree `keeps`."""
        self._made.clear(keeps)

    @property
    def folder(self) -> Path:
        """The folder in which the results are made."""
        return self._made.folder.absolute()

    def remove(self, name: str) -> None:
        """Remove a folder of the output."""
        rmtree(self.tree(name), ignore_errors=True)

    def write_table(self, engine: "SparkOperations", name: str, table: SparkTable) -> None:
        """Write a table in parts, as a folder of Parquet files in the order of its rows."""
        folder = self.tree(f"{name}.parquet")
        folder.mkdir()
        engine.map(table.frame, WriteParts(str(folder)), "rows bigint").collect()

    def write_text(self, name: str, text: str) -> None:
        """Write a file of one text."""
        self._made.file(name).write_text(text, encoding="utf-8")

    def tree(self, name: str) -> Path:
        """Return the path of a folder in which anything may be written."""
        return self._made.tree(name).absolute()

    def finish(self, spent: str | None = None) -> None:
        """Put the folder into its place, without the tree `spent`."""
        self._made.finish(spent)

    def leave(self) -> None:
        """Leave the folder for a run that resumes."""
        self._made.leave()

    def give_up(self) -> None:
        """Remove the folder, unless it is finished."""
        self._made.give_up()


@dataclass(frozen=True)
class WriteParts:
    """Kernel that writes each partition to a Parquet file; a failed attempt leaves no file of that name."""

    folder: str

    def __call__(self, batches: Batches) -> Batches:
        context = cast(TaskContext, TaskContext.get())
        target = Path(self.folder) / f"part-{context.partitionId():05}.parquet"
        attempt = target.with_suffix(f".{context.taskAttemptId()}.new")
        writer, count = None, 0
        for batch in batches:
            rows = narrow(pa.Table.from_batches([batch]))
            writer = writer or pq.ParquetWriter(attempt, rows.schema, compression="zstd")
            writer.write_table(rows)
            count += len(rows)
        if writer is not None:
            writer.close()
            attempt.replace(target)
        yield pa.record_batch({"rows": [count]})


@dataclass(frozen=True)
class Keep:
    """Kernel that writes files again without some records; a row names a file and the spans to leave out."""

    folder: str
    options: dict[str, Any]
    """Options by which the files are found and read."""

    def __call__(self, batches: Batches) -> Batches:
        count = 0
        for row in (row for batch in batches for row in batch.to_pylist()):
            spans = [(span["offset"], span["length"]) for span in row["spans"] or ()]
            _core.keep_source(row["path"], spans, str(Path(self.folder) / row["target"]), cast(Any, self.options))
            count += 1
        yield pa.record_batch({"rows": [count]})


def write_kept(
    engine: "SparkOperations",
    files: Sequence[File],
    signed: DataFrame,
    dropped: DataFrame,
    rejects: Sequence[str],
    keep: Keep,
) -> None:
    """Write every file of the input without the records that are dropped or rejected."""
    places = {file.name: place for place, file in enumerate(files) if file.side == INPUT}
    bad = [json.loads(reject) for reject in rejects]
    spans = [(places[one["source"]], one["offset"], one["len"]) for one in bad if one["source"] in places]
    removed = signed.join(dropped.select("number"), "number").where(sf.col("side") == INPUT)
    removed = removed.select(place_of("number").alias("place"), "offset", "length")
    if spans:
        removed = removed.unionByName(table_of(engine.session, spans, "place bigint, offset bigint, length bigint"))
    of_file = (
        removed.where("length > 0").groupBy("place").agg(sf.collect_list(sf.struct("offset", "length")).alias("spans"))
    )
    rows = [(place, file.path, file.target, file.bytes) for place, file in enumerate(files) if file.side == INPUT]
    named = table_of(engine.session, rows, "place bigint, path string, target string, bytes bigint")
    tasks = named.join(of_file, "place", "left").repartition(len(rows), "place")
    engine.map(tasks, keep, "rows bigint").collect()
