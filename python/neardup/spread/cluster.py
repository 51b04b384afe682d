"""What a run needs of a cluster: that it does tasks, and keeps the rows that these return."""

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import pyarrow as pa

from neardup import _core
from neardup.options.values import translate_readers
from neardup.remote.place import Place
from neardup.remote.storage import Storage

ATTEMPTS = "attempts"
"""Tree of an output with files that are not finished."""


@dataclass(frozen=True)
class StageTask:
    """What all tasks of a stage do."""

    verb: str
    stage: int
    options: dict[str, Any] = field(repr=False)
    """The options of the core."""
    output: Place | None = None
    """The remote folder of the results, if it is one."""

    def rows(self, plan: bytes, lexicon: bytes | None, part: int, packed: list[Any]) -> pa.Table:
        """Do the task of a part with the messages to it, columns of bytes, and return those that it sends."""
        options = self.options | translate_readers(self.options)
        given = (plan, self.verb, self.stage, part, packed, options, lexicon)
        with nullcontext(None) if self.output is None else self.output.filled(ATTEMPTS) as folder:
            return pa.table(_core.run_stage(*given, folder))


@dataclass(frozen=True)
class Step:
    """One step of a run: its stages, and what their tasks know."""

    stages: "list[_core._Stage]"
    plan: bytes
    lexicon: bytes | None
    verb: str
    options: dict[str, Any] = field(repr=False)
    output: Place | None = None

    def task(self, stage: int) -> StageTask:
        """Return what the tasks of a stage do."""
        return StageTask(self.verb, stage, self.options, self.output)


class Steps(Protocol):
    """The rows of the finished steps of a run. Rows are of the type of the cluster."""

    def has(self, name: str) -> bool:
        """Return whether an earlier run finished the step."""

    def keep(self, name: str, rows: Any) -> None:
        """Keep the rows of a step."""

    def tallies(self, name: str) -> list[bytes]:
        """Return what the tasks of a step sent to the driver."""


class Cluster(Protocol):
    """A cluster that does the tasks of a run."""

    engine: str
    """The name of the engine, as `run.json` has it."""
    times: list[tuple[str, float]]
    """Finished phases, each with its seconds."""

    @property
    def cores(self) -> int:
        """The number of tasks that run at once."""

    @property
    def task_memory(self) -> int | None:
        """The bytes that the work of a task may take; None if this is not known."""

    def storage(self) -> Storage:
        """Return the storage with the settings of the cluster."""

    def phase(self, name: str, number: int | None) -> AbstractContextManager[None]:
        """Report the progress of a phase, and note its time, while the block runs."""

    def open_steps(self, folder: Path | Place | None, identity: str) -> Steps:
        """Open the rows of the steps; those that a run of the same identity kept in the folder are there."""

    def sent(self, messages: Any) -> Any:
        """Return the rows of tables as rows of the cluster."""

    def compute(self, step: Step, kept: Any) -> Any:
        """Do all stages of a step, and return the rows that the last one returns."""
