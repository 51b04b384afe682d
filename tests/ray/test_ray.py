"""Runs on Ray have the same digests, tables and errors as on one machine."""

import os
import signal
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pyarrow as pa
import pytest
import ray

import neardup
from command import run_process
from neardup import DataError, UsageError
from neardup.ray import RayEngine
from neardup.ray.cluster import RayCluster
from neardup.ray.engine import open_ray
from neardup.ray.steps import RaySteps
from neardup.remote.storage import Storage
from neardup.spread.cluster import StageTask
from records import read_jsonl, write_jsonl
from s3_server import run_s3
from systems import need_linux
from texts import LANGUAGES, corpus

COUNTED = "words | keywords:6,sorted weight=idf:corpus | digest:md5 | each | equal"
DOCS = [doc._replace(id=f"{language}/{doc.id}") for language in list(LANGUAGES)[:3] for doc in corpus(language, 2)]


@pytest.fixture(scope="module")
def engine() -> Iterator[RayEngine]:
    need_linux("Ray")
    with open_ray(2):
        yield RayEngine(forest=5)


def check_same(verb: Any, inputs: Any, engine: RayEngine, **options: Any) -> Any:
    """Run a verb on both engines, check that the results are equal, and return that of Ray."""
    local, spread = verb(inputs, **options), verb(inputs, engine=engine, **options)
    assert spread.digest == local.digest
    for name in set(local._result.tables) - {"kept"}:
        assert pa.table(spread._result.table(name)).to_pylist() == pa.table(local._result.table(name)).to_pylist()
    assert spread.summary["counts"] | {"thin_samples": 0} == local.summary["counts"] | {"thin_samples": 0}
    assert spread.summary["engine"] == "ray"
    return spread


