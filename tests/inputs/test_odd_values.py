"""Odd values: they matter only in fields that are used, and errors name the field and the row."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas
import polars
import pytest

import neardup
from neardup.errors import DataError, UsageError

TEXTS = ["the herring fleet came in before the storm", "no one on the quay had seen the light"]
WIDE = 2**100


@pytest.mark.parametrize("kind", [polars.Int128, polars.UInt128])
@pytest.mark.parametrize("make", [polars.DataFrame, polars.LazyFrame])
def test_wide_integers_of_polars(kind: Any, make: Callable[..., Any]) -> None:
    numbers = polars.Series([WIDE, 7], dtype=kind)
    nested = polars.Series([{"m": WIDE}, {"m": 7}], dtype=polars.Struct({"m": kind}))
    given = make({"text": TEXTS, "n": numbers, "s": nested, "t": polars.Series([2020, 1578218400], dtype=kind)})
    kept = neardup.dedup(given).kept
    assert kept.collect_schema() == given.collect_schema()
    assert neardup.dedup(given, id_field="n").decisions["id"] == [str(WIDE), "7"]
    assert [document.time for document in neardup.read(given, time_field="t")] == [2020, 1578218400]
    with pytest.raises(DataError, match=f'field "n" is of type {kind.__name__}'):
        neardup.dedup(given, text_field="n")


def test_objects_in_polars() -> None:
    given = polars.DataFrame({"text": TEXTS, "o": polars.Series([object(), {1}], dtype=polars.Object)})
    assert neardup.dedup(given).kept_rows == [0, 1]
    wrong: list[dict[str, Any]] = [{"id_field": "o"}, {"text_field": "o"}, {"prefer": "o=1"}]
    for options in wrong:
        with pytest.raises(DataError, match='field "o" is of type Object'):
            neardup.dedup(given, **options)


def test_wide_integers_among_objects_of_pandas() -> None:
    given = pandas.DataFrame({"text": TEXTS, "n": pandas.Series([WIDE, 7], dtype=object)})
    assert neardup.dedup(given).kept["n"].tolist() == [WIDE, 7]
    assert neardup.dedup(given, id_field="n").decisions["id"] == [str(WIDE), "7"]
    with pytest.raises(DataError, match=r'row 1: the field "n" is 12676'):
        neardup.dedup(given, text_field="n")
    with pytest.raises(DataError, match=r"row 1: the time 12676"):
        neardup.dedup(given, time_field="n")


TABLES: dict[str, Callable[[dict[str, list[Any]]], Any]] = {
    "columns": dict,
    "records": lambda columns: [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)],
    "pandas": pandas.DataFrame,
}


@pytest.mark.parametrize("kind", TABLES)
def test_lone_surrogates_matter_in_used_fields(kind: str) -> None:
    odd = ["fine", "odd \ud800 half"]
    given = TABLES[kind]({"text": TEXTS, "n": odd, "m": [{"é": [1]}, {"\udc00": ["\udfff"]}]})
    assert neardup.dedup(given).kept_rows == [0, 1]
    for options in (
        {"text_field": "n"},
        {"id_field": "n"},
        {"group_field": "n", "groups": "within"},
        {"prefer": "n=fine"},
        {"prefer": [("n", ["fine"])]},
        {"text_field": "text+n"},
    ):
        with pytest.raises(DataError, match=r'row 2: the field "n" is .* a lone surrogate is no character'):
            neardup.dedup(given, **options)
        found = neardup.dedup(given, on_error="skip", **options)
        assert found.summary["counts"]["rejected"] == 1


@pytest.mark.parametrize(
    ("document", "message"),
    [
        (neardup.Document(TEXTS[0], id=5), "document 2: its id is 5; allowed are str and None"),  # type: ignore[arg-type]
        (neardup.Document(5, id="b"), "document 2: its text is 5; allowed are str"),  # type: ignore[arg-type]
        (neardup.Document(TEXTS[0], "b", url=b"x"), "document 2: its url is b'x'"),  # type: ignore[arg-type]
        (neardup.Document("\ud800", "b"), r"document 2: its text is '\\ud800', which is not UTF-8"),
        (neardup.Document(TEXTS[0], "\ud800"), r"document 2: its id is '\\ud800', which is not UTF-8"),
    ],
)
def test_a_wrong_member_of_a_document_is_named(document: neardup.Document, message: str, tmp_path: Path) -> None:
    documents = [neardup.Document(TEXTS[1], "a"), document]
    with pytest.raises(DataError, match=message):
        neardup.dedup(documents)
    index = neardup.Index.create(tmp_path / "index")
    with pytest.raises(DataError, match=message):
        index.add(documents)
    assert len(index) == 0


def test_columns_of_unequal_length_are_named() -> None:
    with pytest.raises(UsageError, match='column "n" has 1 values, and "text" has 2'):
        neardup.dedup({"text": TEXTS, "n": [1]})


@pytest.mark.parametrize("kind", TABLES)
def test_a_number_among_other_times_is_seconds(kind: str) -> None:
    from datetime import UTC, date, datetime

    for times, seconds in (
        ([2020, "2020-01-01"], [2020, 1577836800]),
        (["2020", 20200105], [1577836800, 20200105]),
        ([datetime(2020, 1, 1, tzinfo=UTC), 1999], [1577836800, 1999]),
        ([date(2020, 1, 1), -7], [1577836800, -7]),
        ([1999, None], [1999, None]),
    ):
        given = TABLES[kind]({"text": TEXTS, "t": times})
        if kind == "pandas":
            given["t"] = pandas.Series(times, dtype=object)
        assert [document.time for document in neardup.read(given, time_field="t")] == seconds
        decided = neardup.dedup(given, time_field="t", on_error="stop").summary
        assert decided["counts"]["documents"] == 2
