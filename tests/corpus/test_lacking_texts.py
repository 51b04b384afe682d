"""Texts of several fields and of lists: a misspelt one is never passed over in silence."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars
import pyarrow as pa
import pyarrow.parquet as parquet
import pytest

import neardup
from neardup import DataError
from records import write_records

BODIES = ["the ferry leaves the stone quay at seven in the morning", "nobody counted the steps to the old lighthouse"]
ROWS: list[dict[str, Any]] = [{"id": str(at), "title": "Weekly report", "body": body} for at, body in enumerate(BODIES)]
TALKS: list[dict[str, Any]] = [
    {"id": str(at), "turns": [{"role": "user", "text": body}, {"role": "model", "text": "yes"}]}
    for at, body in enumerate(BODIES)
]


def write_json_lines(folder: Path, rows: list[dict[str, Any]]) -> Any:
    return write_records(folder / "a.jsonl", rows)


def write_parquet(folder: Path, rows: list[dict[str, Any]]) -> Any:
    parquet.write_table(pa.Table.from_pylist(rows), folder / "a.parquet")
    return folder / "a.parquet"


def write_csv(folder: Path, rows: list[dict[str, Any]]) -> Any:
    polars.DataFrame(rows).write_csv(folder / "a.csv")
    return folder / "a.csv"


def make_table(_: Path, rows: list[dict[str, Any]]) -> Any:
    return pa.Table.from_pylist(rows)


def make_list(_: Path, rows: list[dict[str, Any]]) -> Any:
    return rows


NESTED = [write_json_lines, write_parquet, make_table, make_list]
VERBS: list[Callable[..., Any]] = [neardup.dedup, neardup.cluster, neardup.find_pairs, neardup.find_passages]


@pytest.mark.parametrize("make", [*NESTED, write_csv])
@pytest.mark.parametrize("verb", VERBS)
def test_a_misspelt_text_is_refused(verb: Any, make: Any, tmp_path: Path) -> None:
    # Texts that are joined cannot be cut.
    options = {"no_kept": True} if verb is neardup.find_passages else {}
    with pytest.raises(DataError, match='no record has the field "bdoy"') as refused:
        verb(make(tmp_path, ROWS), text_field="title+bdoy", **options)
    assert '"body"' in str(refused.value)
    assert '"title"' in str(refused.value)


@pytest.mark.parametrize("make", NESTED)
@pytest.mark.parametrize("path", ["turns[].txet", "turns[]text", "title+turns[].txet"])
def test_a_misspelt_member_of_a_list_is_refused(make: Any, path: str, tmp_path: Path) -> None:
    talks = [talk | {"title": "Talk"} for talk in TALKS]
    with pytest.raises(DataError, match=r"no record has|there is no field") as refused:
        neardup.dedup(make(tmp_path, talks), text_field=path)
    assert "turns" in str(refused.value)


@pytest.mark.parametrize("make", [write_json_lines, make_list])
def test_what_some_records_lack_is_noted(make: Any, tmp_path: Path) -> None:
    rows = [*ROWS, {"id": "2", "title": "a title alone"}, {"id": "3", "title": "another one", "body": None}]
    found = neardup.dedup(make(tmp_path, rows), text_field="title+body")
    notes = [note for note in found.summary["notes"] if "no field" in note]
    name = "a.jsonl" if make is write_json_lines else "1"
    assert notes in ([f'1 record has no field "body" (text_field): {name} 1'], [])
    # In a list of records a missing field is a null one.
    assert bool(notes) == (make is write_json_lines)


def test_messages_without_a_text_are_blank_and_noted(tmp_path: Path) -> None:
    tools: dict[str, Any] = {"id": "2", "turns": [{"role": "model", "tool": "search"}]}
    empty: dict[str, Any] = {"id": "3", "turns": []}
    path = write_records(tmp_path / "a.jsonl", [*TALKS, tools, empty])
    found = neardup.dedup(path, text_field="turns[].text")
    assert '1 record has no field "turns[].text" (text_field): a.jsonl 1' in " ".join(found.summary["notes"])
    assert found.summary["counts"]["without_text"] == 2


def test_a_field_whose_own_name_has_the_plus(tmp_path: Path) -> None:
    rows = [{"title+bdoy": body} for body in BODIES]
    for path in (write_json_lines(tmp_path, rows), write_csv(tmp_path, rows), write_parquet(tmp_path, rows)):
        found = neardup.dedup(path, text_field="title+bdoy")
        assert not any("no field" in note for note in found.summary["notes"])
        assert found.summary["counts"]["kept"] == 2


def test_several_files_of_which_one_lacks_a_text(tmp_path: Path) -> None:
    write_records(tmp_path / "a.jsonl", ROWS)
    other = write_csv(tmp_path, [{"id": "9", "title": "the title of a row that has no body"}])
    found = neardup.dedup([tmp_path / "a.jsonl", other], text_field="title+body")
    assert '1 record has no field "body" (text_field): a.csv 1' in found.summary["notes"]


def test_a_reference_with_texts_of_its_own(tmp_path: Path) -> None:
    old = write_records(tmp_path / "old.jsonl", [{"content": f"Weekly report\n\n{BODIES[0]}"}])
    new = write_csv(tmp_path, ROWS)
    found = neardup.dedup(new, text_field="title+body", against=old, against_text_field="content")
    assert found.decisions.column("verdict") == ["drop", "keep"]


def test_advice_for_lists_and_objects(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"is an array, not a string; name its items, turns\[\]"):
        neardup.dedup(write_json_lines(tmp_path, TALKS), text_field="turns")
    with pytest.raises(DataError, match=r"name its items, turns\[\], or a member of each, turns\[\]\.NAME"):
        neardup.dedup(write_parquet(tmp_path, TALKS), text_field="turns")
    numbers = tmp_path / "numbers.parquet"
    parquet.write_table(pa.table({"turns": [[0.5, 1.5]]}), numbers)
    with pytest.raises(DataError, match=r"of type List\(.*\); given values must be") as refused:
        neardup.dedup(numbers, text_field="turns", scheme="given | terms | minhash:96 | bands:16x6 | resemblance>=0.8")
    assert "name its items" not in str(refused.value)
    with pytest.raises(DataError, match=r"is an object, not a string; name one of its members, as doc\.NAME"):
        neardup.dedup(write_records(tmp_path / "b.jsonl", [{"doc": {"text": "a"}}]), text_field="doc")
