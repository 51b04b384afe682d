"""Steps that are kept in a remote folder: each task writes a file, and the driver lists those that count."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast
from uuid import uuid4

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from pyspark import TaskContext
from pyspark.sql import DataFrame, SparkSession

from neardup.remote.place import Place
from neardup.spark.session.batches import Batches
from neardup.spark.session.exchange import MESSAGES, Exchange
from neardup.spark.session.steps import KeptSteps

DONE = "done"
"""The file with the names of the files of a finished step."""
FILES = "part int, file string"


class RemoteSteps(KeptSteps):
    """The rows of the finished steps of a run, in a remote folder."""

    def __init__(self, session: SparkSession, place: Place) -> None:
        super().__init__(session, 1, None, "")
        self._place = place

    def has(self, name: str) -> bool:
        """Return whether an earlier run finished the step."""
        return (self._place / name / DONE).exists()

    def keep(self, name: str, rows: DataFrame) -> None:
        """Compute and keep the rows of a step."""
        names = [row["file"] for row in rows.mapInArrow(WriteRows(self._place / name), FILES).collect()]
        (self._place / name / DONE).write("\n".join(sorted(names)).encode())

    def rows(self, name: str, stage: int) -> DataFrame:
        """Return the rows of a step that were sent to a stage."""
        names = (self._place / name / DONE).read().decode().split()
        table = pa.table({"part": pa.array(range(len(names)), pa.int32()), "file": pa.array(names, pa.string())})
        files = Exchange(max(len(names), 1)).apply(self._session.createDataFrame(table, FILES))
        return files.mapInArrow(ReadRows(self._place / name, stage), MESSAGES)


@dataclass(frozen=True)
class WriteRows:
    """Kernel that writes the rows of a partition as a file, if there are any, and returns its name.

    The name is new for each try of a task: only the files of tries that ended are in the list of the step.
    """

    place: Place

    def __call__(self, batches: Batches) -> Batches:
        part, writer = cast(TaskContext, TaskContext.get()).partitionId(), None
        name = f"part-{part:05}-{uuid4().hex}.parquet"
        with (self.place / name).opened("write") as (system, path):
            for batch in batches:
                if writer is None:
                    writer = pq.ParquetWriter(path, batch.schema, filesystem=system, use_dictionary=False)
                for stage in pc.unique(batch["stage"]):
                    # A row group has the rows of one stage, so that the others are not read.
                    writer.write_table(pa.Table.from_batches([batch.filter(pc.equal(batch["stage"], stage))]))
            if writer is not None:
                writer.close()
                yield pa.record_batch({"part": pa.array([part], pa.int32()), "file": pa.array([name], pa.string())})


@dataclass(frozen=True)
class ReadRows:
    """Kernel that returns the rows of some files that were sent to a stage."""

    place: Place
    stage: int

    def __call__(self, batches: Batches) -> Batches:
        for batch in batches:
            for name in batch["file"].to_pylist():
                with (self.place / name).reader() as file:
                    yield from self._rows(pq.ParquetFile(file))

    def _rows(self, file: Any) -> Iterator[pa.RecordBatch]:
        for number in range(file.metadata.num_row_groups):
            if file.metadata.row_group(number).column(0).statistics.min == self.stage:
                yield from file.read_row_group(number).to_batches()
