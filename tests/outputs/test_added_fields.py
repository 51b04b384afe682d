"""Columns of the decisions as fields of the kept records."""

import csv
import gzip
import io
import json
import random
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as pq
import pytest

import neardup
from command import Cli

COLUMNS = ["duplicate_id", "group_size", "id", "source", "row"]
ADDED = "duplicate_id,group_size,id=document,source,row"
NAMES = ["duplicate_id", "group_size", "document", "source", "row"]
TEXTS = ["a lamp by the quay at dawn", 'a boat, "out" at sea\nin fog', "tar and salt and rope on deck"]


def draw(seed: int, count: int = 50) -> list[str]:
    random_ = random.Random(seed)
    return [random_.choice(TEXTS) if random_.random() < 0.7 else f"text {random_.random()}" for _ in range(count)]


def run(path: Path, output: Path, **options: Any) -> tuple[bytes, list[dict[str, Any]]]:
    """Return the kept file, and the values that the decisions have for its records."""
    result = neardup.dedup(path, output=output, add_fields=ADDED, write_dropped=True, **options)
    table = {name: result.decisions.column(name) for name in [*COLUMNS, "verdict"]}
    rows = [dict(zip(table, row, strict=True)) for row in zip(*table.values(), strict=True)]
    kept = [{name: row[column] for name, column in zip(NAMES, COLUMNS, strict=True)} for row in rows
            if row["verdict"] == "keep"]  # fmt: skip
    return (output / "kept" / path.name).read_bytes(), kept


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("number", [1, 3])
def test_json(tmp_path: Path, packed: bool, number: int) -> None:
    lines = [json.dumps({"n": n, "text": text, "x": {"group_size": [{}]}}).encode() for n, text in enumerate(draw(1))]
    lines[3] += b" \t"
    lines[5] = lines[5].replace(b'"n"', b' "n" ').replace(b"}}", b"} }")
    data = b"\r\n".join(lines)
    path = tmp_path / ("a.jsonl.gz" if packed else "a.jsonl")
    path.write_bytes(gzip.compress(data) if packed else data)
    kept, values = run(path, tmp_path / "out", keep_per_duplicate=number)
    written = (gzip.decompress(kept) if packed else kept).split(b"\r\n")
    assert len(written) - (not written[-1]) == len(values) < len(lines)
    for line, value in zip(written, values, strict=False):
        own = lines[value["row"] - 1]
        assert json.loads(line) == json.loads(own) | value
        head, brace, tail = own.rpartition(b"}")
        assert line.startswith(head + b", ")
        assert line.endswith(brace + tail)
    # the dropped records are as they were
    dropped = (tmp_path / "out/dropped" / path.name).read_bytes()
    dropped = gzip.decompress(dropped) if packed else dropped
    assert set(dropped.split(b"\r\n")) - {b""} <= set(lines)


@pytest.mark.parametrize("suffix", ["csv", "csv.gz"])
def test_csv(tmp_path: Path, suffix: str) -> None:
    file = io.StringIO(newline="")
    writer = csv.writer(file)
    writer.writerow(["n", "text"])
    writer.writerows(enumerate(draw(2)))
    data = b"\xef\xbb\xbf" + file.getvalue().encode()
    path = tmp_path / f"a, b.{suffix}"
    path.write_bytes(gzip.compress(data) if suffix.endswith("gz") else data)
    kept, values = run(path, tmp_path / "out")
    text = (gzip.decompress(kept) if suffix.endswith("gz") else kept).decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    own = list(csv.DictReader(io.StringIO(file.getvalue(), newline="")))
    by_text = {row["n"]: row for row in own}
    assert [{name: row[name] for name in NAMES} for row in rows] == [
        {name: str(value) for name, value in one.items()} for one in values
    ]
    assert [{name: row[name] for name in ("n", "text")} for row in rows] == [by_text[row["n"]] for row in rows]


