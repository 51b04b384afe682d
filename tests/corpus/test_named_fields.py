"""Fields named by options: a field that no record has is refused, and one that some records lack is noted."""

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as parquet
import pytest
from pyarrow import feather

import neardup
from neardup import DataError, UsageError
from records import write_records

LAMP = "a lamp by the quay burns all night long, and nobody knows who lights it"
ROWS = [
    {"id": f"d{at}", "text": LAMP, "day": f"2024-05-0{5 - at}", "link": f"http://a.example/{at}"} for at in range(4)
]
OPTIONS: list[tuple[dict[str, str], str]] = [
    ({"time_field": "updated"}, '"updated" (time_field)'),
    ({"url_field": "address"}, '"address" (url_field)'),
    ({"prefer": "split=test"}, '"split" (prefer)'),
]


NAMES = [["a.jsonl"], ["a.csv"], ["a.parquet"], ["a.arrow"], ["a.csv", "b.parquet"], ["a.jsonl", "b.csv"]]


def write(path: Path, rows: list[dict[str, Any]]) -> Path:
    """Write rows in the format of the suffix of a file; the columns of CSV are those of the first row."""
    if path.suffix == ".jsonl":
        return write_records(path, rows)
    if path.suffix == ".parquet":
        parquet.write_table(pa.Table.from_pylist(rows), path)
        return path
    if path.suffix == ".arrow":
        feather.write_feather(pa.Table.from_pylist(rows), path)
        return path
    lines = [",".join(rows[0]), *(",".join(f'"{value or ""}"' for value in row.values()) for row in rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def missing_fields(found: Any) -> list[str]:
    return [note for note in found.summary["notes"] if "no field" in note]


@pytest.mark.on_spark(0)
@pytest.mark.parametrize("names", NAMES)
@pytest.mark.parametrize(("option", "field"), OPTIONS)
def test_a_field_that_no_record_has_is_refused(
    option: dict[str, Any], field: str, names: list[str], engine: Any, tmp_path: Path
) -> None:
    paths = [write(tmp_path / name, ROWS[at::2]) for at, name in enumerate(names)]
    with pytest.raises(DataError, match=r"no field|no record has") as refused:
        neardup.dedup(paths, id_field="id", output=tmp_path / "out", engine=engine, **option)
    assert field.partition(" ")[0] in str(refused.value)
    assert str(refused.value).endswith('the fields are "day", "id", "link", "text"') or len(names) == 1
    assert all(f'"{name}"' in str(refused.value) for name in ROWS[0])
    assert not (tmp_path / "out").exists()


@pytest.mark.on_spark(0)
def test_a_reference_has_fields_as_well(engine: Any, tmp_path: Path) -> None:
    rows = [{**row, "updated": row["day"]} for row in ROWS]
    inputs, against = write(tmp_path / "a.jsonl", ROWS[:2]), write(tmp_path / "b.jsonl", rows[2:])
    found = neardup.dedup(inputs, against=[Path(against)], id_field="id", time_field="updated", engine=engine)
    assert missing_fields(found) == [f'2 records have no field "updated" (time_field): {inputs.name} 2']


@pytest.mark.on_spark(0)
@pytest.mark.parametrize("suffix", ["jsonl", "csv", "parquet", "arrow"])
def test_records_without_a_field_are_counted_by_file(suffix: str, engine: Any, tmp_path: Path) -> None:
    """The earliest document is kept; documents without a time come last."""
    bare = [{"id": "first", "text": LAMP}, {"id": "second", "text": LAMP}]
    paths = [write(tmp_path / f"a.{suffix}", bare), write(tmp_path / f"b.{suffix}", ROWS)]
    chosen: dict[str, Any] = {"id_field": "id", "time_field": "day", "url_field": "link", "engine": engine}
    found = neardup.dedup(paths, prefer="link=x", **chosen)
    assert pa.table(found.decisions).column("original").to_pylist() == ["d3"] * 6
    assert missing_fields(found) == [
        f'2 records have no field "link" (url_field): {paths[0].name} 2',
        f'2 records have no field "day" (time_field): {paths[0].name} 2',
        f'2 records have no field "link" (prefer): {paths[0].name} 2',
    ]
    again = neardup.dedup(paths, id_field="id", time_field="day", output=tmp_path / "out")
    assert len(neardup.evidence(tmp_path / "out").passages) == 5
    assert again.digest == neardup.dedup(paths[::-1], id_field="id", time_field="day").digest


@pytest.mark.on_spark(0)
def test_files_of_text_have_no_fields(engine: Any, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    for number in range(7):
        (tmp_path / "in" / f"{number}.txt").write_text(f"{LAMP}, says {number}", encoding="utf-8")
    with pytest.raises(DataError, match=r'no record has the field "day" \(time_field\); the fields are none'):
        neardup.dedup(tmp_path / "in", time_field="day", engine=engine)
    write(tmp_path / "in" / "z.jsonl", [{"text": LAMP, "day": None}])
    found = neardup.dedup(tmp_path / "in", time_field="day", engine=engine)
    five = ", ".join(f"{number}.txt 1" for number in range(5))
    assert missing_fields(found) == [f'7 records have no field "day" (time_field): {five}, 2 more files']


@pytest.mark.on_spark(0)
@pytest.mark.parametrize("name", ["a.jsonl", "a.csv"])
def test_a_null_field_is_not_missing(name: str, engine: Any, tmp_path: Path) -> None:
    rows = [{"text": LAMP, "day": None}, {"text": LAMP, "day": None}]
    path = write(tmp_path / name, rows)
    assert missing_fields(neardup.dedup(path, time_field="day", engine=engine)) == []
    notes = neardup.dedup(path, time_field="day", keep="earliest", engine=engine).summary["notes"]
    assert any("no document has a time" in note for note in notes)


@pytest.mark.on_spark(0)
def test_missing_preferred_values_and_line_ends_are_noted(engine: Any, tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", ROWS)
    path.write_bytes(path.read_bytes()[:-1])
    other = write(tmp_path / "b.jsonl", [{**row, "id": f"b{row['id']}"} for row in ROWS])
    found = neardup.dedup([path, other], id_field="id", prefer="day=2024-05-04,today,2024-05-04,later", engine=engine)
    notes = [note for note in found.summary["notes"] if "prefer" in note or "line end" in note]
    assert notes == [
        f"the last line has no line end, so that more may have been cut off: {path.name}",
        'no record has `today`, `later` in the field "day" (prefer)',
    ]


@pytest.mark.on_spark(0)
@pytest.mark.parametrize("option", ["time_field", "url_field", "prefer"])
def test_every_table_in_memory_has_the_named_fields(option: str, engine: Any) -> None:
    table = pa.Table.from_pylist([{"id": str(number), "text": f"{LAMP} {number}"} for number in range(3)])
    chosen: dict[str, Any] = {option: "updated=1" if option == "prefer" else "updated"}
    with pytest.raises((DataError, UsageError), match="updated"):
        neardup.dedup(table, id_field="id", engine=engine, **chosen)


@pytest.mark.parametrize("field", ["text", "id"])
def test_two_columns_of_one_name_are_refused(field: str, tmp_path: Path) -> None:
    columns = [pa.array(["a", "b"]), pa.array(["c", "d"]), pa.array(["e", "f"])]
    table = pa.Table.from_arrays(columns, ["text", "id", field])
    parquet.write_table(table, tmp_path / "a.parquet")
    for given in (table, tmp_path / "a.parquet"):
        with pytest.raises(DataError, match=f'the table names the field "{field}" twice'):
            neardup.dedup(given, id_field="id")
    assert (
        len(
            neardup.dedup(
                table.select([1 if field == "text" else 0]), text_field=table.column_names[1 if field == "text" else 0]
            ).decisions
        )
        == 2
    )
