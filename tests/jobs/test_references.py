"""References: fields with names of their own, an own index, and repeats of the input that are left alone."""

import shlex
from pathlib import Path
from random import Random
from typing import Any

import pytest

import neardup
from command import run_neardup
from neardup import UsageError
from records import read_rows, write_records

LAMP = "nobody knows who lights the lamp at the end of the quay, and in the morning it is out again"
LETTER = "a letter from the mayor was read aloud in the square, and everyone stayed to hear it to the end"
STEPS = "nobody has ever counted the steps between the harbour and the lighthouse above the old town"
NEW = [
    {"id": "a", "text": f"{LAMP} now"},
    {"id": "b", "text": LETTER},
    {"id": "c", "text": f"{LETTER} there"},
    {"id": "d", "text": STEPS},
]
OLD = [{"id": "a", "text": LAMP}, {"id": "k", "text": STEPS}]


def originals(found: Any) -> dict[str, str]:
    return dict(zip(found.column("id"), found.column("original"), strict=True))


@pytest.fixture
def new(tmp_path: Path) -> Path:
    return write_records(tmp_path / "new.jsonl", NEW)


def test_only_what_meets_the_reference_is_dropped(new: Path, tmp_path: Path) -> None:
    old = write_records(tmp_path / "old.jsonl", OLD)
    run_neardup("dedup", new, "-o", tmp_path / "out", "--id-field", "id", "--against", old, "--only-against")
    decided = read_rows(tmp_path / "out" / "decisions.parquet")
    assert [(row["id"], row["verdict"], row["original"]) for row in decided] == [
        ("a", "drop", "a"),
        ("b", "keep", "b"),
        ("c", "keep", "c"),
        ("d", "drop", "k"),
    ]
    kept = (tmp_path / "out" / "kept" / "new.jsonl").read_text(encoding="utf-8")
    assert kept == "".join(new.read_text(encoding="utf-8").splitlines(keepends=True)[1:3])
    without = neardup.dedup(new, id_field="id", against=old)
    assert originals(without.decisions)["c"] == "b"
    with pytest.raises(UsageError, match="only_against needs a reference"):
        neardup.dedup(new, id_field="id", only_against=True)


@pytest.mark.parametrize("verb", [neardup.dedup, neardup.cluster, neardup.find_pairs])
def test_a_reference_has_fields_of_its_own(verb: Any, new: Path, tmp_path: Path) -> None:
    same = write_records(tmp_path / "same.jsonl", [row | {"day": "2020-01-05"} for row in OLD])
    renamed = [{"doc_id": row["id"], "content": row["text"], "date": "2020-01-05"} for row in OLD]
    old = write_records(tmp_path / "old.jsonl", renamed)
    names = {"against_id_field": "doc_id", "against_text_field": "content"}
    assert verb(new, id_field="id", against=old, **names).digest == verb(new, id_field="id", against=same).digest
    timed = write_records(tmp_path / "timed.jsonl", [row | {"day": "2021-01-05"} for row in NEW])
    one = verb(timed, id_field="id", against=same, time_field="day")
    other = verb(timed, id_field="id", against=old, time_field="day", against_time_field="date", **names)
    assert other.digest == one.digest


def test_a_reference_of_html(new: Path, tmp_path: Path) -> None:
    pages = write_records(tmp_path / "pages.jsonl", [{"id": row["id"], "page": f"<p>{row['text']}</p>"} for row in OLD])
    found = neardup.dedup(new, id_field="id", against=pages, against_html_field="page", only_against=True)
    assert originals(found.decisions) == {"a": "a", "b": "b", "c": "c", "d": "k"}
    swapped = neardup.dedup(pages, id_field="id", html_field="page", against=new, against_text_field="text")
    assert originals(swapped.decisions) == {"a": "a", "k": "d"}


def test_names_for_a_reference_need_one(new: Path, tmp_path: Path) -> None:
    old = write_records(tmp_path / "old.jsonl", OLD)
    with pytest.raises(UsageError, match="are of a reference: give against"):
        neardup.dedup(new, against_text_field="content")
    with pytest.raises(UsageError, match="against_id_field needs id_field"):
        neardup.dedup(new, against=old, against_id_field="id")
    with pytest.raises(UsageError, match="against_time_field needs time_field"):
        neardup.dedup(new, against=old, against_time_field="date")
    with pytest.raises(neardup.DataError, match='"doc_id"'):
        neardup.dedup(new, id_field="id", against=old, against_id_field="doc_id")


def test_an_index_is_a_reference(tmp_path: Path) -> None:
    """Its fields have names of their own, which need not be those of the input."""
    renamed = [{"doc_id": row["id"], "content": row["text"]} for row in NEW]
    new = write_records(tmp_path / "new.jsonl", renamed)
    old = write_records(tmp_path / "old.jsonl", OLD)
    run_neardup("index", "create", tmp_path / "index", old, "--id-field", "id")
    out = tmp_path / "out"
    fields = ("--id-field", "doc_id", "--text-field", "content")
    run_neardup("dedup", new, "-o", out, *fields, "--against", tmp_path / "index", "--only-against")
    assert [row["original"] for row in read_rows(out / "decisions.parquet")] == ["a", "b", "c", "k"]
    with pytest.raises(UsageError, match="id_field"):
        neardup.dedup(new, text_field="content", against=neardup.Index.open(tmp_path / "index"))


def test_ids_that_begin_again_in_every_file(tmp_path: Path) -> None:
    for number, texts in enumerate([(LAMP, STEPS), (LETTER, f"{LAMP}.")]):
        write_records(tmp_path / f"shard{number}.jsonl", [{"id": at, "text": text} for at, text in enumerate(texts)])
    shards = sorted(tmp_path.glob("shard*.jsonl"))
    with pytest.raises(neardup.DataError, match=r"leave the id field out \(--id-field\)") as refused:
        neardup.dedup(shards, id_field="id")
    assert "no record is lost" in str(refused.value)
    found = neardup.dedup(shards)
    assert found.summary["counts"]["documents"] == 4
    assert found.summary["counts"]["dropped"] == 1


def test_every_question_of_a_test_set_is_found_and_dropped(tmp_path: Path) -> None:
    """The command of guides/contamination.md, on questions of 5 to 40 words in texts of 400 to 1,500 words."""
    random = Random(7)

    def words(count: int) -> str:
        return " ".join(f"w{random.randrange(4000)}" for _ in range(count))

    questions = [words(5 + at * 35 // 39) for at in range(40)]
    texts = [
        f"{words(random.randint(200, 800))} {question} {words(random.randint(200, 700))}" for question in questions
    ]
    write_records(tmp_path / "test.jsonl", [{"id": f"q{at:02}", "text": text} for at, text in enumerate(questions)])
    train = [{"id": f"t{at:02}", "text": text} for at, text in enumerate(texts)]
    train += [{"id": f"n{at:03}", "text": words(800)} for at in range(60)]
    # a near copy of a text without a question is left alone
    train.append({"id": "copy", "text": f"{train[-1]['text']} again"})
    write_records(tmp_path / "train.jsonl", train)
    guide = (Path(__file__).parents[2] / "docs" / "guides" / "contamination.md").read_text(encoding="utf-8")
    command = next(line for line in guide.splitlines() if line.startswith("$ neardup dedup"))
    run_neardup(*shlex.split(command)[2:], cwd=tmp_path)
    rows = read_rows(tmp_path / "clean" / "decisions.parquet")
    dropped = {row["id"]: row["original"] for row in rows if row["verdict"] == "drop"}
    assert dropped == {f"t{at:02}": f"q{at:02}" for at in range(40)}
