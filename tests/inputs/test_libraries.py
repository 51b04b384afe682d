"""Tables and columns of each library: they are read, and what is kept has the caller's own type."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import date, datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

import datasets
import duckdb
import numpy
import pandas
import polars
import pyarrow as pa
import pytest

import neardup
from neardup.results import Table
from relations import relation

TEXTS = [
    "the ferry leaves the long stone quay at seven and comes back at noon on market days",
    "The ferry leaves the long stone quay at seven, and comes back at noon on market days!",
    "nobody has ever counted the steps between the harbour and the lighthouse",
]
COLUMNS: dict[str, list[Any]] = {"key": ["x", "y", "z"], "body": TEXTS, "number": [1, 2, 3]}
KEPT = {name: [values[0], values[2]] for name, values in COLUMNS.items()}


def stream_of_examples() -> Iterator[dict[str, Any]]:
    yield from pa.table(COLUMNS).to_pylist()


class Stream:
    """A table of an unknown library, which can be read once."""

    def __init__(self) -> None:
        self.reader = pa.table(COLUMNS).to_reader()

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self.reader.__arrow_c_stream__(requested_schema)


TABLES: dict[str, tuple[Callable[[], Any], Callable[[Any], dict[str, list[Any]]]]] = {
    "pyarrow table": (lambda: pa.table(COLUMNS), lambda kept: kept.to_pydict()),
    "pyarrow table in pieces": (
        lambda: pa.concat_tables([pa.table(COLUMNS).slice(0, 1), pa.table(COLUMNS).slice(1)]),
        lambda kept: kept.to_pydict(),
    ),
    "pyarrow batch": (lambda: pa.record_batch(COLUMNS), lambda kept: kept.to_pydict()),
    "pyarrow reader": (lambda: pa.table(COLUMNS).to_reader(2), lambda kept: kept.read_all().to_pydict()),
    "pyarrow structs": (
        lambda: pa.table(COLUMNS).to_struct_array().combine_chunks(),
        lambda kept: pa.Table.from_struct_array(kept).to_pydict(),
    ),
    "pyarrow structs in chunks": (
        lambda: pa.table(COLUMNS).to_struct_array(),
        lambda kept: pa.Table.from_struct_array(kept).to_pydict(),
    ),
    "polars frame": (lambda: polars.DataFrame(COLUMNS), lambda kept: kept.to_dict(as_series=False)),
    "polars query": (lambda: polars.LazyFrame(COLUMNS), lambda kept: kept.collect().to_dict(as_series=False)),
    "polars structs": (
        lambda: polars.DataFrame(COLUMNS).to_struct("rows"),
        lambda kept: kept.struct.unnest().to_dict(as_series=False),
    ),
    "pandas frame": (lambda: pandas.DataFrame(COLUMNS), lambda kept: kept.to_dict("list")),
    "datasets": (lambda: datasets.Dataset.from_dict(COLUMNS), lambda kept: kept.to_dict()),
    "datasets, selected": (
        lambda: datasets.Dataset.from_dict({n: [*v[::-1], *v] for n, v in COLUMNS.items()}).select([5, 4, 3][::-1]),
        lambda kept: kept.to_dict(),
    ),
    "datasets, streamed": (
        lambda: datasets.Dataset.from_dict(COLUMNS).to_iterable_dataset(),
        lambda kept: pa.Table.from_pylist(list(kept)).to_pydict(),
    ),
    "datasets, generated": (
        lambda: datasets.IterableDataset.from_generator(stream_of_examples),
        lambda kept: pa.Table.from_pylist(list(kept)).to_pydict(),
    ),
    "duckdb": (lambda: relation(COLUMNS), lambda kept: kept.to_arrow_table().to_pydict()),
    "numpy records": (
        lambda: numpy.array(list(zip(*COLUMNS.values(), strict=True)), [("key", "O"), ("body", "O"), ("number", "i8")]),
        lambda kept: {name: kept[name].tolist() for name in kept.dtype.names},
    ),
    "records": (lambda: pa.table(COLUMNS).to_pylist(), lambda kept: pa.Table.from_pylist(kept).to_pydict()),
    "columns": (lambda: dict(COLUMNS), lambda kept: dict(kept)),
}
ONE_COLUMN: dict[str, tuple[Callable[[], Any], Callable[[Any], list[str]]]] = {
    "list": (lambda: list(TEXTS), list),
    "pyarrow array": (lambda: pa.array(TEXTS), lambda kept: kept.to_pylist()),
    "pyarrow views": (lambda: pa.array(TEXTS, pa.string_view()), lambda kept: kept.to_pylist()),
    "pyarrow dictionary": (lambda: pa.array(TEXTS).dictionary_encode(), lambda kept: kept.to_pylist()),
    "pyarrow chunks": (lambda: pa.chunked_array([TEXTS[:1], TEXTS[1:]]), lambda kept: kept.to_pylist()),
    "polars": (lambda: polars.Series("titles", TEXTS), lambda kept: kept.to_list()),
    "polars categories": (lambda: polars.Series(TEXTS, dtype=polars.Categorical), lambda kept: kept.to_list()),
    "pandas": (lambda: pandas.Series(TEXTS, name="titles"), lambda kept: kept.to_list()),
    "pandas strings": (lambda: pandas.Series(TEXTS, dtype="string"), lambda kept: kept.to_list()),
    "pandas categories": (lambda: pandas.Series(TEXTS, dtype="category"), lambda kept: kept.to_list()),
    "numpy": (lambda: numpy.array(TEXTS), lambda kept: kept.tolist()),
    "numpy objects": (lambda: numpy.array(TEXTS, dtype=object), lambda kept: kept.tolist()),
}


@pytest.mark.parametrize("name", TABLES)
def test_kept_rows_of_a_table_have_its_type(name: str) -> None:
    make, columns = TABLES[name]
    given = make()
    result = neardup.dedup(given, text_field="body", id_field="key")
    kept: Any = result.kept
    assert type(kept) is type(given)
    assert columns(kept) == KEPT
    assert result.kept_rows == [0, 2]
    assert result.digest == neardup.dedup(pa.table(COLUMNS), text_field="body", id_field="key").digest


@pytest.mark.parametrize("name", TABLES)
def test_each_verb_reads_a_table(name: str) -> None:
    make, _ = TABLES[name]
    assert neardup.find_pairs(make(), text_field="body").pairs.column("left") == ["1:1"]
    assert sorted(neardup.cluster(make(), text_field="body").clusters.column("size")) == [1, 2, 2]
    assert [document.text for document in neardup.read(make(), text_field="body", id_field="key")] == TEXTS
    found = neardup.find_pairs([{"body": TEXTS[2]}], against=make(), text_field="body").pairs
    assert found.column("right") == ["1:3"]


@pytest.mark.parametrize("name", TABLES)
def test_texts_of_a_table_are_cut_in_its_type(name: str) -> None:
    make, columns = TABLES[name]
    lines = [f"Ship {row}.\nShe comes back at noon on every one of the market days of the year." for row in range(3)]
    before = dict(COLUMNS)
    COLUMNS["body"] = lines
    try:
        given = make()
        result = neardup.find_passages(given, tokens=8, text_field="body")
        kept: Any = result.kept
    finally:
        COLUMNS.update(before)
    assert type(kept) is type(given)
    assert columns(kept) == {**COLUMNS, "body": [lines[0], "Ship 1.\n", "Ship 2.\n"]}


@pytest.mark.parametrize("name", ONE_COLUMN)
def test_kept_texts_of_a_column_have_its_type(name: str) -> None:
    make, texts = ONE_COLUMN[name]
    given = make()
    result = neardup.dedup(given)
    kept: Any = result.kept
    assert type(kept) is type(given)
    assert texts(kept) == [TEXTS[0], TEXTS[2]]
    assert getattr(kept, "dtype", None) == getattr(given, "dtype", None)
    assert getattr(kept, "name", None) == getattr(given, "name", None)
    assert neardup.find_pairs(make(), text_field="title").pairs.column("left") == ["1:1"]


def test_a_table_of_another_library_is_returned_as_our_own() -> None:
    kept: Any = neardup.dedup(Stream(), text_field="body").kept
    assert isinstance(kept, Table)
    assert kept.to_dict() == KEPT
    assert neardup.find_pairs(Stream(), text_field="body").pairs.column("left") == ["1:1"]


def test_pandas_keeps_index_and_types() -> None:
    frame = pandas.DataFrame({"text": TEXTS, "n": pandas.array([1, None, 3], "Int64")}, index=["a", "b", "c"])
    kept = neardup.dedup(frame).kept
    pandas.testing.assert_frame_equal(kept, frame.iloc[[0, 2]])
    named = frame.rename_axis("name")
    result = neardup.dedup(named, id_field="name")
    assert result.decisions.column("id") == ["a", "b", "c"]
    pandas.testing.assert_frame_equal(result.kept, named.iloc[[0, 2]])


def test_pandas_columns_that_arrow_refuses_are_no_hindrance() -> None:
    frame = pandas.DataFrame(
        {"text": TEXTS, "mixed": [1, "one", [1]], "more": [{"a": 1}, {"a": "b"}, None], 7: [1, 2, 3]}
    )
    kept = neardup.dedup(frame).kept
    pandas.testing.assert_frame_equal(kept, frame.iloc[[0, 2]])
    twice = pandas.DataFrame([[text, row, row] for row, text in enumerate(TEXTS)], columns=["text", "n", "n"])
    pandas.testing.assert_frame_equal(neardup.dedup(twice).kept, twice.iloc[[0, 2]])


def test_missing_texts_of_pandas_are_blank() -> None:
    for missing in (None, float("nan"), pandas.NA):
        for frame in (pandas.DataFrame({"text": [TEXTS[0], missing]}), pandas.Series([TEXTS[0], missing])):
            counts = neardup.dedup(frame).summary["counts"]
            assert (counts["documents"], counts["without_text"], counts["rejected"]) == (2, 1, 0)


def test_polars_columns_of_nulls_and_of_empty_lists() -> None:
    frame = polars.DataFrame(
        {
            "text": TEXTS,
            "nothing": [None, None, None],
            "lists": [[], [], []],
            "records": [{"a": None, "b": [[]]}, {"a": None, "b": []}, None],
            "objects": [object(), object(), object()],
        }
    )
    kept = neardup.dedup(frame).kept
    assert kept.schema == frame.schema
    assert kept.drop("objects").equals(frame.drop("objects")[[0, 2]])
    blank = neardup.dedup(polars.DataFrame({"text": [None, None]}))
    assert blank.summary["counts"]["without_text"] == 2
    assert neardup.dedup(polars.Series("text", [None, TEXTS[0]])).kept.to_list() == [None, TEXTS[0]]


def test_a_query_of_polars_that_fails() -> None:
    with pytest.raises(neardup.DataError, match=r"the LazyFrame cannot be collected.*missing"):
        neardup.dedup(polars.LazyFrame({"text": TEXTS}).select("missing"))


def test_arrow_columns_of_nulls() -> None:
    result = neardup.dedup(pa.table({"text": pa.nulls(2), "id": ["a", "b"]}), id_field="id")
    assert result.summary["counts"]["without_text"] == 2
    assert result.kept.num_rows == 2


def test_two_columns_of_one_name() -> None:
    table = pa.Table.from_arrays([pa.array(["a", "b", "c"]), pa.array(TEXTS), pa.array(TEXTS)], ["id", "text", "text"])
    with pytest.raises(neardup.DataError, match=r'names the field "text" twice'):
        neardup.dedup(table)
    assert neardup.dedup(table.rename_columns(["more", "text", "more"])).kept.num_rows == 2
    frame = pandas.DataFrame([[text, text] for text in TEXTS], columns=["text", "text"])
    with pytest.raises(neardup.DataError, match=r'names the field "text" twice'):
        neardup.dedup(frame)


def test_a_dataset_keeps_features_format_and_split() -> None:
    features = datasets.Features(
        {"text": datasets.Value("large_string"), "label": datasets.ClassLabel(names=["no", "yes"])}
    )
    rows = {"text": TEXTS, "label": [1, 0, 1]}
    dataset = datasets.Dataset.from_dict(rows, features=features, split=datasets.Split.TEST).with_format("numpy")
    kept = neardup.dedup(dataset).kept
    assert (kept.features, kept.format, kept.split) == (dataset.features, dataset.format, dataset.split)
    cut = neardup.find_passages(dataset, tokens=8).kept
    assert (cut.features, cut.format, cut.split) == (dataset.features, dataset.format, dataset.split)
    streamed = neardup.dedup(dataset.to_iterable_dataset()).kept
    assert streamed.features == features
    assert [row["label"] for row in streamed] == [1, 1]


def test_a_streamed_dataset_of_changing_types() -> None:
    def examples() -> Iterator[dict[str, Any]]:
        for row in range(2500):
            yield {"text": f"{row} " * 5, "seldom": row if row > 2000 else None}

    kept = list(neardup.dedup(datasets.IterableDataset.from_generator(examples)).kept)
    assert len(kept) == 2500
    assert (kept[0]["seldom"], kept[2400]["seldom"]) == (None, 2400)


def test_no_rows() -> None:
    nothing: list[str] = []
    for given in (
        polars.DataFrame({"text": nothing}),
        pandas.DataFrame({"text": nothing}),
        pa.table({"text": pa.array(nothing, pa.string())}),
        datasets.Dataset.from_dict({"text": nothing}),
        duckdb.connect().sql("select 'a' as text where false"),
        {"text": nothing},
        nothing,
    ):
        result: Any = neardup.dedup(given)
        assert len(result.decisions) == 0
        assert type(result.kept) is type(given)
        assert len(result.kept) == (1 if isinstance(given, dict) else 0)


def test_duckdb_keeps_types_and_connection() -> None:
    connection = duckdb.connect()
    connection.execute("create table own as select 1 as n")
    given = connection.sql(
        """select unnest([?, ?, ?]) as text, {'a': [1]} as s, null as z, 'x'::enum('x', 'y') as e, uuid() as u,
           1::hugeint as h, date '2020-01-05' as d, interval 1 day as i, 1.5::decimal(9, 2) as "odd ""name" """,
        params=TEXTS,
    )
    kept = neardup.dedup(given).kept
    assert kept.types == given.types
    assert kept.columns == given.columns
    assert len(kept) == 2
    assert connection.sql("select count(*) from kept, own").fetchall() == [(2,)]
    with pytest.raises(neardup.UsageError, match=r"a connection of DuckDB is no table; give the relation .*`sql`"):
        neardup.dedup(connection.execute("select 'a' as text"))  # type: ignore[call-overload]


def test_values_of_python_in_records() -> None:
    day, moment = date(2020, 1, 5), datetime(2020, 1, 5, 10, 30)  # noqa: DTZ001
    records = [
        {"text": TEXTS[0], "id": UUID(int=1), "t": moment, "n": Decimal("1.5"), "list": [1, "a"], "in": {"a": 1}},
        {"text": TEXTS[1], "id": UUID(int=2), "t": day, "n": 2**70, "list": (), "in": None},
        {"text": TEXTS[2], "id": UUID(int=3), "t": None, "list": None, "in": {"b": b"1"}},
    ]
    result = neardup.dedup(records, id_field="id", time_field="t")
    assert result.decisions.column("original")[0] == str(UUID(int=2))
    result = neardup.dedup(records, id_field="id")
    assert result.decisions.column("id") == [str(UUID(int=number)) for number in (1, 2, 3)]
    assert result.kept == [records[0], records[2]]
    assert result.kept[0] is records[0]


def test_pandas_without_pyarrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    frame = pandas.DataFrame({"text": TEXTS, "n": [1.5, None, 2.5], "day": pandas.to_datetime(["2020-01-05"] * 3)})
    result = neardup.dedup(frame, time_field="day")
    assert result.kept_rows == [0, 2]
    pandas.testing.assert_frame_equal(result.kept, frame.iloc[[0, 2]])


def test_no_library_is_imported_that_the_caller_does_not_use() -> None:
    program = """
import sys, neardup
result = neardup.dedup(["a b c", "A b c", None])
neardup.dedup([{"text": "a b c"}]), repr(result), result._repr_html_(), result[:1], list(result), result.to_dict()
print(sorted({"pyarrow", "polars", "pandas", "numpy", "datasets", "duckdb"} & sys.modules.keys()))
"""
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout == "[]\n"
