"""Operations on Spark DataFrames: all that the pipeline asks of Spark."""

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
"""Links that the driver connects by itself: about 100 bytes each."""
FAMILY = 200_000
"""Documents that are compared in one task: some seconds, and their texts in memory."""
SENT = 500_000
"""Rows of a table that every task of a join is sent, so that the other side stays where it is: some dozen MB."""
SETTLED = 250_000
"""Rows, about, of each part of a table that a run leaves: what the driver has of it at a time."""


class SparkOperations:
    """Operations in a Spark session, with the tables that a run keeps.

    `forest` is how many links, of those that the partitions leave, are brought to the driver to be connected; more are
    connected by star contraction. `family` is how many documents that keys connect are compared in one task; of more,
    blocks of about this many.
    """

    @allow
    def __init__(self, session: SparkSession, *, forest: int = FOREST, family: int = FAMILY) -> None:
        self.session = session
        self.forest = forest
        self.family = family
        self._kept: list[tuple[DataFrame, DataFrame, Row]] = []
        self.watch = Watch(session.sparkContext)

    def map(self, table: DataFrame, kernel: Kernel, schema: str) -> DataFrame:
        """Return what `kernel` makes of the rows of each partition."""
        return table.mapInArrow(kernel, schema)

    def arrange(self, table: DataFrame, by: str, *order: str) -> DataFrame:
        """Bring rows of equal `by` into one partition, in which rows are in `order`."""
        return table.repartition(by).sortWithinPartitions(*order)

    def keep(self, table: DataFrame, **totals: Column) -> DataFrame:
        """Make a table now and once, and keep it for all that ask for it; `totals` are aggregates taken on the way.

        It is kept on disks, as one machine keeps what it has found: a part of it that is held in memory must be there
        whole, and no number of parts is right for a table whose number of rows is unknown before they are made.
        """
        kept = table.persist(StorageLevel.DISK_ONLY)
        named = [total.alias(name) for name, total in totals.items()]
        try:
            told = cast(Row, kept.agg(sf.count("*").alias("rows"), *named).first())
        except BaseException:
            kept.unpersist()
            raise
        rooted = self._rooted(kept)
        self._kept.append((kept, rooted, told))
        return rooted

    def hold(self, rows: pa.Table, schema: str) -> DataFrame:
        """Return a table of rows that the driver has; a large one is kept, as jobs are sent all of a small one."""
        table = self.session.createDataFrame(rows, schema)
        if len(rows) > SENT:
            return self.keep(table)
        self._kept.append((table, table, Row(rows=len(rows))))
        return table

    def settle(self, table: DataFrame, by: Sequence[str], columns: Sequence[str | Column]) -> DataFrame:
        """Return columns that are made of a kept table, in the order `by`, for callers that keep them after the run.

        Spark's cache, which has what is kept, never forgets by itself: a session would hold all that any run has made.
        What a shuffle has written stays as long as its rows can be wanted, and no longer. No part of the table
        is large, as the driver takes them one by one.
        """
        parts = max(1, math.ceil(self.count(table) / SETTLED))
        # Spark sends what they are made of, and makes them where the rows came to.
        settled = self._rooted(table.repartitionByRange(parts, *by).sortWithinPartitions(*by).select(*columns))
        # The first caller has the shuffle made, and this must be while the table is kept.
        settled.isEmpty()
        return settled

    def count(self, table: DataFrame) -> int:
        """Return how many rows a table has that was kept."""
        return self.total(table, "rows")

    def total(self, table: DataFrame, name: str) -> int:
        """Return a total of a table that was kept; of no rows it is 0."""
        return next(int(told[name] or 0) for _, rooted, told in self._kept if rooted is table)

    def sent(self, table: DataFrame, part: DataFrame | None = None) -> DataFrame:
        """Return a kept table, or a part of it, to be joined: of a small table every task receives all."""
        part = table if part is None else part
        return sf.broadcast(part) if self.is_small(table) else part

    def is_small(self, table: DataFrame) -> bool:
        """Whether every task of a join is sent all of a kept table, so that the other side stays where it is."""
        return self.count(table) <= SENT

    @property
    def partitions(self) -> int:
        """Return into how many parts rows are shuffled."""
        return int(cast(str, self.session.conf.get("spark.sql.shuffle.partitions")))

    def _rooted(self, kept: DataFrame) -> DataFrame:
        """Return a kept table without the plan by which it was made.

        Spark looks through, prints and plans anew all that follows a table, for each that is made of it: a run
        would be slower with every step. What a lost executor had is made again: rows still know where they come from.
        """
        rows = kept._jdf.queryExecution().toRdd()
        session = self.session._jsparkSession
        return DataFrame(session.internalCreateDataFrame(rows, kept._jdf.schema(), False), self.session)

    def release(self, table: DataFrame) -> None:
        """Forget a table that was kept: asking for it again makes it again."""
        for kept, rooted, _ in self._kept:
            if rooted is table:
                kept.unpersist()

    def let_go(self) -> None:
        """Forget all tables that were kept."""
        for kept, _, _ in self._kept:
            kept.unpersist()
        self._kept = []
