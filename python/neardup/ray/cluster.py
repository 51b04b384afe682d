"""A Ray cluster: each part of a stage is a task, which takes the rows that others returned for it."""

from contextlib import AbstractContextManager
from pathlib import Path

import pyarrow as pa
import ray

from neardup.ray.steps import RaySteps, Rows, results_of
from neardup.ray.tasks import SCHEMA, Taker, compute, divide
from neardup.remote.place import Place
from neardup.remote.storage import Storage
from neardup.spread.cluster import Step
from neardup.spread.phases import Phases, Progress

LEAST_OF_TASK = 256 << 20
"""Minimum memory of a task, in bytes, however little there is."""


class RayCluster:
    """The cluster to which this process is connected."""

    engine = "ray"

    def __init__(self, progress: Progress | None) -> None:
        self._tasks: Rows = []
        self._phases = Phases(self._count, progress)
        self.times = self._phases.times

    @property
    def cores(self) -> int:
        """The number of tasks that run at once."""
        return max(1, int(resource("CPU") or 1))

    @property
    def task_memory(self) -> int | None:
        """The bytes that the work of a task may take; None if this is not known."""
        memory = resource("memory")
        return None if memory is None else max(LEAST_OF_TASK, int(memory) // self.cores)

    def storage(self) -> Storage:
        """Return the storage with the settings of the environment."""
        return Storage(())

    def phase(self, name: str, number: int | None) -> AbstractContextManager[None]:  # noqa: ARG002
        """Report the progress of a phase, and note its time, while the block runs."""
        self._tasks = []
        return self._phases.phase(name)

    def _count(self) -> tuple[int, int]:
        """Count the tasks of the phase: those that are done, and all that are planned."""
        tasks = list(self._tasks)
        done, _ = ray.wait(tasks, num_returns=len(tasks), timeout=0, fetch_local=False) if tasks else ([], [])
        return len(done), len(tasks)

    def open_steps(self, folder: Path | Place | None, identity: str) -> RaySteps:
        """Open the rows of the steps; those that a run of the same identity kept in the folder are there."""
        return RaySteps(folder if isinstance(folder, Path) else None, identity)

    def sent(self, messages: pa.Table) -> Rows:
        """Return the rows of tables as an object."""
        return [ray.put(messages)]

    def compute(self, step: Step, kept: RaySteps) -> Rows:
        """Do all stages of a step, and return the rows of the tasks of the last one."""
        plan, lexicon = ray.put(step.plan), ray.put(step.lexicon)
        takers = [Taker(stage, parts) for stage, _, parts, _, _ in step.stages]
        rows: list[Rows] = []
        for number, (stage, _, parts, inputs, messages) in enumerate(step.stages):
            own, taker = takers[number], takers[number + 1] if number + 1 < len(takers) else None
            divided = rows + [
                results_of(divide.options(num_returns=own.buckets).remote(some, Taker(sent_to, parts)))
                for name, sent_to in inputs
                for some in kept.rows(name)
            ]
            ours = own.divide(pa.table(messages).cast(SCHEMA))
            task, returns = ray.put(step.task(stage)), 1 if taker is None else taker.buckets
            rows = []
            for part in range(parts):
                bucket = own.bucket(part)
                taken = [some[bucket] for some in divided]
                given = (task, plan, lexicon, own, part, taker, ours[bucket], *taken)
                rows.append(results_of(compute.options(num_returns=returns).remote(*given)))
            self._tasks.extend(some[0] for some in rows)
        return [some[0] for some in rows]


def resource(name: str) -> float | None:
    """Return how much of a resource all machines have."""
    resources: dict[str, float] = ray.cluster_resources()  # type: ignore[no-untyped-call]
    return resources.get(name)
