"""A run over files, spread over the cluster: the steps of the driver of the core, each one job of Spark."""

import hashlib
import json
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
from pyspark.sql import DataFrame

from neardup import _core
from neardup.errors import NeardupError
from neardup.options.values import translate_readers
from neardup.spark.results.output import Output
from neardup.spark.results.spread_result import SpreadResult
from neardup.spark.session.exchange import MESSAGES, Exchange, Task, session_of_run
from neardup.spark.session.session import task_memory
from neardup.spark.session.steps import KeptSteps

if TYPE_CHECKING:
    from neardup.spark.session.operations import SparkOperations

HOME: int | None = None
"""Bytes of input that a task reads; None if the driver of the core decides."""
WORK, ATTEMPTS = "work", "attempts"
"""Trees of an output that only the run itself needs: the rows of its steps, and files that are not finished."""


class SpreadRun:
    """One run of a verb over files, with the options of the core."""

    def __init__(self, engine: "SparkOperations", verb: str, inputs: list[str], options: dict[str, Any]) -> None:
        self._engine = engine
        self._verb = verb
        self._options = options if HOME is None else options | {"chunk": HOME}
        self._session = session_of_run(engine.session)
        self._output: Output | None = None
        self._driver = self._plan(inputs)

    def _plan(self, inputs: list[str]) -> _core.RunDriver:
        """Open the output and plan the run."""
        if self._options.get("output"):
            self._output = Output(self._options["output"], overwrite=bool(self._options.get("overwrite")))
        cores = self._engine.session.sparkContext.defaultParallelism
        folder = None if self._output is None else str(self._output.folder)
        try:
            options = self._options | translate_readers(self._options)
            return _core.RunDriver(
                self._verb, inputs, options, cores=cores, connected=self._engine.forest, home=HOME, output=folder
            )
        except BaseException:
            self.give_up()
            raise

    @property
    def has_archives(self) -> bool:
        """Whether some documents are records of web archives."""
        return self._driver.has_archives

    def give_up(self) -> None:
        """Remove the output."""
        if self._output is not None:
            self._output.give_up()

    def run(self) -> SpreadResult:
        """Run all steps and return the result.

        After an error that is not of the data, the same run resumes.
        """
        try:
            return self._run()
        except NeardupError:
            self.give_up()
            raise
        finally:
            if self._output is not None:
                self._output.leave()

    def _run(self) -> SpreadResult:
        kept, parts = self._open_steps(), dict[str, int]()
        while (step := self._driver.next()) is not None:
            name, stages = step
            parts[name] = stages[-1][2]
            phase, _, number = name.partition("-")
            with self._engine.watch.phase(phase, int(number) if number.isdigit() else None):
                if not kept.has(name):
                    kept.keep(name, self._rows(stages, kept))
                self._driver.take(name, kept.tallies(name))
        made = dict[str, DataFrame | Path]()
        for table in self._driver.tables:
            source = "pairs" if table == "pairs" else "write"
            if self._output is None:
                rows = kept.rows(source, _core.table_stage)
                made[table] = Exchange(parts[source]).apply(rows)
            else:
                made[table] = Path(self._options["output"]) / f"{table}.parquet"
        result = SpreadResult(self._session, made)
        result.summary = self._driver.summary("spark", self._engine.watch.times)
        if self._output is not None:
            self._output.write_text("run.json", result.summary)
            self._output.remove(ATTEMPTS)
            self._output.finish(WORK)
        return result

    def _open_steps(self) -> KeptSteps:
        """Open the rows of the steps that an earlier run finished, if it was the same."""
        folder = None
        if self._output is not None:
            self._output.clear(WORK)
            for name in (*(f"{table}.parquet" for table in self._driver.tables), "kept", "rejects.jsonl", ATTEMPTS):
                self._output.tree(name)
            folder = self._output.tree(WORK) / "steps"
        return KeptSteps(self._session, self._engine.partitions, folder, self._identity())

    def _rows(self, stages: "list[_core._Stage]", kept: KeptSteps) -> DataFrame:
        """Return the rows that the last of some stages returns."""
        plan = self._engine.session.sparkContext.broadcast(self._driver.plan)
        made = list[DataFrame]()
        for stage, _, parts, inputs, messages in stages:
            taken = [rows.where(f"stage = {stage}") for rows in made[-1:]]
            taken += [kept.rows(name, sent_to) for name, sent_to in inputs]
            table = pa.table(messages)
            if len(table):
                taken.append(self._session.createDataFrame(table, MESSAGES))
            task = Task(plan, self._verb, stage, self._task_options())
            made.append(Exchange(parts).apply(reduce(DataFrame.unionByName, taken)).mapInArrow(task, MESSAGES))
        return made[-1]

    def _task_options(self) -> dict[str, Any]:
        """Return the options of the core that tasks need."""
        memory = task_memory(self._engine.session.sparkContext)
        known = {} if memory is None else {"memory": memory}
        return known | {name: value for name, value in self._options.items() if name not in ("against", "threads")}

    def _identity(self) -> str:
        """Return what the rows of two runs are equal by: the plan and the options."""
        options = {name: value for name, value in self._options.items() if name not in ("command", "overwrite")}
        text = json.dumps([self._verb, options], sort_keys=True, default=str)
        return hashlib.blake2b(self._driver.identity + text.encode()).hexdigest()
