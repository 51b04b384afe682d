"""Several tables as one corpus: splits by name, and lists of tables."""

from pathlib import Path
from typing import Any

import datasets
import pandas
import polars
import pyarrow as pa
import pytest

import neardup
from neardup import _core

TEXTS = [
    "the ferry leaves the long stone quay at seven and comes back at noon on market days",
    "nobody has ever counted the steps between the harbour and the lighthouse",
    "the bakery at the corner has been closed since the owner moved to the coast in spring",
]
TRAIN, TEST = [TEXTS[0], TEXTS[1], TEXTS[0] + "!"], [TEXTS[1] + ".", TEXTS[2]]


def splits() -> datasets.DatasetDict:
    return datasets.DatasetDict(
        {"train": datasets.Dataset.from_dict({"text": TRAIN}), "test": datasets.Dataset.from_dict({"text": TEST})}
    )


def test_splits_are_one_corpus_with_their_names_as_sources() -> None:
    result = neardup.dedup(splits())
    decisions = result.decisions
    assert decisions.column("source") == ["train", "train", "train", "test", "test"]
    assert decisions.column("id") == ["train:1", "train:2", "train:3", "test:1", "test:2"]
    assert decisions.column("original") == ["train:1", "train:2", "train:1", "train:2", "test:2"]
    kept = result.kept
    assert type(kept) is datasets.DatasetDict
    assert {name: list(split["text"]) for name, split in kept.items()} == {"train": TRAIN[:2], "test": TEST[1:]}
    with pytest.raises(neardup.UsageError, match="several tables"):
        result.kept_rows  # noqa: B018


def test_the_order_of_the_splits_decides() -> None:
    turned = datasets.DatasetDict(dict(reversed(splits().items())))
    kept = neardup.dedup(turned).kept
    assert {name: list(split["text"]) for name, split in kept.items()} == {"test": TEST, "train": TRAIN[:1]}
    preferred = neardup.dedup(
        {name: polars.DataFrame({"text": split["text"], "of": name}) for name, split in splits().items()},
        prefer="of=test,train",
    ).kept
    assert {name: frame["text"].to_list() for name, frame in preferred.items()} == {"train": TRAIN[:1], "test": TEST}


def test_streamed_splits() -> None:
    streamed = datasets.IterableDatasetDict({name: split.to_iterable_dataset() for name, split in splits().items()})
    kept = neardup.dedup(streamed).kept
    assert type(kept) is datasets.IterableDatasetDict
    assert {name: [row["text"] for row in rows] for name, rows in kept.items()} == {
        "train": TRAIN[:2],
        "test": TEST[1:],
    }


def test_tables_by_name() -> None:
    given: dict[str, Any] = {"a": polars.DataFrame({"text": TRAIN}), "b": pandas.DataFrame({"text": TEST})}
    kept = neardup.dedup(given).kept
    assert list(kept) == ["a", "b"]
    assert kept["a"].equals(given["a"][:2])
    assert kept["b"]["text"].to_list() == TEST[1:]
    assert neardup.find_pairs(given).pairs.column("right") == ["a:3", "b:1"]
    assert [document.source for document in neardup.read(given)] == ["a", "a", "a", "b", "b"]
    cut = neardup.find_passages(given, tokens=8).kept
    assert len(cut["a"]) + len(cut["b"]) == 3


def test_a_list_of_tables() -> None:
    given = [pa.table({"text": TRAIN}), pa.table({"text": TEST})]
    result = neardup.dedup(given)
    assert result.decisions.column("source") == ["1", "1", "1", "2", "2"]
    assert [table.to_pydict() for table in result.kept] == [{"text": TRAIN[:2]}, {"text": TEST[1:]}]
    mixed: list[Any] = [polars.Series(TRAIN), pa.table({"text": TEST}).to_reader()]
    first, second = neardup.dedup(mixed).kept
    assert first.to_list() == TRAIN[:2]
    assert second.read_all().to_pydict() == {"text": TEST[1:]}


def test_rejects_of_several_tables_are_those_of_their_own(tmp_path: Path) -> None:
    lines = [f"Ship {row}.\nShe comes back at noon on every one of the market days of the year." for row in range(4)]
    given = {
        "a": pa.table({"id": ["1", None], "text": lines[:2]}),
        "b": pa.table({"id": ["2", "3"], "text": lines[2:]}),
    }
    for output in (None, tmp_path / "out"):
        result = neardup.find_passages(given, tokens=8, id_field="id", on_error="skip", output=output)
        assert {name: table["text"].to_pylist() for name, table in result.kept.items()} == {
            "a": [lines[0]],
            "b": ["Ship 2.\n", "Ship 3.\n"],
        }


def test_a_reference_by_name() -> None:
    reference = {"test": pa.table({"text": TEST})}
    result = neardup.dedup(TRAIN, against=reference)
    assert result.kept == [TRAIN[0]]
    assert result.decisions.column("original")[1] == "test:1"


def test_mappings_that_are_no_tables_are_refused() -> None:
    given: dict[str, Any]
    for given in ({}, {"a": 3}, {"a": pa.table({"text": TEST}), "b": 3}, {"a": [], "b": pa.table({"text": TEST})}):
        with pytest.raises(neardup.UsageError, match="documents cannot be read from a mapping of"):
            neardup.dedup(given)
    with pytest.raises(neardup.DataError, match=r'no field "text".*train.*test'):
        neardup.dedup({"train": TRAIN[:2], "test": TEST})


class NumberedEngine:
    """An engine whose streams are numbered, as those of Spark."""

    def run(self, verb: Any, inputs: Any, options: Any, progress: Any = None, notice: Any = None) -> Any:
        return _core.run(verb, inputs, options, progress, notice)

    def stream(self, frame: Any, options: Any) -> Any:
        raise NotImplementedError


def test_an_engine_that_numbers_its_streams_refuses_names() -> None:
    tables = {"train": pa.table({"text": TRAIN}), "test": pa.table({"text": TEST})}
    with pytest.raises(neardup.UsageError, match=r"the source 'train': .* on one machine only; give them as a list"):
        neardup.dedup(tables, engine=NumberedEngine())
    with pytest.raises(neardup.UsageError, match="the source 'test'"):
        neardup.dedup(TRAIN, against={"test": tables["test"]}, engine=NumberedEngine())
    found = neardup.dedup(list(tables.values()), against=[tables["test"]], engine=NumberedEngine())
    assert [table.num_rows for table in found.kept] == [1, 0]
