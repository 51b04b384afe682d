"""Which document of a group is kept: by the number of a field, by several preferences, by the beginning of a value."""

import json
import math
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as parquet
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import neardup
from command import run_neardup
from neardup import DataError, UsageError
from records import write_records

TEXT = "nobody knows who lights the lamp at the end of the quay, and in the morning it is out again"
VALUES = [None, -1e300, -2.5, -0.0, 0, 0.31, 0.5, 0.92, 12, 97, 1e300]


def originals(found: Any) -> set[str]:
    return set(found.decisions.column("original"))


def write(path: Path, rows: list[dict[str, Any]]) -> Path:
    if path.suffix == ".parquet":
        parquet.write_table(pa.Table.from_pylist(rows), path)
    elif path.suffix == ".csv":
        lines = [",".join("" if value is None else f"{value}" for value in row.values()) for row in rows]
        path.write_text("\n".join([",".join(rows[0]), *lines]) + "\n", encoding="utf-8")
    else:
        write_records(path, rows)
    return path


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(VALUES) | st.floats(allow_nan=False) | st.integers(-(2**60), 2**60), min_size=1))
@example([None, None])
@example([math.inf, -math.inf, None])
def test_the_greatest_or_least_number_decides(numbers: list[float | None]) -> None:
    rows = [{"id": f"{at:03}", "text": TEXT, "score": number} for at, number in enumerate(numbers)]
    table = pa.table(
        {
            "id": [row["id"] for row in rows],
            "text": [TEXT] * len(rows),
            "score": pa.array([None if number is None else float(number) for number in numbers], pa.float64()),
        }
    )
    ordered = {
        "highest": lambda row: (row["score"] is None, -float(row["score"] or 0), row["id"]),
        "lowest": lambda row: (row["score"] is None, float(row["score"] or 0), row["id"]),
    }
    for name, order in ordered.items():
        expected = min(rows, key=order)["id"]
        assert originals(neardup.dedup(table, id_field="id", keep=f"{name}:score")) == {expected}


@pytest.mark.parametrize("suffix", ["jsonl", "csv", "parquet"])
@pytest.mark.parametrize(("keep", "expected"), [("highest:score", "b"), ("lowest:score", "a")])
def test_numbers_of_every_format(suffix: str, keep: str, expected: str, tmp_path: Path) -> None:
    scores = {"a": 0.31, "b": 0.92, "c": 0.5, "d": None}
    rows = [{"id": name, "text": TEXT.replace(",", ""), "score": score} for name, score in scores.items()]
    path = write(tmp_path / f"in.{suffix}", rows)
    found = neardup.dedup(path, id_field="id", keep=keep)
    assert originals(found) == {expected}
    assert found.summary["keep"] == keep
    components = neardup.cluster(path, id_field="id", keep=keep).clusters
    assert set(components.column("leader")) == {expected}


