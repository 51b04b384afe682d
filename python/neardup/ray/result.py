"""The result of a run over Ray."""

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from neardup import _core
from neardup.errors import UsageError
from neardup.ray.steps import RaySteps
from neardup.spread.run import FinishedRun


class RayResult:
    """The summary and the tables of a run, with the interface of `neardup._core.JobResult`."""

    def __init__(self, run: FinishedRun) -> None:
        self.summary = run.summary
        self.tables = list(run.tables)
        """The names of the tables of the result."""
        self._made: dict[str, Any] = {
            name: folder if isinstance(folder, Path) else table_of(run.steps, run.step_of(name))
            for name, folder in run.tables.items()
        }

    def table(self, name: str) -> Any:
        """Return one table of the result; `UsageError` names the tables there are."""
        if name not in self.tables:
            raise UsageError(f'there is no table "{name}"; there are: {", ".join(self.tables)}')
        made = self._made[name]
        if isinstance(made, Path):
            made = pa.concat_tables(pq.read_table(file) for file in sorted(made.iterdir()))
            self._made[name] = made
        return _core.Table.of_stream(made)


def table_of(steps: RaySteps, step: str) -> pa.Table:
    """Return the rows of a table that a step made, in input order; pairs are in the order of their ids."""
    packed = steps.table(step, _core.table_stage)["packed"].to_pylist()
    return pa.concat_tables(pa.ipc.open_stream(part).read_all() for part in packed)
