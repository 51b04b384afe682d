"""Tables and mappings where documents are given one after another: the names of columns are no documents."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import datasets
import pandas
import polars
import pyarrow as pa
import pytest

import neardup
from relations import relation

TEXTS = ["the lighthouse keeper lit the lamp at dusk", "nobody has counted the steps to the lamp"]
COLUMNS: dict[str, list[Any]] = {"text": TEXTS, "n": [1, 2]}


TABLES: dict[str, Callable[[], Any]] = {
    "dict of columns": lambda: dict(COLUMNS),
    "dict of texts": lambda: dict(zip("ab", TEXTS, strict=True)),
    "pandas": lambda: pandas.DataFrame(COLUMNS),
    "polars": lambda: polars.DataFrame(COLUMNS),
    "polars query": lambda: polars.LazyFrame(COLUMNS),
    "pyarrow": lambda: pa.table(COLUMNS),
    "pyarrow batch": lambda: pa.record_batch(COLUMNS),
    "datasets": lambda: datasets.Dataset.from_dict(COLUMNS),
    "datasets by name": lambda: datasets.DatasetDict(train=datasets.Dataset.from_dict(COLUMNS)),
    "duckdb": lambda: relation(COLUMNS),
    "result": lambda: neardup.dedup(TEXTS),
}


@pytest.mark.parametrize("kind", TABLES)
def test_a_table_is_no_list_of_documents(kind: str, tmp_path: Path) -> None:
    index = neardup.Index.create(tmp_path / "index")
    with neardup.Gate.open(tmp_path / "gate") as gate:
        for add in (index.add, gate.admit_all, neardup.fold):
            given = TABLES[kind]()
            with pytest.raises(neardup.errors.UsageError) as error:
                add(given)
            assert type(given).__name__ in str(error.value)
        assert len(index) == len(gate.index) == 0


@pytest.mark.parametrize("kind", ["pandas", "polars", "pyarrow", "datasets", "datasets by name", "duckdb"])
def test_a_table_is_added_as_it_is_read(kind: str, tmp_path: Path) -> None:
    index = neardup.Index.create(tmp_path / "index")
    index.add(neardup.read(TABLES[kind](), id_field="n"))
    assert [(document.id, document.text) for document in index] == [("1", TEXTS[0]), ("2", TEXTS[1])]


@pytest.mark.parametrize("make", [pandas.Series, polars.Series, list, tuple, iter])
def test_a_column_of_texts_is_a_list_of_them(make: Callable[[list[str]], Any], tmp_path: Path) -> None:
    index = neardup.Index.create(tmp_path / "index")
    index.add(make(TEXTS))
    assert [document.text for document in index] == TEXTS
    assert [folded.best for folded in neardup.fold(make(TEXTS))] == TEXTS


def test_an_index_is_a_list_of_its_documents(tmp_path: Path) -> None:
    index, copy = (neardup.Index.create(tmp_path / name) for name in ("index", "copy"))
    index.add([neardup.Document(text, str(number)) for number, text in enumerate(TEXTS)])
    copy.add(index)
    assert list(copy) == list(index)
