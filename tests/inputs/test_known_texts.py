"""References in memory: texts, documents and columns, whatever the fields of the input are called."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy
import pandas
import polars
import pyarrow as pa
import pytest

import neardup
from neardup import Document
from neardup.errors import DataError, UsageError

KNOWN = "the customs house on the pier was painted white again in the spring of that year"
NEW = "a stranger asked the way to the pier and nobody on the street could tell her"
INPUT = pandas.DataFrame({"body": [KNOWN, NEW], "key": ["x", "y"], "page": [f"<p>{KNOWN}", f"<p>{NEW}"]})

TEXTS: dict[str, Callable[[], Any]] = {
    "list": lambda: [KNOWN],
    "list with None": lambda: [KNOWN, None],
    "iterator": lambda: iter([KNOWN]),
    "pandas": lambda: pandas.Series([KNOWN]),
    "polars": lambda: polars.Series([KNOWN]),
    "pyarrow": lambda: pa.array([KNOWN]),
    "binary": lambda: pa.array([KNOWN.encode()]),
    "numpy": lambda: numpy.array([KNOWN]),
    "documents": lambda: [Document(KNOWN)],
}


def decide(against: Any, **options: Any) -> tuple[list[Any], list[Any]]:
    decisions = neardup.dedup(INPUT, against=against, **options).decisions
    return decisions["verdict"], decisions["original"]


@pytest.mark.parametrize("kind", TEXTS)
def test_texts_are_a_reference(kind: str) -> None:
    assert decide(TEXTS[kind](), text_field="body")[0] == ["drop", "keep"]
    assert decide(TEXTS[kind](), text_field="body", id_field="key") == (["drop", "keep"], ["1", "y"])
    assert decide(TEXTS[kind](), html_field="page")[0] == ["drop", "keep"]
    found = neardup.find_passages(INPUT, 5, text_field="body", against=TEXTS[kind](), only_against=True)
    assert found.kept["body"].tolist() == [NEW]


UNUSABLE: dict[str, Callable[[], Any]] = {
    "a number": lambda: pandas.Series([KNOWN, 12], dtype=object),
    "a time": lambda: pandas.Series([KNOWN, pandas.Timestamp("2020-01-05")], dtype=object),
    "numpy": lambda: numpy.array([KNOWN, 2.5], dtype=object),
    "bytes": lambda: [KNOWN, b"bytes"],
    "a lone surrogate": lambda: [KNOWN, "a\ud800"],
    "not UTF-8": lambda: pa.chunked_array([[KNOWN.encode()], [b"\xff\xfe"]]),
    "a column of numbers": lambda: pa.array([1, 2]),
    "a document": lambda: [Document(KNOWN), Document("a\ud800")],
}


@pytest.mark.parametrize("kind", UNUSABLE)
def test_unusable_texts_are_refused_with_ids_as_without(kind: str) -> None:
    messages = []
    for options in ({}, {"id_field": "key"}):
        with pytest.raises(DataError) as refused:
            decide(UNUSABLE[kind](), text_field="body", **options)
        messages.append(str(refused.value))
    assert messages[0] == messages[1]
    if "row 2" in messages[0]:
        skipping: Any = {"text_field": "body", "id_field": "key", "on_error": "skip"}
        found = neardup.dedup(INPUT, against=UNUSABLE[kind](), **skipping)
        assert found.decisions["original"] == ["1", "y"]
        counts = found.summary["counts"]
        assert (counts["reference"], counts["rejected"]) == (1, 1)


def test_numbers_are_those_of_the_rows() -> None:
    texts = pa.chunked_array([[NEW[::-1], None], [], [KNOWN]])
    assert decide(texts, text_field="body", id_field="key") == (["drop", "keep"], ["3", "y"])
    options = {"text_field": "body", "id_field": "key", "on_error": "skip"}
    assert decide(pandas.Series([5, KNOWN], dtype=object), **options) == (["drop", "keep"], ["2", "y"])
    documents = [Document("", time="2020-01-01"), Document(KNOWN, url="http://a.example/")]
    assert decide(documents, text_field="body", id_field="key") == (["drop", "keep"], ["2", "y"])


def test_texts_and_their_numbers_are_two_fields() -> None:
    for options in ({"text_field": "body", "against_text_field": "key"}, {"text_field": "key"}):
        with pytest.raises(UsageError, match=r'cannot be in the field "key"; give another name as against_id_field'):
            decide([KNOWN], id_field="key", **options)
        verdicts, _ = decide([KNOWN], id_field="key", against_id_field="number", **options)
        assert verdicts == (["drop", "keep"] if options["text_field"] == "body" else ["keep", "keep"])


def test_texts_are_converted_once() -> None:
    class Texts(pandas.Series):  # type: ignore[misc]
        """A column that counts how often it becomes a table."""

        tables = 0

        def reset_index(self, *args: Any, **options: Any) -> Any:
            Texts.tables += 1
            return super().reset_index(*args, **options)

    assert decide(Texts([KNOWN]), text_field="body", id_field="key")[1] == ["1", "y"]
    assert Texts.tables == 1


def test_documents_have_fields_of_their_own() -> None:
    known = [Document(NEW[::-1], "q"), Document(KNOWN, "r", time="2020-01-01")]
    assert decide(known, text_field="body", id_field="key") == (["drop", "keep"], ["r", "y"])
    assert decide(known, text_field="body")[0] == ["drop", "keep"]
    dated = INPUT.assign(when=[1, 2])
    found = neardup.dedup(dated, text_field="body", id_field="key", time_field="when", against=known).decisions
    assert found["original"] == ["r", "y"]
    # fields that are named for the reference are those of its table
    table = pa.table({"content": [KNOWN], "number": [7]})
    options = {"against_text_field": "content", "against_id_field": "number"}
    assert decide(table, text_field="body", id_field="key", **options) == (["drop", "keep"], ["7", "y"])


def test_html_of_a_reference_is_html() -> None:
    pages = pandas.Series([f"<p>{KNOWN}</p>"])
    options: dict[str, Any] = {"text_field": "body", "against_html_field": "page"}
    assert decide(pages, **options)[0] == ["drop", "keep"]
    assert decide(pages, id_field="key", **options) == (["drop", "keep"], ["1", "y"])


@pytest.mark.parametrize("make", [str, Path])
def test_paths_of_references(make: Callable[[Path], Any], tmp_path: Path) -> None:
    path = tmp_path / "known.jsonl"
    path.write_text(f'{{"body": "{KNOWN}"}}\n', encoding="utf-8")
    folder = tmp_path / "folder"
    folder.mkdir()
    assert decide(make(path), text_field="body")[0] == ["drop", "keep"]
    several: Iterable[Any] = [make(path)]
    if make is Path:
        assert decide(several, text_field="body")[0] == ["drop", "keep"]
    else:
        for one in (path, folder):
            with pytest.raises(UsageError, match="give Path objects for files"):
                decide([make(one)], text_field="body")


def test_a_reference_on_the_command_line_is_paths(cli: Any, tmp_path: Path) -> None:
    path = tmp_path / "known.jsonl"
    path.write_text(f'{{"text": "{KNOWN}"}}\n', encoding="utf-8")
    for verb in ("dedup", "pairs"):
        cli(verb, path, "--against", path, "-o", tmp_path / verb)
        cli("evidence", tmp_path / verb, "--against", path, "-o", tmp_path / f"evidence {verb}")


def test_evidence_reads_the_fields_of_the_reference(cli: Any, tmp_path: Path) -> None:
    path, known = tmp_path / "new.jsonl", tmp_path / "known.jsonl"
    path.write_text(f'{{"body": "{KNOWN}", "key": "x"}}\n', encoding="utf-8")
    known.write_text(f'{{"content": {{"t": "{KNOWN}"}}, "number": 7}}\n', encoding="utf-8")
    own = ["--against-text-field", "content.t", "--against-id-field", "number"]
    cli("dedup", path, "--text-field", "body", "--id-field", "key", "--against", known, *own, "-o", tmp_path / "run")
    for more in ([], ["--against", known]):
        cli("evidence", tmp_path / "run", *more, "-o", tmp_path / "evidence", "--overwrite")
        found = neardup.evidence(tmp_path / "run").passages
        assert (found["left"], found["right"]) == (["x"], ["7"])