def test_numbers_in_strings_and_decimals(tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [
        {"id": "a", "text": TEXT, "score": "9"},
        {"id": "b", "text": TEXT, "score": " 1e1"},
        {"id": "c", "text": TEXT, "score": ""},
    ]
    assert originals(neardup.dedup(write(tmp_path / "in.jsonl", rows), id_field="id", keep="highest:score")) == {"b"}
    decimals = pa.array([9, 10, None], pa.decimal128(20, 3))
    table = pa.table({"id": ["a", "b", "c"], "text": [TEXT] * 3, "score": decimals})
    assert originals(neardup.dedup(table, id_field="id", keep="highest:score")) == {"b"}


@pytest.mark.parametrize(
    ("value", "named"), [("good", '"good"'), (True, "a truth value"), ([1], "an array"), ("1,5", '"1,5"')]
)
def test_what_is_no_number_is_named(value: Any, named: str, tmp_path: Path) -> None:
    rows = [{"id": "a", "text": TEXT, "score": 1}, {"id": "b", "text": TEXT, "score": value}]
    path = write(tmp_path / "in.jsonl", rows)
    with pytest.raises(DataError) as refused:
        neardup.dedup(path, id_field="id", keep="highest:score")
    assert f"{path.name}, line 2: " in str(refused.value)
    assert f'"score" is {named}' in str(refused.value)
    found = neardup.dedup(path, id_field="id", keep="highest:score", on_error="skip")
    assert found.summary["counts"]["rejected"] == 1


def test_a_field_without_numbers(tmp_path: Path) -> None:
    path = write(tmp_path / "in.jsonl", [{"id": name, "text": TEXT, "score": None} for name in "ba"])
    found = neardup.dedup(path, id_field="id", keep="highest:score")
    assert originals(found) == {"a"}
    assert any('no document has a number in the field "score"' in note for note in found.summary["notes"])
    with pytest.raises(DataError, match=r'"points" \(keep\); the fields are "id", "score", "text"'):
        neardup.dedup(path, id_field="id", keep="lowest:points")


@pytest.mark.parametrize("keep", ["best", "highest", "highest:", "greatest:score", ""])
def test_policies_that_do_not_exist(keep: str, tmp_path: Path) -> None:
    path = write(tmp_path / "in.jsonl", [{"text": TEXT}])
    with pytest.raises(UsageError, match="allowed are earliest, first, latest, longest, shortest, highest:FIELD"):
        neardup.dedup(path, keep=keep)
    done = run_neardup("dedup", path, "-o", tmp_path / "out", "--keep", keep, code=2)
    assert "highest:FIELD" in done.stderr


ROWS: list[dict[str, Any]] = [
    {"id": "a", "text": TEXT, "split": "train", "public": False, "url": "http://x.example/1"},
    {"id": "b", "text": TEXT, "split": "test", "public": False, "url": "https://x.example/1"},
    {"id": "c", "text": TEXT, "split": "test", "public": True, "url": "http://x.example/1"},
    {"id": "d", "text": TEXT, "split": None, "public": True, "url": "https://y.example/1"},
]
PREFERENCES = [
    ["split=test", "public=true"],
    ["public=True", "split=test"],
    ["url^=https://", "split=test"],
    ["split=test", "url^=https://"],
    ["url^=https://y,https://", "split=train"],
    ["split^=t", "url^=https"],
    ["public=false", "url^=HTTPS"],
]


def rank(row: dict[str, Any], preference: str) -> int:
    """Rank a record by one preference, as the documentation says."""
    field, _, values = preference.partition("=")
    ranked = values.split(",")
    value = row[field.removesuffix("^")]
    written = "" if value is None else str(value).lower() if isinstance(value, bool) else value
    if field.endswith("^"):
        return next((at for at, start in enumerate(ranked) if value is not None and written.startswith(start)), 99)
    return next((at for at, one in enumerate(ranked) if value is not None and one.lower() == written.lower()), 99)


@pytest.mark.parametrize("suffix", ["jsonl", "parquet", "csv"])
@pytest.mark.parametrize("prefer", PREFERENCES)
def test_preferences_decide_in_order(prefer: list[str], suffix: str, tmp_path: Path) -> None:
    rows = [row | {"text": TEXT.replace(",", "")} for row in ROWS]
    path = write(tmp_path / f"in.{suffix}", rows)
    expected = min(rows, key=lambda row: ([rank(row, one) for one in prefer], row["id"]))["id"]
    assert originals(neardup.dedup(path, id_field="id", prefer=prefer)) == {expected}
    words = (word for one in prefer for word in ("--prefer", one))
    run_neardup("dedup", path, "-o", tmp_path / "out", "--id-field", "id", *words)
    assert set(parquet.read_table(tmp_path / "out" / "decisions.parquet")["original"].to_pylist()) == {expected}


def test_a_preference_decides_before_the_number(tmp_path: Path) -> None:
    rows = [row | {"score": at} for at, row in enumerate(ROWS)]
    path = write(tmp_path / "in.jsonl", rows)
    assert originals(neardup.dedup(path, id_field="id", prefer="split=test", keep="highest:score")) == {"c"}


def test_preferred_values_that_no_record_has_are_noted(tmp_path: Path) -> None:
    path = write(tmp_path / "in.jsonl", ROWS)
    found = neardup.dedup(path, id_field="id", prefer=["split=dev,test", "url^=ftp://,http://", ("public", ["TRUE"])])
    assert [note for note in found.summary["notes"] if "prefer" in note] == [
        'no record has `dev` in the field "split" (prefer)',
        'no record has a value that begins with `ftp://` in the field "url" (prefer)',
    ]
    with pytest.raises(DataError, match=r'"splt" \(prefer\)'):
        neardup.dedup(path, id_field="id", prefer=["split=test", "splt=test"])


def test_too_many_preferences_are_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "in.jsonl", ROWS)
    with pytest.raises(UsageError, match="prefer has 7 fields; allowed are 6"):
        neardup.dedup(path, prefer=["split=test"] * 7)
    with pytest.raises(UsageError, match="2\\^31 combinations"):
        neardup.dedup(path, prefer=[("split", [f"{at}" for at in range(2000)])] * 3)


def test_the_evidence_of_a_run_knows_its_preferences(tmp_path: Path) -> None:
    path = write(tmp_path / "in.jsonl", ROWS)
    out = tmp_path / "out"
    for prefer in (["split=test"], ["url^=https", "split=test"]):
        neardup.dedup(path, output=out, id_field="id", prefer=prefer, overwrite=True)
        reading = json.loads((out / "run.json").read_text(encoding="utf-8"))["reading"]
        assert reading["prefer"] == (
            ["split", ["test"]] if len(prefer) == 1 else [["url", ["https"], True], ["split", ["test"], False]]
        )
        assert neardup.evidence(out, sample=1)
