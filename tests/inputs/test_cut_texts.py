"""Texts that `find_passages` cuts in tables and lists: nested, joined, binary and with missing values."""

from collections.abc import Callable, Iterator
from typing import Any

import datasets
import pandas
import polars
import pyarrow as pa
import pytest

import neardup
from relations import relation

LINE = "the harbour master wrote down every ship that passed the mole before the war.\n"
FIRST, SECOND = f"{LINE}He never missed one.", f"{LINE}He missed two."
CUT = "He missed two."


def cut(given: Any, **options: Any) -> Any:
    return neardup.find_passages(given, tokens=10, **options).kept


@pytest.mark.parametrize(
    ("field", "records", "kept"),
    [
        ("m.t", [{"m": {"t": FIRST}}, {"m": {"t": SECOND, "n": 1}, "o": 2}], {"m": {"t": CUT, "n": 1}, "o": 2}),
        ("a.b.t", [{"a.b": {"t": FIRST}}, {"a.b": {"t": SECOND}, "a": {"b": 3}}], {"a.b": {"t": CUT}, "a": {"b": 3}}),
        ("m.t", [{"m.t": FIRST, "m": {"t": "no"}}, {"m.t": SECOND, "m": {"t": "no"}}], {"m.t": CUT, "m": {"t": "no"}}),
        ("a.b.c", [{"a": {"b": {"c": FIRST}}}, {"a": {"b": {"c": SECOND}}}], {"a": {"b": {"c": CUT}}}),
        ("a+b", [{"a+b": FIRST}, {"a+b": SECOND}], {"a+b": CUT}),
        ("7", [{7: FIRST}, {7: SECOND}], {7: CUT}),
    ],
)
def test_one_text_inside_records_is_cut_there(field: str, records: list[dict[Any, Any]], kept: dict[Any, Any]) -> None:
    before = repr(records)
    assert cut(records, text_field=field) == [records[0], kept]
    assert repr(records) == before


def test_the_fields_of_records_are_gathered_once() -> None:
    class Record(dict[str, Any]):
        """A record that counts how often its fields are gone through."""

        walks = 0

        def __iter__(self) -> Iterator[str]:
            self.walks += 1
            return super().__iter__()

    records = [Record(body=FIRST), Record(body=SECOND)]
    assert cut(records, text_field="body") == [records[0], {"body": CUT}]
    assert [record.walks for record in records] == [1, 1]


NESTED: dict[str, list[dict[str, Any]]] = {
    "m.t": [{"m": {"t": FIRST}}, {"m": {"t": SECOND}}],
    "m[].t": [{"m": [{"t": FIRST}]}, {"m": [{"t": SECOND}]}],
    "a+b": [{"a": FIRST, "b": "x"}, {"a": SECOND, "b": "y"}],
}
TABLES: dict[str, Callable[[Any], Any]] = {
    "pyarrow": pa.Table.from_pylist,
    "pyarrow reader": lambda rows: pa.Table.from_pylist(rows).to_reader(),
    "pyarrow structs": lambda rows: pa.Table.from_pylist(rows).to_struct_array(),
    "pandas": pandas.DataFrame,
    "polars": polars.DataFrame,
    "polars query": lambda rows: polars.DataFrame(rows).lazy(),
    "datasets": datasets.Dataset.from_list,
    "several": lambda rows: {"x": pa.Table.from_pylist(rows)},
    "records": list,
}


@pytest.mark.parametrize(
    ("kind", "field"), [(kind, field) for kind in TABLES for field in NESTED if (kind, field) != ("records", "m.t")]
)
def test_texts_that_cannot_be_cut_are_refused_before_the_work(kind: str, field: str) -> None:
    ran: list[str] = []
    with pytest.raises(neardup.errors.UsageError, match=r"nested or joined.*no_kept"):
        cut(TABLES[kind](NESTED[field]), text_field=field, progress=lambda phase, *_: ran.append(phase))
    assert not ran
    found = neardup.find_passages(TABLES[kind](NESTED[field]), tokens=10, text_field=field, no_kept=True)
    assert found.kept is None
    assert len(found.changed) == 1


@pytest.mark.parametrize(
    "texts",
    [
        pandas.Series([FIRST, None, SECOND], dtype="string"),
        pandas.Series([FIRST, None, SECOND], dtype="string[pyarrow]"),
        pandas.Series([FIRST, None, SECOND], dtype=pandas.ArrowDtype(pa.string())),
        pandas.Series([FIRST, pandas.NA, SECOND], dtype=object),
        pandas.Series([FIRST, float("nan"), SECOND], dtype=object),
    ],
    ids=lambda texts: str(texts.dtype),
)
def test_missing_values_of_pandas_stay(texts: Any) -> None:
    for kept in (cut(texts), cut(texts.to_frame("text"))["text"]):
        assert (kept.iloc[0], kept.iloc[2]) == (FIRST, CUT)
        assert kept.iloc[1] is texts.iloc[1] or repr(kept.iloc[1]) == repr(texts.iloc[1])
        assert kept.dtype == texts.dtype


@pytest.mark.parametrize("field", ["body", "m.t"])
@pytest.mark.parametrize("levels", [[], ["key"], [None, "key"]])
def test_texts_in_an_index_of_pandas_are_cut_there(levels: list[str | None], field: str) -> None:
    before = [pandas.Index(["x", "y", "z"], name=name) for name in levels]
    texts = pandas.Index([FIRST, SECOND, None], name=field)
    index = pandas.MultiIndex.from_arrays([*before, texts]) if before else texts
    frame = pandas.DataFrame({"n": [1, 2, 3]}, index)
    kept = cut(frame, text_field=field)
    # a level of several has NaN in the place of None
    assert kept.index.get_level_values(field).fillna("missing").tolist() == [FIRST, CUT, "missing"]
    assert kept.index.names == frame.index.names
    assert all(kept.index.get_level_values(at).equals(level) for at, level in enumerate(before))
    assert kept.reset_index(drop=True).equals(frame.reset_index(drop=True))
    assert frame.index.get_level_values(field).fillna("missing").tolist() == [FIRST, SECOND, "missing"]


BINARY: dict[str, tuple[Callable[[list[Any]], Any], Callable[[Any], list[Any]]]] = {
    "pyarrow": (lambda texts: pa.table({"text": texts}), lambda kept: kept["text"].to_pylist()),
    "pyarrow views": (lambda texts: pa.array(texts, pa.binary_view()), lambda kept: kept.to_pylist()),
    "pandas": (lambda texts: pandas.DataFrame({"text": texts}), lambda kept: kept["text"].tolist()),
    "polars": (lambda texts: polars.DataFrame({"text": texts}), lambda kept: kept["text"].to_list()),
    "polars column": (polars.Series, lambda kept: kept.to_list()),
    "datasets": (lambda texts: datasets.Dataset.from_dict({"text": texts}), lambda kept: kept["text"][:]),
    "duckdb": (lambda texts: relation({"text": texts}), lambda kept: [text for (text,) in kept.fetchall()]),
}


@pytest.mark.parametrize("kind", BINARY)
def test_binary_texts_are_cut_as_bytes(kind: str) -> None:
    make, texts = BINARY[kind]
    accents = f"{LINE}Où est-il ?".encode()
    given = make([FIRST.encode(), None, SECOND.encode(), accents])
    kept = cut(given)
    assert type(kept) is type(given)
    assert texts(kept) == [FIRST.encode(), None, CUT.encode(), "Où est-il ?".encode()]
