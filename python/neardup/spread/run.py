"""A run: the steps of the driver of the core, each of which a cluster computes."""

import hashlib
import json
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from neardup import _core
from neardup.errors import EnvironmentFault, NeardupError
from neardup.options.values import translate_readers
from neardup.output.addresses import is_address, local_path
from neardup.remote.output import RemoteOutput
from neardup.remote.place import Place
from neardup.remote.stubs import StubTree
from neardup.spread.cluster import ATTEMPTS, Cluster, Step, Steps
from neardup.spread.output import Output
from neardup.spread.request import Request, scheme_of_tasks

HOME: int | None = None
"""Bytes of input that a task reads; None if the driver of the core decides."""
RESUMES = True
"""Whether a run with an output keeps the rows of its steps there, so that it can resume; the bench measures this."""
WORK = "work"
"""Tree of an output with the rows of the steps."""


class Limits(NamedTuple):
    """How much one task does; None if the driver of the core decides."""

    connected: int | None
    """Links that it connects."""
    family: int | None
    """Linked documents that it compares."""


@dataclass(frozen=True)
class FinishedRun:
    """A finished run: its summary, and where its tables are."""

    summary: str
    tables: dict[str, Path | Place | None]
    """The folder of each table; None if its rows are among those of the steps."""
    steps: Any
    """The rows of the steps, as the cluster keeps them."""
    parts: dict[str, int]
    """The number of tasks of the last stage of each step."""

    def step_of(self, table: str) -> str:
        """Return the step that has the rows of a table."""
        return "pairs" if table == "pairs" else "write"


