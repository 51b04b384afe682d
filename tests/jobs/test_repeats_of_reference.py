"""Passages that repeat a reference: as in one corpus that begins with it, but its own repeats are no result."""

from pathlib import Path
from typing import Any, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import neardup
from command import run_neardup
from neardup import UsageError
from oracle import find_repeats, tokens
from records import read_jsonl, read_rows, write_records

CUTS: tuple[Literal["sentences", "lines", "tokens"], ...] = ("sentences", "lines", "tokens")
LETTERS = st.lists(st.lists(st.sampled_from(["a", "b", "c", "一", "二", "。", ".", "\n"]), max_size=24), max_size=5)
QUESTION = "Water boils at a lower temperature on a high mountain, because the air presses less."
FOOTER = "All rights reserved by the house on the quay, and write to us at any time."
NEW = [
    {"id": "a", "text": f"Nothing cooks well up there. {QUESTION} So bring a pot."},
    {"id": "b", "text": f"The first story. {FOOTER}"},
    {"id": "c", "text": f"The second story. {FOOTER}"},
    {"id": "d", "text": QUESTION},
]
OLD = [{"id": "q", "text": QUESTION}, {"id": "r", "text": f"{QUESTION} {QUESTION}"}]

Row = dict[str, Any]
COUNTED = ("passage", "original_in", "row", "source")
"""Columns that are not the same in a run over both sets, or only in one of the two."""


def records(letters: list[list[str]], sign: str) -> list[Row]:
    return [{"id": f"{sign}{number}", "text": " ".join(text)} for number, text in enumerate(letters)]


def rows_of_input(table: Any) -> list[Row]:
    """Return the rows about documents of the input, without the numbers of passages, which are counted in each run."""
    left_out = ("passage", "original_in", "row", "source")
    return [
        {key: value for key, value in row.items() if key not in left_out} for row in table if row["id"].startswith("i")
    ]


@settings(max_examples=150)
@given(LETTERS, LETTERS, st.integers(2, 6), st.sampled_from(CUTS))
def test_as_in_one_corpus(
    new: list[list[str]], old: list[list[str]], width: int, cut: Literal["sentences", "lines", "tokens"]
) -> None:
    own, known = records(new, "i"), records(old, "r")
    found = neardup.find_passages(own, width, against=known, cut=cut, id_field="id")
    whole = neardup.find_passages([*known, *own], width, cut=cut, id_field="id")
    for table in ("passages", "removed", "changed"):
        assert rows_of_input(getattr(found, table)) == rows_of_input(getattr(whole, table)), table
        assert len(getattr(found, table)) == len(rows_of_input(getattr(whole, table)))
    assert found.kept == [record for record in whole.kept if record["id"].startswith("i")]
    places = ["reference" if key.startswith("r") else "input" for key in found.passages.column("original")]
    assert found.passages.column("original_in") == places
    counts = found.summary["counts"]
    assert counts["documents"] == len(own)
    assert counts["tokens"] == sum(len(tokens(record["text"], "words")) for record in own)


@settings(max_examples=150)
@given(LETTERS, LETTERS, st.integers(2, 6), st.sampled_from(CUTS))
def test_repeats_of_the_input_are_left_alone(
    new: list[list[str]], old: list[list[str]], width: int, cut: Literal["sentences", "lines", "tokens"]
) -> None:
    own, known = records(new, "i"), records(old, "r")
    found = neardup.find_passages(own, width, against=known, only_against=True, cut=cut, id_field="id")
    sequences = [tokens(record["text"], "words") for record in known]
    passages = []
    for record in own:
        # A document that is compared with the reference alone: its N-grams cannot be known from its own text.
        unknown = [*sequences, tokens(record["text"], "words")]
        first = {tuple(run[at : at + width]) for run in sequences for at in range(len(run) - width + 1)}
        for repeat in find_repeats(unknown, width):
            if repeat.document == len(sequences) and repeat.original < len(sequences):
                run = unknown[-1][repeat.start : repeat.end]
                assert all(tuple(run[at : at + width]) in first for at in range(len(run) - width + 1))
                passages.append((record["id"], repeat.end - repeat.start, f"r{repeat.original}"))
    columns = [found.passages.column(name) for name in ("id", "tokens", "original")]
    assert list(zip(*columns, strict=True)) == passages
    texts = {record["id"]: record["text"] for record in own}
    for row in found.removed:
        removed = texts[row["id"]][row["char_start"] : row["char_end"]]
        for piece in removed.split("\n") if cut == "lines" else []:
            run = tokens(piece, "words")
            assert any(run == other[at : at + len(run)] for other in sequences for at in range(len(other) + 1)), piece


def test_files_and_tables(tmp_path: Path) -> None:
    (tmp_path / "old").mkdir()
    new, old = write_records(tmp_path / "new.jsonl", NEW), write_records(tmp_path / "old" / "new.jsonl", OLD)
    out = tmp_path / "out"
    run_neardup("passages", new, "--against", old, "-o", out, "--id-field", "id", "--tokens", "8")
    assert [(row["id"], row["original"], row["original_in"]) for row in read_rows(out / "passages.parquet")] == [
        ("a", "q", "reference"),
        ("c", "b", "input"),
        ("d", "q", "reference"),
    ]
    assert [(row["id"], row["times"], row["original_in"]) for row in read_rows(out / "repeated.parquet")] == [
        ("q", 3, "reference"),
        ("b", 2, "input"),
    ]
    assert read_jsonl(out / "kept" / "new.jsonl") == [
        {"id": "a", "text": "Nothing cooks well up there. So bring a pot."},
        NEW[1],
        {"id": "c", "text": "The second story. "},
    ]
    assert not (out / "kept" / "old").exists()
    # What is known stays known: a second run finds nothing.
    again = neardup.find_passages(out / "kept", 8, against=old, id_field="id")
    assert len(again.passages) == 0


def test_a_reference_in_memory_with_fields_of_its_own() -> None:
    renamed = [{"key": record["id"], "body": record["text"]} for record in OLD]
    names: dict[str, Any] = {"against_text_field": "body", "against_id_field": "key"}
    found = neardup.find_passages(NEW, 8, id_field="id", against=renamed, only_against=True, **names)
    assert [record["id"] for record in found.kept] == ["a", "b", "c"]
    assert found.kept[1:] == NEW[1:3]
    same = neardup.find_passages(NEW, 8, id_field="id", against=OLD, only_against=True)
    assert found.digest == same.digest


def test_only_against_needs_a_reference() -> None:
    with pytest.raises(UsageError, match="only_against needs a reference"):
        neardup.find_passages(NEW, 8, only_against=True)