@pytest.mark.parametrize("verb", [neardup.dedup, neardup.cluster, neardup.find_pairs])
def test_verbs_have_the_results_of_one_machine(
    verb: Any, engine: RayEngine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also if every task reads a part of the file, and families are compared in blocks."""
    path = write_jsonl(tmp_path / "docs.jsonl", DOCS)
    monkeypatch.setattr("neardup.spread.run.HOME", path.stat().st_size // 3)
    check_same(verb, str(path), engine, id_field="id", threshold="0.5")


def test_tables_are_sent(engine: RayEngine) -> None:
    table = pa.table({"id": [doc.id for doc in DOCS], "text": [doc.text for doc in DOCS]})
    check_same(neardup.dedup, table, engine, id_field="id", against=[table.slice(0, 9)], threshold="0.3")
    check_same(neardup.cluster, table, engine, id_field="id", scheme=COUNTED)


def test_a_run_with_an_output_resumes(engine: RayEngine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, out = write_jsonl(tmp_path / "docs.jsonl", DOCS), tmp_path / "out"
    steps, keep = list[str](), RaySteps.keep

    def keep_some(kept: RaySteps, name: str, rows: Any) -> None:
        if len(steps) == 1:
            raise KeyboardInterrupt
        keep(kept, name, rows)
        steps.append(name)

    run = partial(neardup.dedup, str(path), id_field="id", output=out)
    with monkeypatch.context() as patched:
        patched.setattr(RaySteps, "keep", keep_some)
        with pytest.raises(KeyboardInterrupt):
            run(engine=engine)
        assert not out.exists()
        steps.extend(["compare-1"] * 9)
    with patch.object(RaySteps, "keep", autospec=True, side_effect=keep) as kept:
        assert run(engine=engine).digest == neardup.dedup(str(path), id_field="id").digest
    assert "sign-1" not in [call.args[1] for call in kept.call_args_list]
    assert {file.name for file in out.iterdir()} == {".neardup", "decisions.parquet", "kept", "run.json"}
    result = neardup.dedup(str(path), id_field="id")
    decided = pa.table(result.decisions).to_pylist()
    kept_ids = [row["id"] for row in decided if row["verdict"] == "keep"]
    assert [doc["id"] for file in sorted((out / "kept").rglob("*.jsonl")) for doc in read_jsonl(file)] == kept_ids


def test_months_are_decided_against_the_past(engine: RayEngine, tmp_path: Path) -> None:
    months = [write_jsonl(tmp_path / f"{month}.jsonl", DOCS[month::3]) for month in range(3)]
    whole = pa.table(neardup.dedup(months, id_field="id", threshold="0.5").decisions).to_pylist()
    rows: list[dict[str, Any]] = []
    for number, month in enumerate(months):
        output = tmp_path / f"out {number}"
        result = neardup.dedup(
            str(month), id_field="id", threshold="0.5", engine=engine, past=tmp_path / "past", output=output
        )
        rows += pa.table(result.decisions).to_pylist()
    for row in (*rows, *whole):
        del row["group_size"]
    assert rows == whole


@dataclass(frozen=True)
class LosingTask(StageTask):
    """A task whose process is killed if it is the first one of a stage that loses one."""

    marks: str = ""
    """A folder of files that say which stages lost one."""
    most: int = 1
    """Number of stages that lose one: the first ones of a run."""

    def rows(self, plan: bytes, lexicon: bytes | None, part: int, packed: list[Any]) -> pa.Table:
        """Do the task, or kill the process."""
        lost = {file.name for file in Path(self.marks).iterdir()}
        if str(self.stage) not in lost and len(lost) < self.most:
            (Path(self.marks) / str(self.stage)).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return super().rows(plan, lexicon, part, packed)


@pytest.mark.parametrize(
    "most", [1, pytest.param(99, marks=pytest.mark.deep("the later stages lose theirs in the same way"))]
)
def test_lost_workers_are_replaced(most: int, engine: RayEngine, tmp_path: Path) -> None:
    """One task of each of the first stages loses its process."""
    path, marks = write_jsonl(tmp_path / "docs.jsonl", DOCS), tmp_path / "marks"
    marks.mkdir()
    # Workers cannot import this module.
    ray.cloudpickle.register_pickle_by_value(sys.modules[__name__])  # type: ignore[no-untyped-call]
    with patch("neardup.spread.cluster.StageTask", partial(LosingTask, marks=str(marks), most=most)):
        spread = neardup.dedup(str(path), id_field="id", threshold="0.3", engine=engine)
    assert spread.digest == neardup.dedup(str(path), id_field="id", threshold="0.3").digest
    assert len(list(marks.iterdir())) >= min(most, 6)


def test_errors_are_those_of_one_machine(engine: RayEngine, tmp_path: Path) -> None:
    path = tmp_path / "docs.jsonl"
    path.write_text('{"id": "a", "text": "a lamp by the quay"}\n{"id": "b", "text": 3}\n', encoding="utf-8")
    with pytest.raises(DataError) as local:
        neardup.dedup(str(path))
    with pytest.raises(DataError) as spread:
        neardup.dedup(str(path), engine=engine, output=tmp_path / "out")
    assert str(spread.value) == str(local.value)
    assert list(tmp_path.iterdir()) == [path]
    with pytest.raises(UsageError, match="on Ray results are in a folder"):
        neardup.dedup(str(path), engine=engine, output="s3a://bucket/out")
    with pytest.raises(UsageError, match="min_tokens is not known on Ray"):
        neardup.dedup(str(path), engine=engine, min_tokens=3)


def test_inputs_may_be_in_an_object_store(engine: RayEngine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_jsonl(tmp_path / "docs.jsonl", DOCS)
    with run_s3() as server:
        monkeypatch.setattr(RayCluster, "storage", lambda _: Storage(tuple(server.settings.items())))
        address = server.write("docs.jsonl", path.read_bytes())
        spread = neardup.dedup(address, id_field="id", engine=engine)
    assert spread.digest == neardup.dedup(str(path), id_field="id").digest


def test_the_command_line_starts_ray(tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "docs.jsonl", DOCS[:20])
    done = run_process("dedup", path, "-o", tmp_path / "out", "--engine", "ray", "--threads", 1, "--json")
    assert neardup.dedup(str(path)).digest in done.stdout
