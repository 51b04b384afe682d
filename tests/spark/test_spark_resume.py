"""A run on Spark resumes after the last step that an earlier one kept in the same output, if both are the same run."""

import json
from pathlib import Path
from typing import Any

import pytest
from test_spark import DOCS, bad_records, rows_of

import neardup
from neardup import DataError
from neardup.spark import SparkEngine
from neardup.spark.session.steps import KeptSteps
from records import write_jsonl

pytestmark = pytest.mark.spark

STEPS = ["sign-1", "compare-1", "write"]


class LostError(Exception):
    """The driver is lost."""


class Driver:
    """A driver of runs over one file, which is lost on request."""

    def __init__(self, spark: Any, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.docs = write_jsonl(folder / "docs.jsonl", DOCS)
        self.out, self.partial = folder / "out", folder / "out.partial"
        self._engine = SparkEngine(spark)
        self._steps: list[str] = []
        self._most = len(STEPS)
        keep = KeptSteps.keep

        def keep_or_end(kept: KeptSteps, name: str, rows: Any) -> None:
            if len(self._steps) == self._most:
                raise LostError
            keep(kept, name, rows)
            self._steps.append(name)

        monkeypatch.setattr(KeptSteps, "keep", keep_or_end)

    def lose(self, after: int, **options: Any) -> list[str]:
        """Run until `after` steps are computed, and return them."""
        self._most = after
        with pytest.raises(LostError):
            self.run(**options)
        self._most = len(STEPS)
        assert self.partial.exists()
        return self._steps

    def run(self, **options: Any) -> list[str]:
        """Run, check that the result is that of one machine, and return the steps that were computed."""
        self._steps = []
        spread = neardup.dedup(str(self.docs), id_field="id", output=str(self.out), engine=self._engine, **options)
        local = neardup.dedup(str(self.docs), id_field="id", **options)
        assert spread.digest == local.digest
        assert rows_of(spread._result.table("decisions")) == rows_of(local._result.table("decisions"))
        assert {path.name for path in self.out.iterdir()} == {".neardup", "decisions.parquet", "kept", "run.json"}
        assert not self.partial.exists()
        return self._steps


@pytest.fixture
def driver(spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Driver:
    return Driver(spark, tmp_path, monkeypatch)


def test_the_same_run_resumes_and_another_begins_anew(driver: Driver) -> None:
    assert driver.lose(1) == STEPS[:1]
    assert driver.lose(1) == STEPS[1:2]
    assert driver.lose(0, threshold="0.5") == []
    assert driver.lose(2, threshold="0.5") == STEPS[:2]
    assert driver.run(threshold="0.5") == STEPS[2:]
    counts = json.loads((driver.out / "run.json").read_bytes())["counts"]
    assert counts["documents"] == len(DOCS)


@pytest.mark.deep("a changed file is part of what two runs are equal by, like an option")
def test_a_changed_file_is_read_again(driver: Driver) -> None:
    driver.lose(2)
    write_jsonl(driver.docs, DOCS[:-3])
    assert driver.run() == STEPS


def test_an_error_of_the_data_leaves_nothing(spark: Any, tmp_path: Path) -> None:
    path = bad_records(tmp_path)
    with pytest.raises(DataError):
        neardup.dedup(str(path), output=str(tmp_path / "out"), engine=SparkEngine(spark))
    assert list(tmp_path.iterdir()) == [path]
