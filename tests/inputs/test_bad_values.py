"""Values that are no texts: the error names the row or the argument, and what is allowed."""

from collections.abc import Callable
from typing import Any

import numpy
import pandas
import pytest

import neardup

TEXT = "the ferry leaves the long stone quay at seven and comes back at noon on market days"
ROWS: dict[str, Callable[[Any], Any]] = {
    "pandas frame": lambda value: pandas.DataFrame({"text": [TEXT, value, TEXT]}),
    "pandas series": lambda value: pandas.Series([TEXT, value, TEXT]),
    "records": lambda value: [{"text": TEXT}, {"text": value}, {"text": TEXT}],
    "columns": lambda value: {"text": [TEXT, value, TEXT]},
    "numpy": lambda value: objects([TEXT, value, TEXT]),
}


def objects(values: list[Any]) -> Any:
    array = numpy.empty(len(values), dtype=object)
    for at, value in enumerate(values):
        array[at] = value
    return array


@pytest.mark.parametrize("value", [5, 2.5, True, b"bytes", ("a", "b"), {"a": 1}])
@pytest.mark.parametrize("name", ROWS)
def test_a_value_among_texts_is_named(name: str, value: Any) -> None:
    given = ROWS[name](value)
    kind = type(value).__name__
    with pytest.raises(neardup.DataError, match=rf'row 2: the field "text" is .*, of type {kind}; allowed are texts'):
        neardup.dedup(given)
    result = neardup.dedup(given, on_error="skip")
    counts = result.summary["counts"]
    assert (counts["documents"], counts["rejected"], counts["dropped"]) == (2, 1, 1)
    assert result.kept_rows == [0]
    assert len(neardup.find_passages(given, tokens=8, on_error="skip").kept) >= 1


def test_a_record_without_a_field_is_named() -> None:
    records: list[dict[str, Any]] = [{"id": 1, "text": TEXT}, {"id": 2}, {"text": TEXT}]
    with pytest.raises(neardup.DataError, match=r'row 2: there is no field "text"; the fields are id, text'):
        neardup.dedup(records)
    with pytest.raises(neardup.DataError, match=r'row 3: there is no field "id"'):
        neardup.dedup([{"id": 1, "text": TEXT}, {"id": 2, "text": None}, {"text": TEXT}], id_field="id")
    result = neardup.dedup(records, id_field="id", on_error="skip")
    assert result.kept == records[:1]
    assert result.summary["counts"]["rejected"] == 2
    with pytest.raises(neardup.NeardupError, match=r'no field "body".*"id", "text"'):
        neardup.dedup(records, text_field="body")


def test_ids_of_numbers_and_texts() -> None:
    records: list[dict[str, Any]] = [{"id": 1, "text": TEXT}, {"id": "b", "text": TEXT}]
    assert neardup.dedup(records, id_field="id").decisions.column("id") == ["1", "b"]


WRONG: list[tuple[Callable[[], Any], str]] = [
    (lambda: neardup.dedup(None), "documents cannot be read from NoneType: give a path"),
    (lambda: neardup.dedup(3), "documents cannot be read from int"),
    (lambda: neardup.dedup(b"text"), "documents cannot be read from bytes"),
    (lambda: neardup.dedup([b"text"]), "item 1 is bytes"),
    (lambda: neardup.dedup([{"text": TEXT}, TEXT]), "item 2 is str"),
    (lambda: neardup.dedup([neardup.Document(TEXT), None]), "item 2 is NoneType"),
    (lambda: neardup.dedup(numpy.array([[TEXT]])), "an array of 2 dimensions"),
    (lambda: neardup.dedup(TEXT), "is one str, which names a file: give a list of texts"),
    (lambda: neardup.find_pairs("two lines\nof text"), "is one str, which names a file: give a list of texts"),
    (lambda: neardup.explain(TEXT, None), "right is None; allowed are (text, Document|Document, text)"),  # type: ignore[arg-type]
    (lambda: neardup.explain(5, TEXT), "left is 5; allowed are (text, Document|Document, text)"),  # type: ignore[arg-type]
]


@pytest.mark.parametrize("number", range(len(WRONG)))
def test_an_argument_is_named(number: int) -> None:
    call, words = WRONG[number]
    with pytest.raises(neardup.UsageError, match=words):
        call()


def test_lists_with_none() -> None:
    result = neardup.dedup([TEXT, None, TEXT, None])
    assert result.kept == [TEXT, None, None]
    assert result.summary["counts"]["without_text"] == 2
    assert neardup.dedup([None, TEXT]).kept == [None, TEXT]
    assert neardup.dedup(text for text in [TEXT, None]).kept == [TEXT, None]


def test_a_value_among_nested_texts_is_named() -> None:
    records: list[dict[str, Any]] = [{"turns": [{"text": TEXT}]}, {"turns": [{"text": TEXT}, {"text": 5}]}]
    with pytest.raises(neardup.DataError, match=r'row 2: the field "turns.text" has a value of type int'):
        neardup.dedup(records, text_field="turns[].text")


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"id_field": "id", "url_field": "u", "time_field": "t"},
        {"group_field": "g"},
        {"keep": "highest:n"},
        {"prefer": ["x=1", "y^=z"]},
        {"text_field": "a.b"},
        {"text_field": "a+b"},
    ],
)
def test_an_empty_list_has_no_documents(options: dict[str, Any]) -> None:
    found = neardup.dedup([], **options)
    assert (found.kept, len(found.decisions)) == ([], 0)
