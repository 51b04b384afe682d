"""Options of the verbs that also run on Spark."""

import re
import zipfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pyarrow as pa
import pytest

import neardup
from command import Cli
from framed import answer, warc_record, warc_records
from neardup import _core
from neardup.options.table import options_of
from neardup.spark import SparkEngine
from neardup.spark.session.session import task_memory
from neardup.spread.request import CORE
from records import write_records
from spark_session import MACHINE

PACKAGE = Path(neardup.__file__).parent
ELSEWHERE = {"engine", "progress", "notice", "threshold", "recall"}
"""Options that the library handles before Spark."""


@pytest.mark.parametrize("verb", ["dedup", "cluster", "pairs"])
def test_no_option_is_ignored(verb: str) -> None:
    """The code for clusters uses or refuses each option."""
    code = "".join(path.read_text(encoding="utf-8") for path in (PACKAGE / "spread").rglob("*.py"))
    named = {*re.findall(r'"(\w+)"', code), *CORE}
    names = {option.name for option in options_of(verb) if option.in_python}
    assert names - named - ELSEWHERE == set()


def test_an_archive_of_files_is_refused_and_nothing_is_copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with zipfile.ZipFile(tmp_path / "docs.zip", "w") as archive:
        archive.writestr("a.txt", "a lamp by the quay")
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    for given in (tmp_path, tmp_path / "docs.zip"):
        with pytest.raises(neardup.UsageError, match=r"docs\.zip: archives of files are read by one machine"):
            _core.Sources([str(given)], {})
    assert list(Path().iterdir()) == []


@pytest.mark.parametrize(
    ("master", "settings", "memory"),
    [
        ("local[4]", {}, MACHINE // 8),
        ("local[400]", {}, 256 << 20),
        ("yarn", {}, 1 << 30),
        ("yarn", {"spark.executor.cores": "4", "spark.executor.memory": "8G", "spark.task.cpus": "2"}, 4 << 30),
        ("yarn", {"spark.executor.pyspark.memory": "600", "spark.executor.memory": "8gb"}, 600 << 20),
    ],
)
def test_a_task_has_its_share_of_the_memory(
    master: str, settings: dict[str, str], memory: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An executor has one core unless it is stated otherwise."""
    monkeypatch.setattr("neardup._core.machine_memory", MACHINE)
    cores = int(master.partition("[")[2].strip("]") or 2)
    conf: Any = {"spark.executor.cores": "1"} | settings
    context: Any = SimpleNamespace(master=master, defaultParallelism=cores, getConf=lambda: conf)
    assert task_memory(context) == memory


def test_threads_and_a_master(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "docs.jsonl"
    path.write_text('{"text": "a"}\n', encoding="utf-8")
    asked = ("--engine", "spark", "--master", "local[2]", "--threads", 2)
    refused = cli("dedup", path, "-o", tmp_path / "out", *asked, code=2)
    assert "--master" in refused.stderr


@pytest.mark.spark
def test_missing_fields_are_noted(spark: Any, tmp_path: Path) -> None:
    """The deep tier checks all of this on each engine; see the tests of named fields and of needless options."""
    path, bare = tmp_path / "docs.jsonl", tmp_path / "bare.jsonl"
    path.write_text('{"text": "a lamp by the quay", "day": "2024-05-01"}\n', encoding="utf-8")
    bare.write_text('{"text": "a boat by the quay"}', encoding="utf-8")
    chosen: dict[str, Any] = {"prefer": "day=today", "main_content": True, "engine": SparkEngine(spark)}
    notes = neardup.find_pairs([path, bare], **chosen).summary["notes"]
    assert notes[:4] == [
        f'1 record has no field "day" (prefer): {bare.name} 1',
        f"the last line has no line end, so that more may have been cut off: {bare.name}",
        'no record has `today` in the field "day" (prefer)',
        "no input is HTML, so there was no main content to take (main_content)",
    ]
    with pytest.raises(neardup.DataError, match=r'"day" \(prefer\); the fields are "text"'):
        neardup.find_pairs(bare, **chosen)


@pytest.mark.spark
def test_records_of_archives_are_counted_and_named_as_on_one_machine(spark: Any, tmp_path: Path) -> None:
    """The deep tier counts the records of every format on each engine; see the tests of accounting."""
    folder = tmp_path / "in"
    folder.mkdir()
    bodies = ("a lamp by the quay in the fog", "a boat by the quay", "a lamp, by the quay in the fog")
    records = [warc_record("response", answer(body.encode()), number) for number, body in enumerate(bodies)]
    others = [record for record, _ in warc_records()]
    (folder / "a.warc").write_bytes(b"".join([*records, *others]))
    (folder / "b.jsonl").write_text('{"text": "a boat by the quay", "link": "HTTP://B.example/x"}\n', encoding="utf-8")
    engine = SparkEngine(spark)
    for verb, table in ((neardup.dedup, "decisions"), (neardup.find_pairs, "pairs")):
        runs = [verb(folder, url_field="link", engine=by) for by in (None, engine)]
        assert runs[0].summary["records"]["passed_over"] > 0
        for name in ("records", "inputs", "files"):
            assert runs[1].summary[name] == runs[0].summary[name]
        one, other = (pa.table(getattr(run, table)) for run in runs)
        pages = [name for name in one.column_names if name.endswith(("url", "host", "date", "offset", "length"))]
        assert len(pages) in (5, 10)
        assert other.select(pages).to_pylist() == one.select(pages).to_pylist()
        assert other.select(pages).schema.types == one.select(pages).schema.types
    (folder / "a.warc").write_bytes(records[0] + warc_record("revisit", answer(b""), 0))
    with pytest.raises(neardup.DataError, match=r"a\.warc, record 2: .* read by one machine and not on Spark"):
        neardup.dedup(folder, engine=engine)


@pytest.mark.spark
def test_an_output_with_a_lexicon_is_replaced(spark: Any, tmp_path: Path) -> None:
    path = write_records(
        tmp_path / "docs.jsonl", ({"text": f"a lamp by the quay number {number}"} for number in range(9))
    )
    scheme = "words | terms:0.1,0.9 weight=idf:corpus | digest | each | equal"
    chosen: dict[str, Any] = {"scheme": scheme, "output": tmp_path / "out", "engine": SparkEngine(spark)}
    first = neardup.dedup(path, **chosen)
    assert (tmp_path / "out" / "lexicon.parquet").is_file()
    assert neardup.dedup(path, overwrite=True, **chosen).digest == first.digest
