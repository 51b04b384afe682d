"""Fields as the world writes them: paths, several texts, partition keys, ids and times of many types."""

import json
import uuid
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as parquet
import pytest
from pyarrow import feather

import neardup
from command import Cli
from neardup import DataError, UsageError
from records import read_jsonl, write_records

LAMP = "a lamp by the quay burns all night long, and nobody knows who lights it"
BREAD = "bread is sold at the corner from six in the morning until the last loaf is gone"
UUIDS = [uuid.UUID(int=2**127 + number) for number in range(2)]


def write_table(path: Path, table: pa.Table) -> Path:
    """Write a table in the format of the suffix."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".parquet":
        parquet.write_table(table, path)
    elif path.suffix == ".csv":
        pyarrow.csv.write_csv(table, path)
    elif path.suffix == ".jsonl":
        write_records(path, table.to_pylist())
    else:
        feather.write_feather(table, path)
    return path


def rows_of(path: Path) -> list[dict[str, Any]]:
    """Read a file that `write_table` wrote."""
    if path.suffix == ".jsonl":
        return read_jsonl(path)
    table = parquet.read_table(path) if path.suffix == ".parquet" else feather.read_table(path)
    rows: list[dict[str, Any]] = table.to_pylist()
    return rows


def kept_ids(inputs: Any, **options: Any) -> list[str]:
    decisions = neardup.dedup(inputs, **options).decisions
    return [
        name
        for name, verdict in zip(decisions.column("id"), decisions.column("verdict"), strict=True)
        if verdict == "keep"
    ]


TIMES: list[tuple[Any, Any]] = [
    ("2020-01-05T10:00:00", "2021-01-05T10:00:00"),
    ("2020-01-05 10:00:00", "2021-01-05 10:00:00"),
    ("2020-01-05 10:00:00+00:00", "2021-01-05 10:00:00+00:00"),
    ("2020-01-05T10:00:00+0100", "2021-01-05T10:00:00+0100"),
    ("2020-01-05T10:00Z", "2021-01-05T10:00Z"),
    ("Sun, 05 Jan 2020 10:00:00 GMT", "Tue, 05 Jan 2021 10:00:00 GMT"),
    ("20200105", "20210105"),
    ("20200105100000", "20210105100000"),
    ("1578218400", "1609840800"),
    (1578218400.5, 1609840800.5),
    (1578218400, "2021-01-05"),
    ("2021-01-05", ""),
]


@pytest.mark.parametrize(("early", "late"), TIMES)
def test_times_of_every_form_are_ordered(early: Any, late: Any, tmp_path: Path) -> None:
    rows = [{"id": "late", "text": LAMP, "t": late}, {"id": "early", "text": LAMP, "t": early}]
    path = write_records(tmp_path / "a.jsonl", rows)
    assert kept_ids(path, id_field="id", time_field="t", keep="earliest") == ["early"]
    if all(isinstance(row["t"], str) for row in rows):
        lines = [f'{row["id"]},{LAMP.replace(",", "")},"{row["t"]}"' for row in rows]
        (tmp_path / "a.csv").write_text("\n".join(["id,text,t", *lines, ""]))
        for table in (tmp_path / "a.csv", pa.Table.from_pylist(rows)):
            assert kept_ids(table, id_field="id", time_field="t", keep="earliest") == ["early"]


def test_times_without_a_zone_are_noted_once(tmp_path: Path) -> None:
    times = ["2020-01-05T10:00:00", "2020-01-05T10:00:00Z", "2021-01-05 10:00"]
    rows = [{"text": f"{LAMP} {at}", "t": time} for at, time in enumerate(times)]
    paths = [write_records(tmp_path / name, rows) for name in ("a.jsonl", "b.jsonl")]
    notes = neardup.dedup(paths, time_field="t").summary["notes"]
    assert [note for note in notes if "zone" in note] == ["4 times have no zone and were read as UTC (time_field)"]
    assert not any("zone" in note for note in neardup.dedup(paths).summary["notes"])


@pytest.mark.parametrize(("unit", "factor"), [("ms", 10**3), ("us", 10**6), ("ns", 10**9)])
def test_the_unit_of_numbers_is_an_option(unit: Any, factor: int, cli: Cli, tmp_path: Path) -> None:
    times = [1609840800, 1578218400]
    rows = [{"id": str(time), "text": LAMP, "t": time * factor} for time in times]
    table = pa.Table.from_pylist(rows)
    files = [write_table(tmp_path / f"a.{suffix}", table) for suffix in ("jsonl", "csv", "parquet")]
    for given in (*files, table):
        assert kept_ids(given, id_field="id", time_field="t", time_unit=unit) == ["1578218400"]
        with pytest.raises(DataError, match=r"after the year 9999.*--time-unit ms"):
            neardup.dedup(given, id_field="id", time_field="t")
    assert [document.time for document in neardup.read(files[0], time_field="t", time_unit=unit)] == times
    out = tmp_path / "out"
    cli("dedup", files[0], "-o", out, "--id-field", "id", "--time-field", "t", "--time-unit", unit)
    assert json.loads((out / "run.json").read_text())["reading"]["time_unit"] == unit
    assert [row["id"] for row in rows_of(out / "kept" / "a.jsonl")] == ["1578218400"]
    assert neardup.evidence(out).summary["verb"] == "evidence"


def test_a_time_whose_order_of_day_and_month_is_unknown_is_refused(tmp_path: Path) -> None:
    path = write_records(tmp_path / "a.jsonl", [{"text": LAMP, "t": "01/05/2020"}])
    with pytest.raises(DataError, match=r'line 1: the time "01/05/2020" is not an RFC 3339 date-time'):
        neardup.dedup(path, time_field="t")


IDS: list[tuple[Callable[[], pa.Array], list[str]]] = [
    (lambda: pa.array([1.0, 2.0]), ["1", "2"]),
    (lambda: pa.array([Decimal("1.50"), Decimal(2)]), ["1.5", "2"]),
    (lambda: pa.array([1, 2], pa.decimal128(38, 0)), ["1", "2"]),
    (lambda: pa.array([one.bytes for one in UUIDS], pa.binary(16)), [str(one) for one in UUIDS]),
    (lambda: pa.array([one.bytes for one in UUIDS], pa.uuid()), [str(one) for one in UUIDS]),
    (lambda: pa.array([one.bytes for one in UUIDS], pa.binary()), [str(one) for one in UUIDS]),
    (lambda: pa.array([b"one", b"two"], pa.large_binary()), ["one", "two"]),
    (lambda: pa.array(["one", "two"]).dictionary_encode(), ["one", "two"]),
    (lambda: pa.array(["one", "two"], pa.string_view()), ["one", "two"]),
]


@pytest.mark.parametrize(("column", "names"), IDS)
def test_ids_of_every_type(column: Callable[[], pa.Array], names: list[str], tmp_path: Path) -> None:
    table = pa.table({"id": column(), "text": [LAMP, BREAD]})
    for given in (table, write_table(tmp_path / "a.parquet", table), write_table(tmp_path / "a.arrow", table)):
        assert kept_ids(given, id_field="id") == names


def test_an_id_that_is_no_whole_number_says_what_to_do(tmp_path: Path) -> None:
    table = pa.table({"id": [1.0, 1.5], "text": [LAMP, BREAD]})
    for given in (table, write_table(tmp_path / "a.parquet", table), write_table(tmp_path / "a.jsonl", table)):
        with pytest.raises(DataError, match=r"is 1.5; an id must be .*: convert it to a string"):
            neardup.dedup(given, id_field="id")
    assert kept_ids(tmp_path / "a.parquet", id_field="id", on_error="skip") == ["1"]


def test_texts_of_every_type_are_kept_as_they_are(cli: Cli, tmp_path: Path) -> None:
    texts = [LAMP, LAMP + ".", BREAD, None]
    layouts = {
        "binary": pa.array([text and text.encode() for text in texts], pa.binary()),
        "large": pa.array(texts, pa.large_string()),
        "view": pa.array(texts, pa.string_view()),
        "dictionary": pa.array(texts).dictionary_encode(),
    }
    for name, column in layouts.items():
        table = pa.table({"id": ["a", "b", "c", "d"], "text": column})
        assert kept_ids(table, id_field="id") == ["a", "c", "d"]
        path = write_table(tmp_path / f"{name}.parquet", table)
        cli("dedup", path, "-o", tmp_path / name, "--id-field", "id")
        kept = parquet.read_table(tmp_path / name / "kept" / path.name)
        whole = parquet.read_table(path).to_pylist()
        assert kept.to_pylist() == [whole[row] for row in (0, 2, 3)]
        assert kept.schema.equals(parquet.read_schema(path))
    empty = pa.table({"id": ["a", "b"], "text": pa.nulls(2)})
    for given in (empty, write_table(tmp_path / "null.parquet", empty)):
        found = neardup.dedup(given, id_field="id")
        assert len(found.decisions) == 2
        assert found.summary["records"]["read"] == 2


def test_binary_that_is_no_text_is_refused(tmp_path: Path) -> None:
    table = pa.table({"text": pa.array([LAMP.encode("utf-16"), BREAD.encode()], pa.binary())})
    for given in (table, write_table(tmp_path / "a.parquet", table)):
        with pytest.raises(DataError, match='row 1: the field "text" is not valid UTF-8: convert it to a string'):
            neardup.dedup(given)
        assert len(neardup.dedup(given, on_error="skip").decisions) == 1


NESTED = [
    {
        "meta": {"id": "a", "t": 2},
        "doc": {"text": LAMP},
        "turns": [{"role": "user", "content": LAMP}, {"content": BREAD}],
    },
    {"meta": {"id": "b", "t": 1}, "doc": {"text": LAMP + "."}, "turns": [{"content": LAMP + "?"}, {"content": BREAD}]},
    {"meta": {"id": "c", "t": 0}, "doc": None, "turns": []},
]


@pytest.mark.parametrize("suffix", ["jsonl", "parquet", "arrow"])
@pytest.mark.parametrize("field", ["doc.text", "turns[].content", "doc.text+turns[].content"])
def test_nested_fields(field: str, suffix: str, tmp_path: Path) -> None:
    table = pa.Table.from_pylist(NESTED)
    path = write_table(tmp_path / f"a.{suffix}", table)
    for given in (path, table):
        options: dict[str, Any] = {"id_field": "meta.id", "text_field": field}
        assert kept_ids(given, **options) == ["a", "c"]
        assert kept_ids(given, **options, time_field="meta.t") == ["b", "c"]
        assert kept_ids(given, **options, prefer="meta.t=1") == ["b", "c"]
    texts = [document.text for document in neardup.read(path, text_field=field)]
    first = {"doc.text": LAMP, "turns[].content": f"{LAMP}\n\n{BREAD}"}.get(field, f"{LAMP}\n\n{LAMP}\n\n{BREAD}")
    assert texts[0] == first
    assert texts[2] == ""
    out = tmp_path / "out"
    neardup.dedup(path, id_field="meta.id", text_field=field, output=out)
    kept = out / "kept" / path.name
    if suffix == "jsonl":
        lines = path.read_bytes().splitlines()
        assert kept.read_bytes().splitlines() == [lines[0], lines[2]]
    else:
        assert [row["meta"]["id"] for row in rows_of(kept)] == ["a", "c"]
    assert len(neardup.evidence(out).passages) == 1


@pytest.mark.parametrize("suffix", ["jsonl", "csv", "parquet", "arrow"])
def test_two_texts(suffix: str, tmp_path: Path) -> None:
    rows = [
        {"id": "a", "title": "The ferry", "body": LAMP},
        {"id": "b", "title": "The ferry", "body": LAMP + "."},
        {"id": "c", "title": None, "body": LAMP},
    ]
    path = write_table(tmp_path / f"a.{suffix}", pa.Table.from_pylist(rows))
    texts = [document.text for document in neardup.read(path, text_field="title+body")]
    assert texts == [f"The ferry\n\n{LAMP}", f"The ferry\n\n{LAMP}.", LAMP]
    assert kept_ids(path, id_field="id", text_field="title+body", threshold=1) == ["a", "c"]
    with pytest.raises(DataError, match=r'no (field|record has the field) "head.*; the fields are'):
        neardup.dedup(path, text_field="head+foot")


def test_own_names_come_first(tmp_path: Path) -> None:
    rows = [{"a.b": LAMP, "a": {"b": "x"}, "c+d": BREAD, "c": "y", "d": "z", "e[]": LAMP, "e": ["w"]}]
    table = pa.Table.from_pylist(rows)
    for suffix in ("jsonl", "parquet"):
        path = write_table(tmp_path / f"a.{suffix}", table)
        for field, text in (("a.b", LAMP), ("c+d", BREAD), ("e[]", LAMP)):
            assert [document.text for document in neardup.read(path, text_field=field)] == [text]


def test_cut_texts_have_a_place(tmp_path: Path) -> None:
    """A text that is nested in a line is cut there; one without a place of its own is refused."""
    lamp, words = LAMP.capitalize(), ("One of these", "Two of those")
    rows = [{"doc": {"text": f"{BREAD}. {lamp}. {word}"}, "t": word, "list": [word]} for word in words]
    lines = write_records(tmp_path / "a.jsonl", rows)
    out = tmp_path / "out"
    neardup.find_passages(lines, text_field="doc.text", tokens=8, output=out)
    first, second = rows_of(out / "kept" / "a.jsonl")
    assert first == rows[0]
    assert second == rows[1] | {"doc": {"text": "Two of those"}}
    table = write_table(tmp_path / "a.parquet", pa.Table.from_pylist(rows))
    for path, field in ((lines, "t+doc.text"), (lines, "list[]"), (table, "doc.text"), (table, "t+doc.text")):
        with pytest.raises(UsageError, match="nested or joined, so that it cannot be cut there"):
            neardup.find_passages(path, text_field=field, tokens=8, output=tmp_path / "refused")
        assert not (tmp_path / "refused").exists()
        neardup.find_passages(
            path, text_field=field, tokens=8, output=tmp_path / "refused", no_kept=True, overwrite=True
        )
        (tmp_path / "refused").rename(tmp_path / f"done-{path.suffix}-{field.replace('[]', '')}")


@pytest.mark.parametrize("suffix", ["jsonl", "csv", "parquet", "arrow"])
def test_partition_keys_are_fields(suffix: str, tmp_path: Path) -> None:
    for src, text in (("wiki", LAMP + "."), ("web%20site", LAMP), ("__HIVE_DEFAULT_PARTITION__", LAMP + "?")):
        table = pa.table({"id": [src], "text": [text]})
        write_table(tmp_path / "in" / f"src={src}" / "day=2020-01-05" / f"part.{suffix}", table)
    folder = tmp_path / "in"
    assert kept_ids(folder, id_field="id", prefer="src=wiki") == ["wiki"]
    assert kept_ids(folder, id_field="id", prefer="src=web site,wiki") == ["web%20site"]
    with pytest.raises(DataError, match=r'"source" .*the fields are .*"src"'):
        neardup.dedup(folder, id_field="id", prefer="source=wiki")
    times = {document.time for document in neardup.read(folder, time_field="day")}
    assert times == {1578182400}
    notes = neardup.dedup(folder, id_field="id", prefer="src=wiki", time_field="day").summary["notes"]
    assert not any("no field" in note for note in notes)
    # The value in the file comes first.
    table = pa.table({"id": ["own"], "text": [LAMP], "src": ["wiki"]})
    write_table(tmp_path / "other" / "src=web" / f"part.{suffix}", table)
    write_table(tmp_path / "other" / "src=web" / f"a.{suffix}", pa.table({"id": ["key"], "text": [LAMP], "src": ["x"]}))
    assert kept_ids(tmp_path / "other", id_field="id", prefer="src=wiki") == ["own"]


def test_what_json_of_python_has_is_kept(tmp_path: Path) -> None:
    lines = [
        f'{{"id":"1","text":"{LAMP}"}}',
        '{"id":"2","text":null,"image":"x.png"}',
        f'{{"id":"3","score":NaN,"text":"{BREAD}"}}',
        f'\ufeff{{"id":"4","text":"{LAMP}.","more":[-Infinity, {{"n":Infinity}}]}}',
        '{"id":"5","text":""}',
    ]
    path = tmp_path / "a.jsonl"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    found = neardup.dedup(path, id_field="id", output=tmp_path / "out")
    assert found.summary["records"]["read"] == 5
    kept = (tmp_path / "out" / "kept" / "a.jsonl").read_text(encoding="utf-8")
    assert kept == "\n".join(lines[:3] + lines[4:]) + "\n"
