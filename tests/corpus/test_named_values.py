"""Values of named fields: groups, numbers and preferences of records, tables and web archives."""

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as parquet
import pytest

import neardup
from framed import Made, answer, warc_record
from neardup import DataError, UsageError
from records import read_jsonl, write_records

LAMP = "a lamp by the quay burns all night long, and nobody knows who lights it"


def archive(folder: Path, urls: list[str]) -> Path:
    records = [
        warc_record("response", answer(LAMP.encode()), number).replace(
            f"http://example.org/{number}\r\n".encode(), f"{url}\r\n".encode()
        )
        for number, url in enumerate(urls)
    ]
    return Made("a.warc", records).write(folder)


def originals(found: Any) -> dict[str, str]:
    return dict(zip(found.decisions.column("id"), found.decisions.column("original"), strict=True))


@pytest.mark.parametrize("value", [["u"], {"name": "u"}])
def test_a_group_is_one_value(value: Any, tmp_path: Path) -> None:
    rows = [{"text": LAMP, "g": "u"}, {"text": LAMP, "g": value}]
    with pytest.raises(DataError, match=r'line 2: the group in the field "g" is an (array|object)'):
        neardup.dedup(write_records(tmp_path / "a.jsonl", rows), group_field="g", groups="within")


def test_whole_numbers_are_one_group(tmp_path: Path) -> None:
    groups: list[dict[str, Any]] = [{"g": 7}, {"g": 7.0}, {"g": 7.5}, {"g": "7"}]
    rows = [{"text": LAMP} | group for group in groups]
    found = neardup.dedup(write_records(tmp_path / "a.jsonl", rows), group_field="g", groups="within")
    assert found.decisions.column("verdict") == ["keep", "drop", "keep", "drop"]


def test_numbers_of_groups_are_compared_by_value(tmp_path: Path) -> None:
    lines = [f'{{"text": "{LAMP}", "g": {value}}}\n' for value in ("0.5", "0.50", "NaN", "NaN", "-Infinity")]
    (tmp_path / "a.jsonl").write_text("".join(lines), encoding="utf-8")
    found = neardup.dedup(tmp_path / "a.jsonl", group_field="g", groups="within")
    # what is no number has no group, as in a table
    assert found.decisions.column("verdict") == ["keep", "drop", "keep", "keep", "keep"]
    assert found.summary["groups"]["without"] == 3


NUMBERS = [float("nan"), 2.0, 1.0]


def test_a_number_that_is_none_is_missing(tmp_path: Path) -> None:
    rows = [{"text": LAMP, "n": number} for number in NUMBERS]
    parquet.write_table(pa.Table.from_pylist(rows), tmp_path / "a.parquet")
    written = "".join(f'{{"text": "{LAMP}", "n": {number}}}\n' for number in ("NaN", 2, 1))
    (tmp_path / "a.jsonl").write_text(written, encoding="utf-8")
    (tmp_path / "a.csv").write_text(f'text,n\n"{LAMP}",NaN\n"{LAMP}",2\n"{LAMP}",1\n', encoding="utf-8")
    for inputs in (tmp_path / "a.parquet", tmp_path / "a.jsonl", tmp_path / "a.csv", pa.Table.from_pylist(rows), rows):
        found: Any = neardup.dedup(inputs, keep="highest:n")
        assert found.decisions.column("verdict") == ["drop", "keep", "drop"]


def test_some_tables_in_memory_lack_a_field() -> None:
    scored, other = [{"text": LAMP, "score": 1}], [{"text": f"{LAMP} now"}]
    tables = {"train": pa.Table.from_pylist(scored), "test": pa.Table.from_pylist(other)}
    found = neardup.dedup(tables, keep="highest:score")
    assert '1 record has no field "score" (keep): test 1' in found.summary["notes"]
    with pytest.raises(DataError, match=r'no record has the field "scores" \(keep\); the fields are "score", "text"'):
        neardup.dedup(tables, keep="highest:scores")
    against = neardup.dedup(pa.Table.from_pylist(scored), against=tables["test"], keep="highest:score")
    assert '1 record has no field "score" (keep)' in " ".join(against.summary["notes"])


