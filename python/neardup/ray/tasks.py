"""Tasks: functions over the rows of messages, which are (stage, part, packed)."""

from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import ray

from neardup.spread.cluster import StageTask

SCHEMA = pa.schema([("stage", pa.int8()), ("part", pa.int32()), ("packed", pa.binary())])
BUCKETS = 512
"""Maximum number of objects into which a task divides its rows: each of them costs Ray some memory."""


class Taker(NamedTuple):
    """The stage that takes some rows, and into how many parts it is divided."""

    stage: int
    parts: int

    @property
    def buckets(self) -> int:
        """The number of objects into which its rows are divided."""
        return min(self.parts, BUCKETS)

    def bucket(self, part: int) -> int:
        """Return the object that has the rows of a part."""
        return part % self.buckets

    def divide(self, rows: pa.Table) -> list[pa.Table]:
        """Return the rows of each object."""
        rows = rows.filter(pc.equal(rows["stage"], self.stage))
        buckets = rows["part"].to_numpy() % self.parts % self.buckets
        return [rows.filter(pa.array(buckets == bucket)) for bucket in range(self.buckets)]

    def select(self, rows: pa.Table, part: int) -> list[pa.Array]:
        """Return the messages to a part."""
        is_ours = pa.array(rows["part"].to_numpy() % self.parts == part)
        chosen: list[pa.Array] = rows.filter(is_ours)["packed"].chunks
        return chosen


@ray.remote
def compute(
    task: StageTask,
    plan: bytes,
    lexicon: bytes | None,
    own: Taker,
    part: int,
    taker: Taker | None,
    *taken: pa.Table,
) -> Any:
    """Do the task of a part with the messages in some rows, and return its rows, divided for the next stage."""
    packed = [messages for rows in taken for messages in own.select(rows, part)]
    rows = task.rows(plan, lexicon, part, packed)
    return rows if taker is None else returned(taker.divide(rows))


@ray.remote
def divide(rows: pa.Table | Path, taker: Taker) -> Any:
    """Divide the rows of a finished step."""
    return returned(taker.divide(opened(rows, taker.stage)))


@ray.remote
def select(rows: pa.Table | Path, stage: int) -> pa.Table:
    """Return the rows of a finished step that were sent to a stage."""
    kept = opened(rows, stage)
    return kept.filter(pc.equal(kept["stage"], stage))


@ray.remote
def write(rows: pa.Table, file: Path) -> Path:
    """Write the rows of a task to a file; the file has its name when it is complete."""
    aside = file.with_suffix(f".{ray.get_runtime_context().get_task_id()}")
    with pq.ParquetWriter(aside, rows.schema, use_dictionary=False) as writer:
        for stage in pc.unique(rows["stage"]):
            # A row group has the rows of one stage, so that the others are not read.
            writer.write_table(rows.filter(pc.equal(rows["stage"], stage)))
    return aside.replace(file)


def opened(rows: pa.Table | Path, stage: int) -> pa.Table:
    """Return the rows that a task returned, or those of its file that were sent to a stage."""
    return pq.read_table(rows, filters=[("stage", "=", stage)]) if isinstance(rows, Path) else rows


def returned(objects: list[pa.Table]) -> Any:
    """Return objects as Ray takes them."""
    return objects[0] if len(objects) == 1 else objects
