"""Exchange: packed messages are brought to the partition of their part, and each partition does one task."""

from dataclasses import dataclass
from functools import cached_property
from typing import cast

from pyspark import Broadcast, TaskContext
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sf

from neardup.spark.session.batches import Batches
from neardup.spread.cluster import StageTask

MESSAGES = "stage tinyint, part int, packed binary"
"""Columns of messages: the stage and the part that take one, and its bytes."""
SETTINGS = {
    # Messages are large, and few of them fill a batch.
    "spark.sql.execution.arrow.maxRecordsPerBatch": "64",
    # The number of partitions is that of the parts, whatever their sizes.
    "spark.sql.adaptive.enabled": "false",
    "parquet.enable.dictionary": "false",
    "spark.sql.parquet.compression.codec": "snappy",
}
"""Settings of the session of a run."""


def session_of_run(session: SparkSession) -> SparkSession:
    """Return a session with settings of its own, in the context of the caller's."""
    own = session.newSession()
    for name, value in SETTINGS.items():
        own.conf.set(name, value)
    return own


@dataclass(frozen=True)
class Task:
    """The function of a task: one part of a stage."""

    plan: Broadcast[bytes]
    task: StageTask
    lexicon: Broadcast[bytes] | None = None

    def __call__(self, batches: Batches) -> Batches:
        packed = [batch["packed"] for batch in batches]
        part = cast(TaskContext, TaskContext.get()).partitionId()
        lexicon = None if self.lexicon is None else self.lexicon.value
        yield from self.task.rows(self.plan.value, lexicon, part, packed).to_batches()


@dataclass(frozen=True)
class Exchange:
    """Brings messages to the partitions of their parts."""

    parts: int

    @cached_property
    def _slots(self) -> list[int]:
        """A value for each part, by whose hash Spark chooses the partition of that number."""
        slots, found, value = [0] * self.parts, 0, 0
        taken = bytearray(self.parts)
        while found < self.parts:
            part = hash_int(value) % self.parts
            if not taken[part]:
                taken[part], slots[part], found = 1, value, found + 1
            value += 1
        return slots

    def apply(self, rows: DataFrame) -> DataFrame:
        """Return the rows, those of part n in partition n; there may be more parts than partitions."""
        if hasattr(rows, "repartitionById"):
            return rows.repartitionById(self.parts, sf.col("part") % self.parts)
        slots = sf.array(*map(sf.lit, self._slots))
        slot = sf.element_at(slots, (sf.col("part") % self.parts + 1).cast("int"))
        return rows.withColumn("slot", slot).repartition(self.parts, "slot").drop("slot")


def hash_int(value: int, seed: int = 42) -> int:
    """Return Spark's hash of an int, as a signed number: Murmur3 of 32 bits over four bytes."""
    mask = (1 << 32) - 1

    def turn(word: int, by: int) -> int:
        return ((word << by) | (word >> (32 - by))) & mask

    word = turn(value * 0xCC9E2D51 & mask, 15) * 0x1B873593 & mask
    mixed = (turn(seed ^ word, 13) * 5 + 0xE6546B64) & mask ^ 4
    for shift, factor in ((16, 0x85EBCA6B), (13, 0xC2B2AE35), (16, 1)):
        mixed = (mixed ^ mixed >> shift) * factor & mask
    return mixed - (1 << 32) if mixed >> 31 else mixed


def root(table: DataFrame, session: SparkSession) -> DataFrame:
    """Return a table of a session without the plan that computes it, for rows that are shuffled.

    For every derived table, Spark analyses, prints and plans the whole plan again: a run would be slower with every
    step. The data of a lost executor is computed again, because the rows still have their lineage.
    """
    rows = table._jdf.queryExecution().toRdd()
    return DataFrame(session._jsparkSession.internalCreateDataFrame(rows, table._jdf.schema(), False), session)
