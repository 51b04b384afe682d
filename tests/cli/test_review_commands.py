"""`neardup review`: a review is made, labelled in a terminal and by lines, estimated and exported."""

import json
import shutil
from pathlib import Path

import pytest

from command import Cli, run_neardup
from neardup.review.review import Review
from records import read_jsonl, write_records
from reviewed import DOCS, LINE
from terminal import on_a_terminal


@pytest.fixture(scope="module")
def docs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rows = [{"id": doc.id, "text": doc.text, "url": doc.url} for doc in DOCS]
    return write_records(tmp_path_factory.mktemp("docs") / "docs.jsonl", rows)


@pytest.fixture
def folder(docs: Path, tmp_path: Path) -> Path:
    run_neardup("review", "new", tmp_path / "review", docs, "--id-field", "id", "--url-field", "url", "--quiet")
    return tmp_path / "review"


def foresee(folder: Path, copy: Path) -> str:
    """Return the answers, one a line, of a person who labels all pairs that the review asks for."""
    review, answers = Review.open(shutil.copytree(folder, copy)), ""
    while (pair := review.next_pair("kim")) is not None:
        review.label("kim", *pair.key, "duplicate" if pair.resemblance >= LINE else "not")
        answers += "y\n" if pair.resemblance >= LINE else "n\n"
    return answers


def test_a_review_is_made_with_a_goal(docs: Path, tmp_path: Path, cli: Cli) -> None:
    made = cli(
        "review", "new", tmp_path / "r", docs, "--id-field", "id", "--precision", "0.9", "--labels", 50, "--json"
    )
    found = json.loads(made.stdout)
    assert (found["outlook"]["phase"], found["outlook"]["precision"], found["outlook"]["labels"]) == (
        "survey",
        "0.9",
        50,
    )
    assert found["settings"]["pairs"] == 180
    assert Review.open(tmp_path / "r").goal == ("0.9", 50)
    wrong = cli("review", "new", tmp_path / "other", docs, "--precision", "2", code=2)
    assert "precision is 2; allowed are numbers from 0.5 to 0.999" in wrong.stderr
    assert not (tmp_path / "other").exists()


def test_lines_are_answers(folder: Path, cli: Cli) -> None:
    cli("review", "label", folder, "--who", "kim", sent="y\nnot\nundo\nunsure\n")
    rows = read_jsonl(folder / "labels.jsonl")
    assert [row["label"] for row in rows] == ["duplicate", "not", "undo", "unsure"]
    # an undone pair is shown again
    assert rows[1]["right"] == rows[2]["right"] == rows[3]["right"]
    wrong = cli("review", "label", folder, "--who", "kim", sent="n\nmaybe\n", code=2)
    assert "stdin, line 2: 'maybe' is no answer; allowed are y duplicate, n not" in wrong.stderr
    assert len(read_jsonl(folder / "labels.jsonl")) == 5
    assert "allowed are 1 to 64 printable characters" in cli("review", "label", folder, "--who", " ", code=2).stderr


def test_the_review_ends_and_its_labels_are_exported(folder: Path, cli: Cli, tmp_path: Path) -> None:
    cli("review", "label", folder, "--who", "kim", "--precision", "0.9", "--json", sent="")
    answers = foresee(folder, tmp_path / "copy")
    labels = len(answers.splitlines())
    ended = json.loads(cli("review", "label", folder, "--who", "kim", "--json", sent=f"{answers}y\n").stdout)
    assert (ended["outlook"]["phase"], ended["outlook"]["supported"]) == ("supported", "0.7")
    assert len(read_jsonl(folder / "labels.jsonl")) == labels
    figures = json.loads(cli("review", "estimate", folder, "--threshold", "0.75", "--json").stdout)
    assert figures["estimate"]["threshold"] == "0.75"
    assert figures["suggested"]["precision"]["low"] >= 0.9
    head, *rows = cli("review", "estimate", folder).stdout.splitlines()
    assert head.split("\t")[:5] == ["threshold", "pairs", "precision", "precision_low", "precision_high"]
    assert len(rows) == 51
    exported = tmp_path / "labels.jsonl"
    exported.write_text(cli("review", "export", folder).stdout, encoding="utf-8")
    assert len(read_jsonl(exported)) == labels
    cli("review", "label", folder, "--who", "kim", "--beyond", "--json", sent="y\n")
    assert len(read_jsonl(folder / "labels.jsonl")) == labels + 1


def test_more_pairs_are_drawn_when_the_outlook_says_so(docs: Path, tmp_path: Path, cli: Cli) -> None:
    folder = tmp_path / "my review"
    new = cli("review", "new", folder, docs, "--id-field", "id", "--each", 2, "--json")
    assert [json.loads(new.stdout)[name] for name in ("drawn", "undrawn")] == [20, 160]
    paused = cli("review", "label", folder, "--who", "kim", sent=foresee(folder, tmp_path / "copy")).stdout
    assert " are used up; " in " ".join(paused.split())
    assert f"neardup review draw '{folder}'" in paused
    labels = read_jsonl(folder / "labels.jsonl")
    assert "each is 2; 2 were drawn already" in cli("review", "draw", folder, "--each", 2, code=2).stderr
    drawn = cli("review", "draw", folder, "--each", 5).stdout
    assert "180 from resemblance 0.5 on, 46 drawn" in drawn
    assert "used up" not in drawn
    moved = shutil.copy(docs, tmp_path / "moved.jsonl")
    found = json.loads(cli("review", "draw", folder, moved, "--json").stdout)
    assert (found["drawn"], found["undrawn"], found["settings"]["draws"]) == (180, 0, [5, 200])
    assert read_jsonl(folder / "labels.jsonl") == labels
    ended = cli("review", "label", folder, "--who", "kim", sent=foresee(folder, tmp_path / "copy of all")).stdout
    assert "Threshold 0.7 is supported for precision 0.95; no lower one is within reach." in " ".join(ended.split())


def test_doubtful_labels_are_labelled_again(folder: Path, cli: Cli) -> None:
    cli("review", "label", folder, "--who", "kim", sent="y\n")
    first = read_jsonl(folder / "labels.jsonl")[0]
    Review.open(folder).label("lee", first["left"], first["right"], "not")
    [doubt] = json.loads(cli("review", "estimate", folder, "--json").stdout)["doubts"]
    assert (doubt["a"], doubt["reasons"]) == (first["left"], ["reviewers disagree"])
    # a session asks for each pair once; a changed label is confirmed by another one
    cli("review", "label", folder, "--who", "lee", "--doubts", sent="y\ny\n")
    [doubt] = json.loads(cli("review", "estimate", folder, "--json").stdout)["doubts"]
    assert doubt["reasons"] == ["a reviewer disagrees with herself"]
    cli("review", "label", folder, "--who", "lee", "--doubts", sent="y\n")
    assert json.loads(cli("review", "estimate", folder, "--json").stdout)["doubts"] == []
    assert len(read_jsonl(folder / "labels.jsonl")) == 4


def test_a_person_labels_with_keys_in_a_terminal(folder: Path) -> None:
    shown = on_a_terminal("review", "label", folder, "--who", "kim", columns=80, typed="yxvnzuq")
    assert [row["label"] for row in read_jsonl(folder / "labels.jsonl")] == ["duplicate", "not", "undo", "unsure"]
    assert "more labels until a threshold is supported for precision 0.95" in " ".join(shown.split())
    assert shown.count("https://a.example/") >= 8
    assert "undone" in shown
    estimated = on_a_terminal("review", "estimate", folder, columns=80)
    assert "1 of at most 400" not in estimated
    assert "2 of at most 400" in estimated
