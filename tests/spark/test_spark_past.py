"""Batches that are decided against the past of earlier runs."""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from test_spark import ALL

import neardup
from neardup import UsageError
from neardup.spark import SparkEngine
from records import write_jsonl

pytestmark = pytest.mark.spark

GROWN = {"group_size"}
"""Columns of a document that later batches change."""


@pytest.mark.on_spark(1)
@pytest.mark.parametrize("id_field", ["id", None])
def test_batches_have_the_decisions_of_one_run(id_field: str | None, spark: Any, tmp_path: Path) -> None:
    """A run that is started again decides its documents as before, and no other run begins meanwhile."""
    files = [write_jsonl(tmp_path / f"{month}.jsonl", ALL[month::3]) for month in range(3)]
    options: dict[str, Any] = {"id_field": id_field, "threshold": "0.5", "keep": "first"}
    whole = pa.table(neardup.dedup(files, **options).decisions).to_pylist()
    engine, past = SparkEngine(spark), tmp_path / "past"
    rows: list[dict[str, Any]] = []
    for month, file in enumerate(files):
        result = neardup.dedup(str(file), engine=engine, past=past, output=tmp_path / f"out {month}", **options)
        rows += pa.table(result.decisions).to_pylist()
    assert rows[-len(ALL[2::3]) :] == whole[-len(ALL[2::3]) :]
    assert [without(row) for row in rows] == [without(row) for row in whole]
    book = json.loads((past / "past.json").read_text(encoding="utf-8"))
    (past / "past.json").write_text(json.dumps(book | {"unfinished": str(tmp_path / "out 9")}), encoding="utf-8")
    with pytest.raises(UsageError, match="has not ended; start it again"):
        neardup.dedup(str(files[0]), engine=engine, past=past, output=tmp_path / "other", **options)


def without(row: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name not in GROWN}


def test_what_a_past_cannot_decide_is_refused(spark: Any, tmp_path: Path) -> None:
    path, engine = write_jsonl(tmp_path / "docs.jsonl", ALL[:9]), SparkEngine(spark)
    chosen: dict[str, Any] = {"past": tmp_path / "past", "output": tmp_path / "out", "engine": engine}
    for options, why in (
        ({"keep": "longest"}, "keep first"),
        ({"scheme": "words | shingles:3 | minhash:9 | bands:3x3 cap=5 | resemblance>=0.5"}, "cap="),
        ({"output": None}, "name an output"),
        ({"against": [path]}, "no reference"),
    ):
        with pytest.raises(UsageError, match=why):
            neardup.dedup(str(path), **(chosen | options))
    with pytest.raises(UsageError, match="engine spark"):
        neardup.dedup(str(path), **(chosen | {"engine": None}))
    neardup.dedup(str(path), **chosen)
    with pytest.raises(UsageError, match="the scheme of the past is"):
        neardup.dedup(str(path), **(chosen | {"output": tmp_path / "other", "threshold": "0.5"}))
