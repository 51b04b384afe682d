"""A run can write an index with its verdicts, and an index can be an input of the jobs."""

import gzip
import json
import shutil
import subprocess
import time
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa
import pytest

import neardup
from command import run_neardup
from neardup import Index, UsageError, _core
from oracle import Doc
from records import read_rows, write_jsonl, write_records
from stopped import arguments, digest, kill_after, names, state
from texts import LANGUAGES, WORDS, corpus

GOLDEN = Path(__file__).parents[1] / "golden" / "docs.jsonl"
DOCS = [doc._replace(id=f"{language}/{doc.id}") for language in LANGUAGES for doc in corpus(language, 5, families=6)]
EVIDENCE = ("rule", "shared", "id_size", "original_size", "verified")
EQUAL = "lines | terms | whole | prefix:auto | resemblance>=0.9"
TEXT = "the baker of the old town lights the oven at three in the morning and sells the first loaves at half past five"


def check_against(index: Index, rows: list[dict[str, Any]]) -> None:
    """Compare an index with the rows of decisions.parquet."""
    assert len(index) == len(rows) > 0
    for row in rows:
        verdict = index.verdict(row["id"])
        assert verdict.kept == (row["verdict"] == "keep"), row
        assert [row[name] for name in EVIDENCE] == [
            None if verdict.kept else getattr(verdict, name) for name in EVIDENCE
        ]
        assert row["original"] == row["duplicate_id"] == verdict.original
        assert row["group_size"] == len(index.group(row["id"]))


@pytest.mark.parametrize("keep", ["first", "earliest"])
@pytest.mark.parametrize("source", ["golden", "generated"])
def test_verdicts_are_those_of_the_run(tmp_path: Path, source: str, keep: Any) -> None:
    path = GOLDEN if source == "golden" else write_jsonl(tmp_path / "docs.jsonl", DOCS)
    time_field = "created" if source == "golden" else "time"
    fields: dict[str, Any] = {"id_field": "id", "time_field": time_field, "keep": keep}
    for options in ({}, {"recall": "exact"}, {"scheme": "fetterly"}, {"scheme": "simhash"}):
        chosen: dict[str, Any] = {**fields, **options}
        alone = neardup.dedup(path, **chosen)
        done = neardup.dedup(path, output=tmp_path / "out", index=True, overwrite=True, **chosen)
        assert done.digest == alone.digest
        rows = read_rows(tmp_path / "out" / "decisions.parquet")
        index = Index.open(tmp_path / "out")
        assert index.scheme == done.scheme
        check_against(index, rows)
        index.verify()
        assert index.info()["segments"] == 1
        assert index.info()["in_memory"] == 0


@pytest.mark.parametrize(
    "policy",
    [
        {"keep": "longest"},
        {"keep": "shortest"},
        {"keep": "latest", "time_field": "time"},
        {"prefer": "lang=korean,thai", "time_field": "time"},
        {"keep": "lowest:weight"},
    ],
)
def test_an_index_keeps_what_any_policy_keeps(tmp_path: Path, policy: dict[str, Any]) -> None:
    """It takes the documents in policy order, and a document that is added later comes last."""
    records: list[dict[str, Any]] = [
        {"id": doc.id, "text": doc.text, "time": doc.time, "lang": doc.id.split("/")[0], "weight": at * 37 % 11}
        for at, doc in enumerate(DOCS)
    ]
    longest = max(records, key=lambda record: len(record["text"]))
    path = write_records(tmp_path / "docs.jsonl", records)
    neardup.dedup(path, output=tmp_path / "out", index=True, id_field="id", url_field="id", **policy)
    index = Index.open(tmp_path / "out")
    check_against(index, read_rows(tmp_path / "out" / "decisions.parquet"))
    found = {document.id: document for document in index}
    for record in records:
        document = found[record["id"]]
        assert (document.text, document.url, document.time) == (
            record["text"],
            record["id"],
            record["time"] if "time_field" in policy else None,
        )
    added = index.add(neardup.Document(f"{longest['text']} ", "added"))
    assert not added[0].verdict.kept


