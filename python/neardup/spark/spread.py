"""A run spread over the cluster: the steps of the driver of the core, each one job of Spark."""

import hashlib
import json
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import reduce
from pathlib import Path
from typing import Any, NamedTuple, cast

import pyarrow as pa
from pyspark import Broadcast
from pyspark.sql import DataFrame, SparkSession

from neardup import _core
from neardup.errors import EnvironmentFault, NeardupError
from neardup.options.values import translate_readers
from neardup.output.addresses import is_address, local_path
from neardup.remote.output import RemoteOutput
from neardup.remote.place import Place
from neardup.remote.stubs import StubTree
from neardup.spark.request import Request, scheme_of_tasks
from neardup.spark.results.output import Output
from neardup.spark.results.result import SparkResult
from neardup.spark.session.exchange import ATTEMPTS, MESSAGES, Exchange, Task, root, session_of_run
from neardup.spark.session.hadoop import storage_of
from neardup.spark.session.remote_steps import RemoteSteps
from neardup.spark.session.session import task_memory
from neardup.spark.session.steps import KeptSteps
from neardup.spark.session.watch import Watch

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


class SpreadRun:
    """One run of a verb, with the options of the core."""

    def __init__(self, session: SparkSession, request: Request, limits: Limits, watch: Watch) -> None:
        self._request = request
        self._limits = limits
        self._watch = watch
        self._options = request.options if HOME is None else request.options | {"chunk": HOME}
        self._callers = session
        self._session = session_of_run(session)
        self._output: Output | RemoteOutput | None = None
        self._stubs: StubTree | None = None
        self._lexicon: Broadcast[bytes] | None = None
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
                    cores=self._callers.sparkContext.defaultParallelism,
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
        place = Place.of(storage_of(self._callers), folder)
        self._options |= {"output": place.address}
        return RemoteOutput(place, overwrite=overwrite)

    def _open_inputs(self) -> Sequence[Any]:
        """Return the inputs for the core: files of this machine, or stubs of remote ones, which are made."""
        inputs, against = self._request.inputs, self._options.get("against") or ()
        if self._request.tables is None and any(is_address(name) for name in (*inputs, *against)):
            self._stubs = StubTree(storage_of(self._callers), self._options)
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

    def run(self) -> SparkResult:
        """Run all steps and return the result.

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

    def _run(self) -> SparkResult:
        kept, parts, tables = self._open_steps(), dict[str, int](), self._request.tables
        if tables is not None and not kept.has(_core.rows_step):
            with self._watch.phase("read"):
                kept.keep(_core.rows_step, tables.messages(self._driver, self._session))
        while (step := self._driver.next()) is not None:
            name, stages = step
            parts[name] = stages[-1][2]
            phase, _, number = name.partition("-")
            with self._watch.phase(phase, int(number) if number.isdigit() else None):
                if not kept.has(name):
                    kept.keep(name, self._rows(stages, kept))
                self._driver.take(name, kept.tallies(name))
                if phase == "count":
                    self._lexicon = self._session.sparkContext.broadcast(cast(bytes, self._driver.lexicon))
        made = {table: self._table(table, kept, parts) for table in self._driver.tables}
        summary = self._driver.summary("spark", self._watch.times)
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
        return SparkResult(self._callers, made, summary, self._request.frame, self._options.get("id_field"))

    def _table(self, name: str, kept: KeptSteps, parts: dict[str, int]) -> DataFrame | Path | Place:
        """Return the folder of a table, or its packed rows."""
        if isinstance(self._output, RemoteOutput):
            return self._output.place / f"{name}.parquet"
        if self._output is not None:
            return Path(self._options["output"]) / f"{name}.parquet"
        step = "pairs" if name == "pairs" else "write"
        return root(Exchange(parts[step]).apply(kept.rows(step, _core.table_stage)), self._callers)

    def _open_steps(self) -> KeptSteps:
        """Open the rows of the steps that an earlier run finished, if it was the same."""
        folder = None
        if isinstance(self._output, RemoteOutput):
            return RemoteSteps(self._session, self._output.begin(self._identity()))
        if self._output is not None:
            self._output.clear(WORK)
            for name in (*(f"{table}.parquet" for table in self._driver.tables), "kept", "rejects.jsonl", ATTEMPTS):
                self._output.tree(name)
            for name in self._driver.lexicon_files:
                self._output.claim(name)
            folder = self._output.tree(WORK) / "steps" if RESUMES else None
        return KeptSteps(self._session, self._partitions, folder, self._identity())

    def _rows(self, stages: "list[_core._Stage]", kept: KeptSteps) -> DataFrame:
        """Return the rows that the last of some stages returns."""
        plan = self._session.sparkContext.broadcast(self._driver.plan)
        made = list[DataFrame]()
        for stage, _, parts, inputs, messages in stages:
            taken = [rows.where(f"stage = {stage}") for rows in made[-1:]]
            taken += [kept.rows(name, sent_to) for name, sent_to in inputs]
            table = pa.table(messages)
            if len(table):
                taken.append(self._session.createDataFrame(table, MESSAGES))
            place = self._output.place if isinstance(self._output, RemoteOutput) else None
            task = Task(plan, self._request.verb, stage, self._task_options(), self._lexicon, place)
            made.append(Exchange(parts).apply(reduce(DataFrame.unionByName, taken)).mapInArrow(task, MESSAGES))
        return made[-1]

    @property
    def _partitions(self) -> int:
        """The number of partitions of rows that are kept without a folder."""
        return int(self._session.conf.get("spark.sql.shuffle.partitions") or 1)

    def _task_options(self) -> dict[str, Any]:
        """Return the options of the core that tasks need."""
        memory = task_memory(self._session.sparkContext)
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
