"""A Spark cluster: each step of a run is one job, in which every partition does one task."""

from contextlib import AbstractContextManager
from functools import reduce
from pathlib import Path

import pyarrow as pa
from pyspark import Broadcast
from pyspark.sql import DataFrame, SparkSession

from neardup import _core
from neardup.remote.place import Place
from neardup.remote.storage import Storage
from neardup.spark.session.exchange import MESSAGES, Exchange, Task, root, session_of_run
from neardup.spark.session.hadoop import storage_of
from neardup.spark.session.remote_steps import RemoteSteps
from neardup.spark.session.session import task_memory
from neardup.spark.session.steps import KeptSteps
from neardup.spark.session.watch import Watch
from neardup.spread.cluster import Step
from neardup.spread.phases import Progress


class SparkCluster:
    """The cluster of a session."""

    engine = "spark"

    def __init__(self, session: SparkSession, progress: Progress | None) -> None:
        self._callers = session
        self._session = session_of_run(session)
        self._watch = Watch(session.sparkContext, progress)
        self.times = self._watch.times
        self._lexicon: tuple[bytes, Broadcast[bytes]] | None = None
        """The last one, which several steps take."""

    @property
    def cores(self) -> int:
        """The number of tasks that run at once."""
        return int(self._callers.sparkContext.defaultParallelism)

    @property
    def task_memory(self) -> int | None:
        """The bytes that the work of a task may take; None if this is not known."""
        return task_memory(self._callers.sparkContext)

    def storage(self) -> Storage:
        """Return the storage with the settings of the session."""
        return storage_of(self._callers)

    def phase(self, name: str, number: int | None) -> AbstractContextManager[None]:
        """Report the progress of a phase, and note its time, while the block runs."""
        return self._watch.phase(name, number)

    def open_steps(self, folder: Path | Place | None, identity: str) -> KeptSteps:
        """Open the rows of the steps; those that a run of the same identity kept in the folder are there."""
        if isinstance(folder, Place):
            return RemoteSteps(self._session, folder)
        # The number of partitions of rows that are kept without a folder.
        partitions = int(self._session.conf.get("spark.sql.shuffle.partitions") or 1)
        return KeptSteps(self._session, partitions, folder, identity)

    def sent(self, messages: pa.Table | DataFrame) -> DataFrame:
        """Return the rows of tables as a DataFrame."""
        return messages if isinstance(messages, DataFrame) else self._session.createDataFrame(messages, MESSAGES)

    def compute(self, step: Step, kept: KeptSteps) -> DataFrame:
        """Return the rows that the last stage of a step returns."""
        plan = self._session.sparkContext.broadcast(step.plan)
        made = list[DataFrame]()
        for stage, _, parts, inputs, messages in step.stages:
            taken = [rows.where(f"stage = {stage}") for rows in made[-1:]]
            taken += [kept.rows(name, sent_to) for name, sent_to in inputs]
            table = pa.table(messages)
            if len(table):
                taken.append(self.sent(table))
            task = Task(plan, step.task(stage), self._broadcast(step.lexicon))
            made.append(Exchange(parts).apply(reduce(DataFrame.unionByName, taken)).mapInArrow(task, MESSAGES))
        return made[-1]

    def _broadcast(self, lexicon: bytes | None) -> Broadcast[bytes] | None:
        if lexicon is None:
            return None
        if self._lexicon is None or self._lexicon[0] is not lexicon:
            self._lexicon = lexicon, self._session.sparkContext.broadcast(lexicon)
        return self._lexicon[1]

    def table(self, kept: KeptSteps, step: str, parts: int) -> DataFrame:
        """Return the packed rows of a table that a step made, those of each part in a partition of their own."""
        return root(Exchange(parts).apply(kept.rows(step, _core.table_stage)), self._callers)