class SpreadRun:
    """One run of a verb, with the options of the core."""

    def __init__(self, cluster: Cluster, request: Request, limits: Limits) -> None:
        self._request = request
        self._limits = limits
        self._cluster = cluster
        self._options = request.options if HOME is None else request.options | {"chunk": HOME}
        self._output: Output | RemoteOutput | None = None
        self._stubs: StubTree | None = None
        self._lexicon: bytes | None = None
        self._driver = self._plan()

    def _plan(self) -> _core.RunDriver:
        """Open the output and plan the run."""
        if self._options.get("output"):
            self._output = self._open_output(overwrite=bool(self._options.get("overwrite")))
        tables = self._request.tables
        try:
            inputs = self._open_inputs()
            with self._named():
                return _core.RunDriver(
                    self._request.verb,
                    inputs,
                    self._options | translate_readers(self._options),
                    cores=self._cluster.cores,
                    tables=None if tables is None else tables.sizes,
                    by_id=tables is not None and tables.by_id,
                    connected=self._limits.connected,
                    family=self._limits.family,
                    home=HOME,
                    output=None if self._output is None else str(self._output.folder),
                )
        except BaseException:
            self.give_up()
            self._leave()
            raise

    def _open_output(self, *, overwrite: bool) -> Output | RemoteOutput:
        folder = local_path(self._options["output"])
        self._options |= {"output": folder}
        if not is_address(folder):
            return Output(folder, overwrite=overwrite)
        place = Place.of(self._cluster.storage(), folder)
        self._options |= {"output": place.address}
        return RemoteOutput(place, overwrite=overwrite)

    def _open_inputs(self) -> Sequence[Any]:
        """Return the inputs for the core: files of this machine, or stubs of remote ones, which are made."""
        inputs, against = self._request.inputs, self._options.get("against") or ()
        if self._request.tables is None and any(is_address(name) for name in (*inputs, *against)):
            self._stubs = StubTree(self._cluster.storage(), self._options)
            if against:
                self._options |= {"against": self._stubs.paths(against)}
            inputs = self._stubs.paths(inputs)
            if self._output is not None:
                self._stubs.refuse_below(self._options["output"])
        return inputs

    def _named(self) -> AbstractContextManager[None]:
        return nullcontext() if self._stubs is None else self._stubs.named()

    def _leave(self) -> None:
        """Leave the output for a run that resumes, and remove files of this machine."""
        if self._output is not None:
            self._output.leave()
        if self._stubs is not None:
            self._stubs.remove()

    def give_up(self) -> None:
        """Remove the output."""
        if self._output is not None:
            self._output.give_up()

    def run(self) -> FinishedRun:
        """Run all steps.

        After an error that is not of the data, the same run resumes.
        """
        try:
            with self._named():
                return self._run()
        except NeardupError as error:
            # Another machine may be out of reach for a while.
            if not (isinstance(self._output, RemoteOutput) and isinstance(error, EnvironmentFault)):
                self.give_up()
            raise
        finally:
            self._leave()

    def _run(self) -> FinishedRun:
        kept, parts, tables = self._open_steps(), dict[str, int](), self._request.tables
        if tables is not None and not kept.has(_core.rows_step):
            with self._cluster.phase("read", None):
                kept.keep(_core.rows_step, self._cluster.sent(tables.messages(self._driver)))
        while (step := self._driver.next()) is not None:
            name, stages = step
            parts[name] = stages[-1][2]
            phase, _, number = name.partition("-")
            with self._cluster.phase(phase, int(number) if number.isdigit() else None):
                if not kept.has(name):
                    kept.keep(name, self._cluster.compute(self._step(stages), kept))
                self._driver.take(name, kept.tallies(name))
                if phase == "count":
                    self._lexicon = self._driver.lexicon
        summary = self._driver.summary(self._cluster.engine, self._cluster.times)
        if self._stubs is not None:
            self._stubs.check()
        if self._options.get("past"):
            self._driver.begin_past(self._options["output"])
        if isinstance(self._output, RemoteOutput):
            self._output.finish(summary, ATTEMPTS)
        elif self._output is not None:
            self._output.write_text("run.json", summary)
            self._output.remove(ATTEMPTS)
            self._output.finish(WORK)
        if self._options.get("past"):
            self._driver.close_past()
        return FinishedRun(summary, {table: self._place(table) for table in self._driver.tables}, kept, parts)

    def _place(self, table: str) -> Path | Place | None:
        """Return the folder of a table, if it has one."""
        if isinstance(self._output, RemoteOutput):
            return self._output.place / f"{table}.parquet"
        return None if self._output is None else Path(self._options["output"]) / f"{table}.parquet"

    def _open_steps(self) -> Steps:
        """Open the rows of the steps that an earlier run finished, if it was the same."""
        folder = None
        if isinstance(self._output, RemoteOutput):
            return self._cluster.open_steps(self._output.begin(self._identity()), "")
        if self._output is not None:
            self._output.clear(WORK)
            for name in (*(f"{table}.parquet" for table in self._driver.tables), "kept", "rejects.jsonl", ATTEMPTS):
                self._output.tree(name)
            for name in self._driver.lexicon_files:
                self._output.claim(name)
            folder = self._output.tree(WORK) / "steps" if RESUMES else None
        return self._cluster.open_steps(folder, self._identity())

    def _step(self, stages: "list[_core._Stage]") -> Step:
        place = self._output.place if isinstance(self._output, RemoteOutput) else None
        return Step(stages, self._driver.plan, self._lexicon, self._request.verb, self._task_options(), place)

    def _task_options(self) -> dict[str, Any]:
        """Return the options of the core that tasks need."""
        memory = self._cluster.task_memory
        known = {} if memory is None else {"memory": memory}
        own = {name: value for name, value in self._options.items() if name != "against"}
        if self._stubs is not None:
            own["fetch"] = self._stubs.stubs
        return known | own | {"scheme": scheme_of_tasks(self._options["scheme"])}

    def _identity(self) -> str:
        """Return what the rows of two runs are equal by: the plan and the options."""
        options = {
            name: value for name, value in self._options.items() if name not in ("command", "overwrite", "against")
        }
        rows = b"" if self._request.tables is None else self._request.tables.identity
        text = json.dumps([self._request.verb, options], sort_keys=True, default=str)
        root = None if self._stubs is None else self._stubs.stubs.root
        return hashlib.blake2b(self._driver.identity(root) + text.encode() + rows).hexdigest()