def test_documents_are_those_of_the_run(tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "docs.jsonl", DOCS)
    records = [
        {**json.loads(line), "url": f"https://a.example/{number}" if number % 3 else None}
        for number, line in enumerate(path.read_text(encoding="utf-8").split("\n")[:-1])
    ]
    write_records(path, records)
    fields = {"id_field": "id", "url_field": "url", "time_field": "time"}
    # the chunks have about one document each, and the index is made chunk by chunk
    options: Any = {**fields, "output": str(tmp_path / "out"), "index": True, "chunk": 4096, "threads": 3}
    _core.run("dedup", [str(path)], options)
    found = {document.id: document for document in Index.open(tmp_path / "out")}
    assert list(found) == [record["id"] for record in records]
    for record in records:
        document = found[record["id"]]
        assert (document.text, document.url, document.time) == (record["text"], record["url"], record["time"])


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of so many documents that writing their index takes a while."""
    random = Random(1)
    families = [" ".join(random.choices(WORDS["english"], k=60)) for _ in range(4000)]
    docs = [Doc(f"{n}-{copy}", f"{text} {copy % 2}", None) for n, text in enumerate(families) for copy in range(3)]
    return write_jsonl(tmp_path_factory.mktemp("many") / "docs.jsonl", docs)


def kill_in_the_index(docs: Path, out: Path, *more: str) -> None:
    """Kill a run as soon as its index contains a document.

    On a busy machine the run may end before this function notices the document; then the run is repeated.
    """
    for _ in range(10):
        with subprocess.Popen([*arguments("dedup", docs, out), *more], stdout=subprocess.DEVNULL) as process:
            while process.poll() is None:
                logs = map(state, (out.parent / f"{out.name}.partial" / "index").glob("log-*"))
                if any(log is not None and log.st_size > 1 << 15 for log in logs):
                    break
                time.sleep(0.001)
            process.kill()
        if not out.exists():
            return
        shutil.rmtree(out)
    pytest.fail("every run ended before it could be killed: use more documents")


@pytest.mark.parametrize("moment", ["found", "index", "written"])
def test_an_interrupted_run_resumes_with_its_index(many: Path, tmp_path: Path, moment: str) -> None:
    whole, out = tmp_path / "whole", tmp_path / "out"
    fields = ("--id-field", "id", "--index")
    run_neardup("dedup", many, "-o", whole, *fields)
    if moment == "index":
        kill_in_the_index(many, out, *fields)
    else:
        kill_after(moment, "dedup", many, out, *fields)
    run_neardup("dedup", many, "-o", out, *fields)
    assert digest(out) == digest(whole)
    assert names(out) == names(whole)
    index = Index.open(out)
    index.verify()
    check_against(index, read_rows(out / "decisions.parquet"))
    assert [document.id for document in index] == [document.id for document in Index.open(whole)]


@pytest.mark.parametrize("first", [True, False])
def test_runs_with_and_without_an_index_do_not_resume_each_other(many: Path, tmp_path: Path, first: bool) -> None:
    """A run with an index and a run without one follow each other; neither resumes the work of the other."""
    out = tmp_path / "out"
    with_index = ["--index"] if first else []
    kill_after("written", "dedup", many, out, "--id-field", "id", *with_index)
    run_neardup("dedup", many, "-o", out, "--id-field", "id", *([] if first else ["--index"]))
    assert (out / "index").exists() != first


def test_clusters_are_those_of_the_run(tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "docs.jsonl", DOCS)
    neardup.cluster(path, output=tmp_path / "out", index=True, id_field="id", keep="first")
    index = Index.open(tmp_path / "out")
    for row in read_rows(tmp_path / "out" / "clusters.parquet"):
        cluster = index.cluster(row["id"])
        assert (cluster[0], len(cluster)) == (row["cluster"], row["size"])
        assert index.verdict(row["id"]).original == row["leader"]


def test_every_kind_of_source(tmp_path: Path) -> None:
    folder = tmp_path / "mixed"
    (folder / "below").mkdir(parents=True)
    (folder / "a.txt").write_text(TEXT, encoding="utf-8")
    (folder / "below" / "b.html").write_text(f"<html><body><p>{TEXT}</p></body></html>", encoding="utf-8")
    write_records(folder / "c.jsonl", [{"text": TEXT.upper()}, {"text": "  "}, {"text": f'"{TEXT}"\n\u00e9\\'}])
    (folder / "d.csv.gz").write_bytes(gzip.compress(f'text\n"{TEXT}, every day"\n'.encode()))
    pa.parquet.write_table(pa.table({"text": [TEXT, "a list of nothing"]}), folder / "e.parquet")
    neardup.dedup(folder, output=tmp_path / "out", index=True)
    rows = read_rows(tmp_path / "out" / "decisions.parquet")
    index = Index.open(tmp_path / "out")
    check_against(index, rows)
    assert [row["id"] for row in rows] == [document.id for document in index]
    assert [document.text for document in index] == [document.text for document in neardup.read(folder)]


def test_skipped_documents_are_not_in_the_index(tmp_path: Path) -> None:
    records = [{"id": "a", "text": TEXT}, {"id": "a", "text": "another of this name"}, {"id": "b", "text": TEXT}]
    path = write_records(tmp_path / "docs.jsonl", [*records, {"id": "c"}])
    neardup.dedup(path, output=tmp_path / "out", index=True, id_field="id", on_error="skip")
    index = Index.open(tmp_path / "out")
    assert [document.text for document in index] == [TEXT, TEXT]
    check_against(index, read_rows(tmp_path / "out" / "decisions.parquet"))


def test_tables_and_texts(tmp_path: Path) -> None:
    texts = [TEXT, TEXT + " daily", "nothing of this kind"]
    neardup.dedup(pa.table({"text": texts}), output=tmp_path / "table", index=True)
    neardup.dedup(texts, output=tmp_path / "texts", index=True)
    for name in ("table", "texts"):
        index = Index.open(tmp_path / name)
        assert [document.text for document in index] == texts
        check_against(index, read_rows(tmp_path / name / "decisions.parquet"))


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"output": None}, "name an output folder"),
        ({"min_tokens": 3}, "compares all documents"),
        ({"one_per": "component"}, "leader rule"),
        ({"against": [GOLDEN]}, "add them to the input"),
        ({"time_field": "created", "id_field": None}, "name the field with the ids, or keep the first"),
        ({"scheme": f"{EQUAL} ; {neardup.plan_scheme()}"}, "several passes"),
        ({"scheme": "words | shingles:5 | whole | each cap=9 over=drop | resemblance>=0.8"}, "over=drop"),
        ({"scheme": "words | terms weight=idf:corpus | simhash:64 | blocks:3 | hamming<=3"}, "lexicon"),
        ({"memory": "200M"}, "too little for the numbers and ids of 26 documents, .* and the index of them; give "),
    ],
)
def test_runs_that_an_index_cannot_repeat(tmp_path: Path, options: dict[str, Any], reason: str) -> None:
    chosen: dict[str, Any] = {"output": tmp_path / "out", "id_field": "id", "index": True, **options}
    with pytest.raises(UsageError, match=reason):
        neardup.dedup(GOLDEN, **chosen)
    assert not (tmp_path / "out").exists()


def test_documents_that_an_index_cannot_hold(tmp_path: Path) -> None:
    pages = write_records(tmp_path / "pages.jsonl", [{"text": TEXT, "url": f"u{n}", "id": f"d{n}"} for n in (1, 2, 1)])
    options: dict[str, Any] = {"output": tmp_path / "out", "index": True}
    with pytest.raises(neardup.DataError, match=r'"pages.jsonl:1" and "pages.jsonl:3" have one URL') as caught:
        neardup.dedup(tmp_path, url_field="url", **options)
    assert "leave out the URL field" in str(caught.value)
    neardup.dedup(pages, **options)
    for name in ("", "#7"):
        write_records(pages, [{"id": "a", "text": "x"}, {"id": name, "text": "y"}])
        with pytest.raises(neardup.DataError, match=f'id "{name}": in an index'):
            neardup.dedup(pages, id_field="id", overwrite=True, **options)


def make_index(folder: Path, docs: list[Doc], policy: Any = "first", **options: Any) -> Index:
    index = Index.create(folder, policy=policy, **options)
    index.add(neardup.Document(doc.text, doc.id, None, doc.time) for doc in docs)
    return index


@pytest.mark.parametrize("policy", ["first", "earliest"])
def test_an_index_is_an_input(tmp_path: Path, policy: Any) -> None:
    path = write_jsonl(tmp_path / "docs.jsonl", DOCS)
    index = make_index(tmp_path / "index", DOCS, policy, threshold="0.7")
    fields: dict[str, Any] = {"id_field": "id", "threshold": "0.7", "keep": policy, "time_field": "time"}
    for verb in (neardup.dedup, neardup.cluster, neardup.find_pairs):
        of_files = verb(path, **fields)
        for given in (index, tmp_path / "index", str(tmp_path / "index")):
            found = verb(given)
            assert (found.digest, found.scheme) == (of_files.digest, of_files.scheme)
        assert verb(index, threshold="0.9").digest == verb(path, **{**fields, "threshold": "0.9"}).digest


def test_an_index_is_read_in_batches(tmp_path: Path) -> None:
    docs = [Doc(f"{number:05}", f"{TEXT} number {number}", number) for number in range(9000)]
    index = make_index(tmp_path / "index", docs)
    index.remove("00007")
    table = pa.table(index)
    assert table.column_names == ["id", "text", "url", "time"]
    assert len(table["id"].chunks) > 1
    assert table["id"].to_pylist() == [doc.id for doc in docs if doc.id != "00007"]
    assert table["time"].cast(pa.int64()).to_pylist()[:3] == [0, 1_000_000, 2_000_000]


def test_several_indexes_are_one_input(tmp_path: Path) -> None:
    make_index(tmp_path / "left", DOCS[:40])
    make_index(tmp_path / "right", DOCS[40:])
    found = neardup.cluster([tmp_path / "left", tmp_path / "right"])
    assert found.digest == neardup.cluster(write_jsonl(tmp_path / "docs.jsonl", DOCS), id_field="id").digest
    with pytest.raises(UsageError, match="an index and files are not one input"):
        neardup.cluster([tmp_path / "left", tmp_path / "docs.jsonl"])
    assert [document.id for document in neardup.read([tmp_path / "left"])] == [doc.id for doc in DOCS[:40]]


def test_an_index_is_a_reference(tmp_path: Path) -> None:
    old, new = DOCS[::2], [doc._replace(id=f"new/{doc.id}") for doc in DOCS[1::2]]
    index = make_index(tmp_path / "index", [*old, *new[:5]])
    index.remove([doc.id for doc in new[:5]])
    path, reference = write_jsonl(tmp_path / "new.jsonl", new), write_jsonl(tmp_path / "old.jsonl", old)
    for verb in (neardup.dedup, neardup.cluster, neardup.find_pairs):
        digest = verb(path, against=reference, id_field="id").digest
        assert digest != verb(path, id_field="id").digest
        for given in (index, tmp_path / "index", [tmp_path / "index"]):
            assert verb(path, against=given, id_field="id").digest == digest
        assert verb([neardup.Document(doc.text, doc.id) for doc in new], against=index).digest == digest
    with pytest.raises(UsageError, match="the reference is an index, whose documents have ids"):
        neardup.dedup(path, against=[tmp_path / "index"])
