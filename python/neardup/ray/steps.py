"""Steps: the rows that the tasks of a step return, kept until the run is over."""

from pathlib import Path
from typing import Any

import pyarrow as pa
import ray
from ray.exceptions import RayError, RayTaskError

from neardup import _core
from neardup.errors import EnvironmentFault
from neardup.ray.tasks import select, write
from neardup.spread.kept_folder import KeptFolder

Rows = list[Any]
"""The rows of each task of a step: an object, or a file that has them."""


class RaySteps:
    """The rows of the finished steps of a run.

    With a folder, they are Parquet files from which a later run of the same identity resumes. Without one, they are
    objects, of which Ray computes those of a lost machine again.
    """

    def __init__(self, folder: Path | None, identity: str) -> None:
        self._folder = None if folder is None else KeptFolder(folder, identity)
        self._rows: dict[str, Rows] = {}

    def has(self, name: str) -> bool:
        """Return whether an earlier run finished the step."""
        return self._folder is not None and self._folder.has(name)

    def keep(self, name: str, rows: Rows) -> None:
        """Keep the rows of a step: with a folder, they are computed now, otherwise while others are planned."""
        if self._folder is None:
            self._rows[name] = rows
            return
        step = self._folder.begin(name)
        done([write.remote(some, step / f"part-{part:05}.parquet") for part, some in enumerate(rows)])
        self._folder.finish(name)

    def rows(self, name: str) -> Rows:
        """Return the rows of a step."""
        if name in self._rows or self._folder is None:
            return self._rows[name]
        return self._folder.files(name)

    def table(self, name: str, stage: int) -> pa.Table:
        """Return the rows of a step that were sent to a stage, ascending by part."""
        return pa.concat_tables(done([select.remote(some, stage) for some in self.rows(name)])).sort_by("part")

    def tallies(self, name: str) -> list[bytes]:
        """Return what the tasks of a step sent to the driver."""
        tallies: list[bytes] = self.table(name, _core.driver_stage)["packed"].to_pylist()
        return tallies


def results_of(given: Any) -> Rows:
    """Return the results of a task, one or several."""
    return given if isinstance(given, list) else [given]


def done(objects: Rows) -> list[Any]:
    """Return the values of objects; the error of the first task that failed is raised as that task raised it."""
    try:
        values: list[Any] = ray.get(objects)
    except RayTaskError as error:
        raise error.cause from None
    except RayError as error:
        raise EnvironmentFault(f"a task on Ray is lost: {error}") from error
    return values
