"""Tables of results: what they show, and what they become."""

import pickle
import sys
from decimal import Decimal
from typing import Any

import pandas
import polars
import pyarrow as pa
import pytest

import neardup
from neardup import UsageError, _core
from neardup.results import Table

TEXTS = [f"the ferry number {row // 2} leaves the long stone quay at seven" for row in range(30)]


@pytest.fixture(name="table", scope="module")
def made() -> Table:
    return neardup.dedup(TEXTS).decisions


def test_a_table_is_shown_in_few_lines(table: Table) -> None:
    lines = repr(table).splitlines()
    assert lines[0] == f"Table of 30 rows and {len(table.column_names)} columns"
    assert lines[1].split() == table.column_names
    assert [line.split()[0] for line in lines[2:]] == [
        *(f"1:{row}" for row in range(1, 6)),
        "...",
        "1:26",
        "1:27",
        "1:28",
        "1:29",
        "1:30",
    ]
    assert repr(table[:1]).startswith("Table of 1 row and")


def test_long_and_odd_values_are_shown_on_one_line() -> None:
    rows = Table(
        _core.Table.of_stream(pa.table({"a\nb": ["x" * 100, "two\nlines", None], "<b>": [1.23456, 2.0, float("nan")]}))
    )
    assert len(repr(rows).splitlines()) == 5
    assert "two lines" in repr(rows)
    page = rows._repr_html_()
    assert "<th>&lt;b&gt;</th>" in page
    assert "<td>two lines</td>" in page
    assert f"<td>{'x' * 29}...</td>" in page
    assert page.count("<tr>") == 4


def test_a_notebook_shows_a_small_table(table: Table) -> None:
    page = table._repr_html_()
    assert page.startswith("<table>")
    assert page.count("<tr>") == 12
    assert "<td>1:30</td>" in page


def test_a_table_becomes_one_of_other_libraries(table: Table) -> None:
    columns = table.to_dict()
    assert list(columns) == table.column_names
    assert table.to_arrow().to_pydict() == columns
    assert type(table.to_arrow()) is pa.Table
    assert table.to_polars().to_dict(as_series=False) == columns
    assert type(table.to_polars()) is polars.DataFrame
    assert table.to_pandas()["id"].to_list() == columns["id"]
    assert type(table.to_pandas()) is pandas.DataFrame


@pytest.mark.parametrize("name", ["pyarrow", "polars", "pandas"])
def test_a_missing_library_is_named(name: str, table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(UsageError, match=f"{name} is not installed; install it with: pip install {name}"):
        getattr(table, f"to_{name.removeprefix('py')}")()


def test_pandas_without_pyarrow(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    frame = table.to_pandas()
    assert list(frame.columns) == table.column_names
    assert frame["original"].to_list() == table["original"]


def test_rows_columns_and_slices(table: Table) -> None:
    assert table[0] == {name: values[0] for name, values in table.to_dict().items()}
    assert table[-1]["id"] == "1:30"
    assert table["id"] == table.column("id")
    ids = table["id"]
    for part in (slice(3, 7), slice(None, 2), slice(-4, None), slice(25, 99), slice(7, 3), slice(None)):
        assert table[part]["id"] == ids[part]
        assert type(table[part]) is Table
    assert len(table[10:20][2:5]) == 3
    assert table[10:20][2:5].to_dict() == table[12:15].to_dict()
    assert [row["id"] for row in table] == ids
    assert table[3] in table
    assert {"id": "1:1"} not in table


def test_what_is_not_there_is_named(table: Table) -> None:
    key: Any
    with pytest.raises(IndexError, match="there is no row 30; there are 30"):
        table[30]
    with pytest.raises(IndexError, match="there is no row -31"):
        table[-31]
    with pytest.raises(UsageError, match='there is no column "colour"; there are id, source'):
        table["colour"]
    for key, words in (
        (1.5, "no row 1.5"),
        (None, "no row None"),
        (slice(0, 9, 0), "the step of a slice of a table is 0"),
    ):
        with pytest.raises(UsageError, match=words):
            table[key]


def test_slices_cross_batches() -> None:
    pieces = pa.concat_tables(
        [pa.table({"n": [0, 1, 2]}), pa.table({"n": pa.array([], pa.int64())}), pa.table({"n": [3, 4]})]
    )
    rows = Table(_core.Table.of_stream(pieces))
    for start in range(6):
        for end in range(start, 7):
            assert rows[start:end].to_dict() == {"n": list(range(5))[start:end]}
    assert list(rows[5:]) == []
    assert rows[:0].to_arrow().schema == pieces.schema


def test_a_pickled_table_is_equal(table: Table) -> None:
    for part in (table, table[4:9], table[:0]):
        again = pickle.loads(pickle.dumps(part))
        assert again == part
        assert again.to_arrow().schema == part.to_arrow().schema
    assert table[:3] != table[1:4]


def test_values_of_all_kinds() -> None:
    rows = {
        "small": pa.array([1, None], pa.int8()),
        "half": pa.array([0.5, None], pa.float32()),
        "bytes": pa.array([b"\xff", None], pa.binary()),
        "record": pa.array([{"a": 1, "b": [b"x"]}, None]),
        "lists": pa.array([["a"], None], pa.large_list(pa.string())),
        "codes": pa.array(["a", None]).dictionary_encode(),
        "nothing": pa.nulls(2),
    }
    table = pa.table(rows)
    assert Table(_core.Table.of_stream(table)).to_dict() == table.to_pydict()
    written = pa.table({"day": pa.array([1], pa.date32()), "price": pa.array([Decimal("125.00")], pa.decimal128(9, 2))})
    assert Table(_core.Table.of_stream(written)).to_dict() == {"day": ["1970-01-02"], "price": ["125.00"]}


@pytest.mark.parametrize("part", [slice(None, None, 2), slice(None, None, -1), slice(20, 3, -4), slice(5, 2, 3)])
def test_slices_have_steps(table: Table, part: slice) -> None:
    taken = table[part]
    assert isinstance(taken, Table)
    assert taken["id"] == table["id"][part]
    assert taken["row"] == table["row"][part]
    joined = Table(_core.Table.of_stream(pa.concat_tables([table.to_arrow().slice(0, 7), table.to_arrow().slice(7)])))
    assert joined[part] == taken


def test_characters_that_control_a_terminal_are_shown_by_their_codes() -> None:
    documents = [neardup.Document(text, f"\x1b[31m{number}") for number, text in enumerate(TEXTS)]
    decisions = neardup.dedup(documents).decisions
    for shown in (repr(decisions), decisions._repr_html_()):
        assert "\x1b" not in shown
        assert "<U+001B>[31m0" in shown.replace("&lt;", "<").replace("&gt;", ">")
