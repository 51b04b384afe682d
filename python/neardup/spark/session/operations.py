"""Operations on Spark DataFrames: all that the pipeline needs of Spark."""

import math
from collections.abc import Sequence
from typing import cast

import pyarrow as pa
from pyspark import StorageLevel
from pyspark.sql import Column, DataFrame, Row, SparkSession
from pyspark.sql import functions as sf

from neardup.allowed import allow
from neardup.spark.session.batches import Kernel
from neardup.spark.session.watch import Watch

FOREST = 20_000_000
"""Maximum number of links that the driver connects by itself: about 100 bytes each."""
FAMILY = 200_000
"""Maximum number of documents that one task compares: some seconds, and their texts in memory."""
SENT = 500_000
"""Maximum rows of a table that a join broadcasts, so that the other side is not shuffled: some dozen MB."""
SETTLED = 250_000
"""Approximate rows of each partition of a result table, of which the driver receives one at a time."""


class SparkOperations:
    """Operations in a Spark session, with the tables that a run keeps.

    `forest` is the maximum number of links that the driver connects, after each partition has reduced its own; more are
    connected by star contraction. `family` is the maximum number of connected documents that are compared in one task;
    more are compared in blocks of about this size.
    """

    @allow
    def __init__(self, session: SparkSession, *, forest: int = FOREST, family: int = FAMILY) -> None:
        self.session = session
        self.forest = forest
        self.family = family
        self._kept: list[tuple[DataFrame, DataFrame, Row]] = []
        self.watch = Watch(session.sparkContext)

    def map(self, table: DataFrame, kernel: Kernel, schema: str) -> DataFrame:
        """Apply `kernel` to the rows of each partition."""
        return table.mapInArrow(kernel, schema)

    def arrange(self, table: DataFrame, by: str, *order: str) -> DataFrame:
        """Bring rows with equal `by` into one partition, and sort each partition by `order`."""
        return table.repartition(by).sortWithinPartitions(*order)

    def keep(self, table: DataFrame, **totals: Column) -> DataFrame:
        """Compute a table once, now, and keep it for all later uses; `totals` are aggregates computed on the way.

        It is kept on disks, as one machine keeps its findings: a partition in memory must be there as a whole, and no
        number of partitions is right for a table whose number of rows is unknown before it is computed.
        """
        kept = table.persist(StorageLevel.DISK_ONLY)
        named = [total.alias(name) for name, total in totals.items()]
        try:
            row = cast(Row, kept.agg(sf.count("*").alias("rows"), *named).first())
        except BaseException:
            kept.unpersist()
            raise
        rooted = root(kept)
        self._kept.append((kept, rooted, row))
        return rooted

    def create_table(self, rows: pa.Table, schema: str) -> DataFrame:
        """Return a table of rows of the driver; a large one is kept, because every job is sent all of a small one."""
        table = self.session.createDataFrame(rows, schema)
        if len(rows) > SENT:
            return self.keep(table)
        self._kept.append((table, table, Row(rows=len(rows))))
        return table

    def settle(self, table: DataFrame, by: Sequence[str], columns: Sequence[str | Column]) -> DataFrame:
        """Return columns computed from a kept table, in the order `by`, for callers that keep them after the run.

        Spark's cache, which has the kept tables, frees nothing by itself: a session would accumulate the tables of all
        runs. The files of a shuffle exist as long as their rows can be used, and no longer. No partition of the table
        is large, because the driver receives them one by one.
        """
        parts = max(1, math.ceil(self.count(table) / SETTLED))
        # The columns are computed after the shuffle, so that only their inputs are shuffled.
        settled = root(table.repartitionByRange(parts, *by).sortWithinPartitions(*by).select(*columns))
        # The first use runs the shuffle, and this must happen while the table is kept.
        settled.isEmpty()
        return settled

    def count(self, table: DataFrame) -> int:
        """Return the number of rows of a kept table."""
        return self.total(table, "rows")

    def total(self, table: DataFrame, name: str) -> int:
        """Return a total of a kept table; it is 0 without rows."""
        return next(int(row[name] or 0) for _, rooted, row in self._kept if rooted is table)

    def sent(self, table: DataFrame, part: DataFrame | None = None) -> DataFrame:
        """Return a kept table, or a part of it, for a join: a small table is broadcast to every task."""
        part = table if part is None else part
        return sf.broadcast(part) if self.is_small(table) else part

    def is_small(self, table: DataFrame) -> bool:
        """Whether a join broadcasts a kept table, so that the other side is not shuffled."""
        return self.count(table) <= SENT

    @property
    def partitions(self) -> int:
        """The number of partitions of a shuffle."""
        return int(cast(str, self.session.conf.get("spark.sql.shuffle.partitions")))

    def release(self, table: DataFrame) -> None:
        """Free a kept table: a later use computes it again."""
        for kept, rooted, _ in self._kept:
            if rooted is table:
                kept.unpersist()

    def release_all(self) -> None:
        """Free all kept tables."""
        for kept, _, _ in self._kept:
            kept.unpersist()
        self._kept = []


def root(table: DataFrame) -> DataFrame:
    """Return a table without the plan that computes it, for rows that are kept or shuffled.

    For every derived table, Spark analyses, prints and plans the whole plan again: a run would be slower with every
    step. The data of a lost executor is computed again, because the rows still have their lineage.
    """
    rows, session = table._jdf.queryExecution().toRdd(), table.sparkSession
    return DataFrame(session._jsparkSession.internalCreateDataFrame(rows, table._jdf.schema(), False), session)
