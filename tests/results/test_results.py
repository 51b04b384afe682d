"""Results of all verbs: they show themselves, are rows of their main table, and are pickled."""

import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import datasets
import duckdb
import numpy
import pandas
import polars
import pyarrow as pa
import pytest

import neardup
from neardup.results import Table

TEXTS = [
    "the ferry leaves the long stone quay at seven and comes back at noon on market days",
    "The ferry leaves the long stone quay at seven, and comes back at noon on market days!",
    "nobody has ever counted the steps between the harbour and the lighthouse",
]
LINE = "words | shingles:2 | moduli:1 | each | resemblance>=0.5"
VERBS: dict[str, tuple[Callable[..., Any], str]] = {
    "dedup": (neardup.dedup, "decisions"),
    "cluster": (neardup.cluster, "clusters"),
    "pairs": (neardup.find_pairs, "pairs"),
    "passages": (lambda texts, **options: neardup.find_passages(texts, tokens=5, **options), "passages"),
    "sketch": (lambda texts, **options: neardup.sketch(texts, LINE, **options), "sketches"),
}


@pytest.mark.parametrize("name", VERBS)
def test_a_result_has_the_rows_of_its_main_table(name: str) -> None:
    run, main = VERBS[name]
    result = run(TEXTS)
    table = getattr(result, main)
    assert type(table) is Table
    assert len(result) == len(table) > 0
    assert result.column_names == table.column_names
    assert result.to_dict() == table.to_dict()
    assert result.to_arrow().equals(table.to_arrow())
    assert result.to_polars().equals(table.to_polars())
    assert result.to_pandas().equals(table.to_pandas())
    assert polars.DataFrame(result).equals(table.to_polars())
    assert result[0] == table[0]
    assert result[:1] == table[:1]
    assert list(result) == list(table)
    assert result[result.column_names[0]] == table[table.column_names[0]]


@pytest.mark.parametrize("name", VERBS)
def test_a_result_shows_itself(name: str) -> None:
    run, main = VERBS[name]
    result = run(TEXTS)
    assert repr(result).startswith(f"<{type(result).__name__} ")
    assert "documents" in repr(result)
    page = result._repr_html_()
    assert page.startswith(f"<p>&lt;{type(result).__name__} ")
    assert page.endswith(getattr(result, main)._repr_html_())


@pytest.mark.parametrize("is_written", [False, True])
@pytest.mark.parametrize("name", VERBS)
def test_a_pickled_result_is_equal(name: str, is_written: bool, tmp_path: Path) -> None:
    run, main = VERBS[name]
    result = run(TEXTS, output=tmp_path / "out") if is_written else run(TEXTS)
    again = pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(result))))
    assert again == result
    assert hash(again) == hash(result)
    assert (repr(again), again.summary, again.digest, again.output) == (
        repr(result),
        result.summary,
        result.digest,
        result.output,
    )
    assert getattr(again, main) == getattr(result, main)
    assert getattr(again, "kept", None) == getattr(result, "kept", None)
    with pytest.raises(neardup.UsageError, match='there is no table "colour"; there are'):
        again._table("colour")


def test_a_result_without_rows_is_true() -> None:
    result = neardup.find_pairs(TEXTS[1:])
    assert len(result) == 0
    assert result
    assert list(result) == []
    assert repr(result.pairs).startswith("Table of 0 rows")
    assert result._repr_html_().count("<tr>") == 1


def make_relation() -> Any:
    rows = pa.table({"text": TEXTS})  # noqa: F841 - the query finds it by its name
    return duckdb.sql("select * from rows")


GIVEN: dict[str, tuple[Callable[[], Any], Callable[[Any], Any]]] = {
    "records": (lambda: [{"text": text} for text in TEXTS], list),
    "documents": (lambda: [neardup.Document(text) for text in TEXTS], list),
    "columns": (lambda: {"text": TEXTS}, dict),
    "pandas": (lambda: pandas.DataFrame({"text": TEXTS}), lambda kept: kept.to_dict("list")),
    "polars": (lambda: polars.DataFrame({"text": TEXTS}), lambda kept: kept.to_dicts()),
    "polars query": (lambda: polars.LazyFrame({"text": TEXTS}), lambda kept: kept.collect().to_dicts()),
    "pyarrow": (lambda: pa.table({"text": TEXTS}), lambda kept: kept.to_pylist()),
    "reader": (lambda: pa.table({"text": TEXTS}).to_reader(), lambda kept: kept.read_all().to_pylist()),
    "array": (lambda: pa.array(TEXTS), lambda kept: kept.to_pylist()),
    "numpy": (lambda: numpy.array(TEXTS), lambda kept: kept.tolist()),
    "dataset": (lambda: datasets.Dataset.from_dict({"text": TEXTS}), list),
    "streamed": (lambda: datasets.Dataset.from_dict({"text": TEXTS}).to_iterable_dataset(), list),
    "splits": (
        lambda: datasets.DatasetDict(train=datasets.Dataset.from_dict({"text": TEXTS})),
        lambda kept: {name: list(split) for name, split in kept.items()},
    ),
    "several": (lambda: [pa.table({"text": TEXTS})] * 2, lambda kept: [table.to_pylist() for table in kept]),
    "relation": (make_relation, lambda kept: kept.fetchall()),
}


@pytest.mark.parametrize("name", GIVEN)
def test_what_is_kept_survives_pickling(name: str) -> None:
    make, rows = GIVEN[name]
    result = neardup.dedup(make())
    again = pickle.loads(pickle.dumps(result))
    assert type(again.kept) is type(result.kept)
    assert rows(again.kept) == rows(result.kept)
    assert rows(result.kept) == rows(result.kept)


def test_results_of_other_runs_differ() -> None:
    one, other = neardup.dedup(["a b c"]), neardup.dedup(["a b d", "e f g"])
    assert one == pickle.loads(pickle.dumps(one))
    assert one != other
    assert one != neardup.cluster(["a b c"])


def test_a_reading_says_how_far_it_is() -> None:
    reading = neardup.read(["a b c", None])
    assert repr(reading) == "<Reading: 0 documents so far>"
    assert len(list(reading)) == 2
    assert repr(reading) == "<Reading: 2 documents so far>"


def test_groups_of_urls_are_a_table() -> None:
    urls = ["http://a.example/x", "http://a.example/x#y", "http://b.example/"]
    found = neardup.urls.group_urls([neardup.Document("", str(n), url=url) for n, url in enumerate(urls)])
    expected = {"canonical": [urls[0]], "first": ["0"], "size": [2], "urls": [urls[:2]], "kept": ["0"]}
    assert found.to_dict() == found.to_arrow().to_pydict() == found.to_polars().to_dict(as_series=False) == expected
    assert found.to_pandas()["size"].tolist() == [2]
    assert "<td>http://a.example/x</td>" in found._repr_html_()
    none = neardup.urls.group_urls([])
    assert none.to_dict() == {name: [] for name in expected}
