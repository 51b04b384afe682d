"""Key groups: documents that share a key are linked, in the task that has all rows of that key.

A document has many keys, and Spark would process each as a row of its own. So keys are sent in packed batches: a task
distributes the keys of many documents to parts, and packs the rows for one part into one value.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pyarrow as pa
from pyspark.sql import DataFrame

from neardup import _core
from neardup.spark.frames.documents import Documents
from neardup.spark.passes.tasks import Options
from neardup.spark.session.batches import Batches, pack, runs_of, unpack

if TYPE_CHECKING:
    from neardup.spark.passes.one_pass import Pass
    from neardup.spark.session.operations import SparkOperations

KEYS = 1 << 20
"""Number of keys that a task distributes at once, and roughly that meet at once: some 60 bytes each."""


def link(
    engine: "SparkOperations", documents: Documents, keyed: DataFrame, members: DataFrame, one: "Pass"
) -> DataFrame:
    """Link documents that share a key; exact copies are left out, except those that represent others."""
    copies = engine.sent(members, members.where("not represents").select("number"))
    compared = keyed.where("size > 0").join(copies, "number", "left_anti").select("number", "keys", "sketch")
    parts = max(4 * engine.partitions, engine.total(keyed, "keys") // KEYS)
    packed = engine.map(compared, PackKeys(one.options, parts), PackKeys.columns)
    columns = LinkByKeys.columns.format(number=documents.number)
    return engine.map(engine.arrange(packed, "part", "part"), LinkByKeys(one.options), columns)


@dataclass(frozen=True)
class PackKeys:
    """Kernel that packs the keys of documents as rows (number, key, weight, sketch) and links (left, right, key).

    If several documents share a key, one row represents as many as its weight, and links tie the others to it.
    """

    options: Options
    parts: int

    columns = "part int, packed binary"

    def __call__(self, batches: Batches) -> Batches:
        groups = self.options.tasks().key_groups()
        for documents in gather(batches):
            rows, links = map(pa.table, groups.combine(documents["keys"].combine_chunks(), self.parts))
            numbers, sketches = documents["number"], documents["sketch"].take(rows["row"])
            columns = {"number": numbers.take(rows["row"]), "key": rows["key"], "weight": rows["weight"]}
            yield pack_parts(pa.table({"part": rows["part"], **columns, "sketch": sketches}))
            ends = {end: numbers.take(links[end]) for end in ("left", "right")}
            yield pack_parts(pa.table({"part": links["part"], **ends, "key": links["key"]}))


def gather(batches: Batches) -> Iterator[pa.Table]:
    """Yield documents as tables of one chunk, with about `KEYS` keys each."""
    waiting, count = list[pa.RecordBatch](), 0
    for batch in batches:
        step = max(1, len(batch) * KEYS // max(KEYS, len(batch["keys"].flatten())))
        for start in range(0, len(batch), step):
            waiting.append(batch.slice(start, step))
            count += len(waiting[-1]["keys"].flatten())
            if count >= KEYS:
                yield pa.Table.from_batches(waiting).combine_chunks()
                waiting, count = [], 0
    if waiting:
        yield pa.Table.from_batches(waiting).combine_chunks()


def pack_parts(rows: pa.Table) -> pa.RecordBatch:
    """Pack the rows of each part, which are consecutive, into one value."""
    parts, packed = list[int](), list[bytes]()
    for run in runs_of(iter(rows.to_batches()), "part"):
        parts.append(run["part"][0].as_py())
        packed.append(pack(run.drop_columns("part")))
    return pa.record_batch({"part": pa.array(parts, pa.int32()), "packed": pa.array(packed, pa.binary())})


@dataclass(frozen=True)
class LinkByKeys:
    """Kernel that links documents of one key, unless sketches prove that they cannot match; its input is packed."""

    options: Options

    columns = "left {number}, right {number}, key bigint, size bigint"
    """A link has two ends, and a key if the link does not count when that key is dropped.

    A common key has a row with its size, and with one of its documents on the left.
    """

    def __call__(self, batches: Batches) -> Batches:
        groups = self.options.tasks().key_groups()
        for part in runs_of(batches, "part"):
            rows, links = list[pa.RecordBatch](), list[pa.RecordBatch]()
            for batch in unpack(stream.as_buffer() for stream in part["packed"]):
                (rows if "weight" in batch.schema.names else links).append(batch)
            if rows:
                yield from _link_documents(groups, pa.Table.from_batches(rows))
            if links:
                linked = pa.Table.from_batches(links)
                yield from linked.append_column("size", pa.nulls(len(linked), pa.int64())).to_batches()


def _link_documents(groups: _core.KeyGroups, rows: pa.Table) -> Batches:
    """Link the documents of all keys of a part."""
    # The order of documents decides which of them a common key is shown with.
    rows = rows.sort_by([("key", "ascending"), ("number", "ascending")]).combine_chunks()
    columns = [rows[name].combine_chunks() for name in ("key", "weight", "sketch")]
    links, common = map(pa.table, groups.link(*columns))
    numbers = rows["number"]
    missing = pa.nulls(len(links), pa.int64())
    linked = {"left": numbers.take(links["left"]), "right": numbers.take(links["right"])}
    yield from pa.table(linked | {"key": missing, "size": missing}).to_batches()
    sampled = {"left": numbers.take(common["row"]), "right": pa.nulls(len(common), numbers.type)}
    yield from pa.table(sampled | {"key": common["key"], "size": common["size"]}).to_batches()