def test_tsv_has_no_quotes(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_bytes(b'id\ttext\n1\t"x\n2\ty\n3\t"x\n')
    neardup.dedup(tmp_path / "a.tsv", output=tmp_path / "out", id_field="id", add_fields=["duplicate_id", "group_size"])
    kept = (tmp_path / "out/kept/a.tsv").read_bytes()
    assert kept == b'id\ttext\tduplicate_id\tgroup_size\n1\t"x\t1\t2\n2\ty\t2\t1\n'


def test_a_value_that_tsv_cannot_hold_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in/a.jsonl").write_text('{"id": "a\\tb", "text": "x y"}\n', encoding="utf-8")
    (tmp_path / "in/b.tsv").write_text("id\ttext\n1\tx y\n2\tz\n", encoding="utf-8")
    options: dict[str, Any] = {"id_field": "id", "add_fields": "duplicate_id", "output": tmp_path / "out"}
    with pytest.raises(neardup.DataError, match=r'b\.tsv, line 2: the field "duplicate_id" would be "a\\tb"'):
        neardup.dedup(tmp_path / "in", keep_per_duplicate=2, **options)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("kind", ["parquet", "arrow"])
def test_columns(tmp_path: Path, kind: str) -> None:
    texts = draw(3)
    table = pa.table(
        {"n": pa.array(range(len(texts)), pa.int16()), "text": pa.array(texts).dictionary_encode(),
         "more": [{"row": [n]} for n in range(len(texts))]},
        metadata={"made": "here"},
    )  # fmt: skip
    path = tmp_path / f"a.{kind}"
    if kind == "parquet":
        pq.write_table(table, path, row_group_size=7, compression="zstd")
    else:
        feather.write_feather(table, str(path), chunksize=7)
    kept, values = run(path, tmp_path / "out")
    written = pq.read_table(io.BytesIO(kept)) if kind == "parquet" else feather.read_table(io.BytesIO(kept))
    assert written.select(NAMES).to_pylist() == values
    own, read = written.drop_columns(NAMES), pq.read_table(path) if kind == "parquet" else feather.read_table(str(path))
    assert own.schema.equals(read.schema, check_metadata=True)
    assert own.to_pylist() == read.take([value["row"] - 1 for value in values]).to_pylist()
    assert [written.schema.field(name).type for name in NAMES] == [
        pa.string(), pa.int64(), pa.string(), pa.string(), pa.int64()
    ]  # fmt: skip
    if kind == "parquet":
        assert pq.ParquetFile(io.BytesIO(kept)).metadata.row_group(0).column(0).compression == "ZSTD"


def test_a_parquet_file_without_an_arrow_schema(tmp_path: Path) -> None:
    pq.write_table(pa.table({"text": TEXTS}), tmp_path / "a.parquet", store_schema=False)
    kept, values = run(tmp_path / "a.parquet", tmp_path / "out")
    assert pq.read_table(io.BytesIO(kept)).to_pylist() == [
        {"text": text} | value for text, value in zip(TEXTS, values, strict=True)
    ]


def test_rejected_records_leave(tmp_path: Path) -> None:
    lines = ['{"id": 1, "text": "a"}', "broken", '{"id": 1, "text": "b"}', '{"id": 2, "text": null}', '{"id": 3}']
    (tmp_path / "a.jsonl").write_text("\n\n".join(lines), encoding="utf-8")
    options: dict[str, Any] = {"id_field": "id", "on_error": "skip", "output": tmp_path / "out"}
    result = neardup.dedup(tmp_path / "a.jsonl", add_fields="group_size", **options)
    kept = (tmp_path / "out/kept/a.jsonl").read_text(encoding="utf-8")
    assert kept.count("group_size") == result.summary["counts"]["kept"]
    assert kept.startswith('{"id": 1, "text": "a", "group_size": 1}\n')


@pytest.mark.parametrize("kind", ["jsonl", "csv", "parquet"])
def test_a_field_that_is_there_is_an_error_that_names_it(tmp_path: Path, kind: str) -> None:
    path = tmp_path / f"a.{kind}"
    if kind == "parquet":
        pq.write_table(pa.table({"text": ["a"], "group_size": [1]}), path)
    else:
        path.write_text({"jsonl": '{"text": "a", "group_size": 1}', "csv": "text,group_size\na,1"}[kind])
    with pytest.raises(neardup.DataError, match=rf'a\.{kind}: there is a field "group_size" already.*COLUMN=NAME'):
        neardup.dedup(path, output=tmp_path / "out", add_fields="group_size")
    result = neardup.dedup(path, output=tmp_path / "out", add_fields="group_size=copies")
    assert result.summary["counts"]["kept"] == 1


def test_a_later_record_that_has_the_field_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"text": "a"}\n{"text": "b", "r\\u006fw": 1}\n', encoding="utf-8")
    with pytest.raises(neardup.DataError, match=r'a\.jsonl, line 2: there is a field "row" already'):
        neardup.dedup(tmp_path / "a.jsonl", output=tmp_path / "out", add_fields="row")
    assert not (tmp_path / "out").exists()


def test_what_has_no_fields_is_refused(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("a lamp", encoding="utf-8")
    done = cli("dedup", tmp_path / "a.txt", "-o", tmp_path / "out", "--add-fields", "id", code=2)
    assert "a.txt: fields cannot be added" in done.stderr
    assert ".jsonl" in done.stderr
    with pytest.raises(neardup.UsageError, match="name an output"):
        neardup.dedup(["a lamp"], add_fields="id")
    with pytest.raises(neardup.UsageError, match="no_kept"):
        neardup.dedup(tmp_path / "a.txt", add_fields="id", no_kept=True, output=tmp_path / "out")
    for wrong, message in (("size", "allowed are duplicate_id, group_size, id, source, row"), ("id=", "no name")):
        with pytest.raises(neardup.UsageError, match=message):
            neardup.dedup(tmp_path / "a.txt", add_fields=wrong, output=tmp_path / "out")


def test_digests_do_not_depend_on_added_fields(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"text": "a"}\n' * 3, encoding="utf-8")
    runs = [neardup.dedup(tmp_path / "a.jsonl", output=tmp_path / f"{one}", add_fields=one) for one in (None, "id")]
    assert runs[0].digest == runs[1].digest
