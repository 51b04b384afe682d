"""Lists with items of several types, datasets of pyarrow, and tables of pages with URLs."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import datasets
import pandas
import polars
import pyarrow as pa
import pyarrow.dataset
import pytest

import neardup
from neardup.errors import DataError, UsageError
from neardup.urls import group_urls

ONE = "the dredger worked at night so that the channel stayed open for the mail boat"
TWO = "all letters from the islands were sorted on the deck in every kind of weather"


@pytest.mark.parametrize("at", [0, 1, 2])
def test_none_among_records_is_a_record_without_fields(at: int) -> None:
    records: list[Any] = [{"text": ONE}, {"text": TWO}]
    records.insert(at, None)
    with pytest.raises(DataError, match=f'row {at + 1}: there is no field "text"'):
        neardup.dedup(records)
    assert neardup.dedup(records, on_error="skip").kept == [{"text": ONE}, {"text": TWO}]


@pytest.mark.parametrize("field", ["m.t", "m[].t", "a+b", "o+a", "m.t+a"])
def test_none_among_records_lacks_nested_and_joined_texts(field: str) -> None:
    def record(text: str) -> dict[str, Any]:
        return {"m": [{"t": text}] if "[]" in field else {"t": text}, "a": text, "b": text, "o": None}

    records: list[Any] = [record(ONE), None, record(TWO), None]
    with pytest.raises(DataError, match=rf'row 2: there is no field "{re.escape(field)}"; the fields are m, a, b, o'):
        neardup.dedup(records, text_field=field)
    found = neardup.dedup(records, text_field=field, on_error="skip")
    assert found.kept == [record(ONE), record(TWO)]
    counts = found.summary["counts"]
    assert (counts["documents"], counts["rejected"], counts["without_text"]) == (2, 2, 0)
    # a record without the member is a document without a text
    counts = neardup.dedup([record(ONE), {"z": 1}], text_field=field).summary["counts"]
    assert (counts["documents"], counts["without_text"]) == (2, 1)


def test_a_number_among_texts_is_a_row_that_cannot_be_used() -> None:
    texts: list[Any] = [ONE, 5, b"bytes", TWO]
    with pytest.raises(DataError, match=r'row 2: the field "text" is 5, of type int'):
        neardup.dedup(texts)
    assert neardup.dedup(texts, on_error="skip").kept == [ONE, TWO]


@pytest.mark.parametrize(
    ("items", "message"),
    [
        ([5, 6], "item 1 is int: give"),
        ([{"text": ONE}, 5], "item 2 is int, item 1 dict"),
        ([ONE, {"text": ONE}], "item 2 is dict, item 1 str"),
        ([ONE, TWO, Path("a")], "item 3 is PosixPath, item 1 str"),
        ([neardup.Document(ONE), None], "item 2 is NoneType, item 1 Document"),
        ([ONE, pandas.Series([TWO])], "item 2 is Series, item 1 str"),
    ],
)
def test_items_of_several_kinds_are_counted_from_one(items: list[Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        neardup.dedup(items)


@pytest.mark.parametrize("on_disk", [True, False])
def test_a_dataset_of_pyarrow_is_a_table(on_disk: bool, tmp_path: Path) -> None:
    rows = pa.table({"text": [ONE, ONE, TWO], "n": [1, 2, 3]})
    if on_disk:
        pyarrow.dataset.write_dataset(rows, tmp_path, format="parquet")
    given = pyarrow.dataset.dataset(tmp_path if on_disk else rows)
    kept: Any = neardup.dedup(given).kept
    assert isinstance(kept, pyarrow.dataset.Dataset)
    assert kept.to_table()["n"].to_pylist() == [1, 3]
    kept = neardup.dedup(given.scanner(filter=pyarrow.dataset.field("n") > 1)).kept
    assert isinstance(kept, pyarrow.dataset.Scanner)
    assert kept.to_table().to_pydict() == {"text": [ONE, TWO], "n": [2, 3]}
    assert [document.id for document in neardup.read(given, id_field="n")] == ["1", "2", "3"]
    assert neardup.dedup([TWO], against=given).decisions["verdict"] == ["drop"]


COLUMNS: dict[str, list[Any]] = {
    "url": ["http://a.example/1", "http://b.example/", "http://a.example/1#x"],
    "n": [1, 2, 3],
}
PAGES: dict[str, Callable[[], Any]] = {
    "records": lambda: pa.table(COLUMNS).to_pylist(),
    "iterator of records": lambda: iter(pa.table(COLUMNS).to_pylist()),
    "columns": lambda: COLUMNS,
    "datasets": lambda: datasets.Dataset.from_dict(COLUMNS),
    "datasets, streamed": lambda: datasets.Dataset.from_dict(COLUMNS).to_iterable_dataset(),
    "pandas": lambda: pandas.DataFrame(COLUMNS),
    "polars query": lambda: polars.LazyFrame(COLUMNS),
    "pyarrow dataset": lambda: pyarrow.dataset.dataset(pa.table(COLUMNS)),
}


@pytest.mark.parametrize("kind", PAGES)
def test_pages_of_tables_are_grouped(kind: str) -> None:
    found = group_urls(PAGES[kind](), id_field="n")
    assert [(group.first, group.size) for group in found.groups] == [("1", 2)]
    assert found.summary["records"]["read"] == 3


@pytest.mark.parametrize("at", [0, 1, 2])
def test_none_among_records_of_pages_cannot_be_used(at: int) -> None:
    records: list[Any] = [{"url": "http://a.example/1"}, {"url": "http://a.example/1#x"}]
    records.insert(at, None)
    with pytest.raises(DataError, match=f'row {at + 1}: there is no field "url"'):
        group_urls(records)
    found = group_urls(records, on_error="skip")
    assert ([group.size for group in found.groups], [reject.row for reject in found.rejects]) == ([2], [at + 1])
    for alone in ([None], [neardup.Document(ONE, url="http://a.example/1"), None]):
        with pytest.raises(UsageError, match="pages cannot be read from NoneType"):
            group_urls(alone)


def test_several_tables_of_pages_have_names() -> None:
    table = datasets.Dataset.from_dict(COLUMNS)
    for given, names in ((datasets.DatasetDict(a=table, b=table), "ab"), ([table, table], "12")):
        found = group_urls(given)
        assert [(group.first, group.size) for group in found.groups] == [(f"{names[0]}:1", 4), (f"{names[0]}:2", 2)]
    mixed = [neardup.Document("", "d", url="http://b.example/"), *pa.table(COLUMNS).to_pylist()]
    assert group_urls(mixed).summary["documents"] == 4
    with pytest.raises(UsageError, match="pages cannot be read from int: give paths, tables, records, or all Document"):
        group_urls([5])  # type: ignore[list-item]