def test_fields_of_web_archives(tmp_path: Path) -> None:
    path = archive(tmp_path, ["http://one.example/a", "https://one.example/a", "https://two.example/a"])
    assert set(originals(neardup.dedup(path, prefer="url^=https://")).values()) == {"a.warc:2"}
    assert set(originals(neardup.dedup(path, prefer="host=two.example")).values()) == {"a.warc:3"}
    found = neardup.dedup(path, group_field="host", groups="within")
    assert originals(found) == {"a.warc:1": "a.warc:1", "a.warc:2": "a.warc:1", "a.warc:3": "a.warc:3"}
    for option in ({"time_field": "nonsense"}, {"url_field": "link"}, {"prefer": "lang=en"}, {"group_field": "site"}):
        with pytest.raises(DataError, match=r'no record has the field .*; the fields are "date", "host", "url"'):
            neardup.dedup(path, **option)  # type: ignore[call-overload]
    for option in ({"text_field": "body"}, {"html_field": "page"}):
        with pytest.raises(UsageError, match="web archives have no field"):
            neardup.dedup(path, **option)  # type: ignore[call-overload]
    # Beside other files, each has its own fields.
    rows = write_records(tmp_path / "b.jsonl", [{"body": LAMP, "link": "https://three.example/"}])
    both = neardup.dedup([path, rows], text_field="body", url_field="link")
    assert both.summary["counts"]["kept"] == 1


def test_tables_in_memory_and_web_archives_have_their_own_fields(tmp_path: Path) -> None:
    path, table = archive(tmp_path, ["http://one.example/a"]), pa.table({"body": [LAMP, "quite another text"]})
    found = neardup.dedup(table, text_field="body", against=path)
    assert found.decisions.column("verdict") == ["drop", "keep"]
    assert neardup.dedup(path, text_field="body", against=table).decisions.column("verdict") == ["drop"]
    with pytest.raises(DataError, match='there is no field "bdy"; the fields are "body"'):
        neardup.dedup(table, text_field="bdy", against=path)


def test_a_text_without_fields_has_no_preferred_value(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(LAMP, encoding="utf-8")
    rows = write_records(tmp_path / "b.jsonl", [{"text": LAMP, "split": "test"}])
    found = neardup.dedup([tmp_path / "a.txt", rows], prefer="split=test")
    assert originals(found) == {"a.txt:1": "b.jsonl:1", "b.jsonl:1": "b.jsonl:1"}


def test_a_unit_of_times_needs_a_time(tmp_path: Path) -> None:
    path = write_records(tmp_path / "a.jsonl", [{"text": LAMP, "t": "123456789012"}])
    with pytest.raises(UsageError, match="give time_field"):
        neardup.dedup(path, time_unit="ms")
    with pytest.raises(DataError, match="of digits alone these are 9 to 11, and here are 12"):
        neardup.dedup(path, time_field="t")
    short = write_records(tmp_path / "b.jsonl", [{"text": LAMP, "t": "1578218400"}])
    with pytest.raises(DataError, match="or a number of microseconds since 1970"):
        neardup.dedup(short, time_field="t", time_unit="us")


def test_rejects_are_in_the_order_of_the_records(tmp_path: Path) -> None:
    lines = [
        f'{{"id": "a", "text": "{LAMP}"}}',
        f'{{"id": "a", "text": "{LAMP}"}}',
        "{",
        f'{{"id": "a", "text": "{LAMP}"}}',
    ]
    (tmp_path / "a.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    neardup.dedup(tmp_path / "a.jsonl", id_field="id", on_error="skip", output=tmp_path / "out")
    assert [row["row"] for row in read_jsonl(tmp_path / "out" / "rejects.jsonl")] == [2, 3, 4]


def test_times_without_a_zone_are_counted(tmp_path: Path) -> None:
    path = write_records(
        tmp_path / "a.jsonl", [{"text": LAMP, "t": "2024-05-06T07:08:09"}, {"text": LAMP, "t": "2024-05-06T07:08:09Z"}]
    )
    reading = neardup.read(path, time_field="t")
    assert len(list(reading)) == 2
    assert reading.account.records["flaws"] == {"time without a zone, read as UTC": 1}
