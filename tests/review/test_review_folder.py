"""The folder of a review: it is written completely or not at all, and damaged files are named."""

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from neardup import DataError, EnvironmentFault, Index, UsageError
from neardup.review.documents import fetch_documents
from neardup.review.review import Review
from neardup.review.settings import check_name
from reviewed import DOCS


def test_an_existing_folder_is_left_unchanged(tmp_path: Path) -> None:
    (tmp_path / "review").mkdir()
    with pytest.raises(UsageError, match="review: there is something already; a review is made in a new folder"):
        Review.create(tmp_path / "review", DOCS)
    with pytest.raises(UsageError, match=r"not a review of neardup \(it has no review\.json\)"):
        Review.open(tmp_path / "review")
    with pytest.raises(UsageError, match="stdin"):
        Review.create(tmp_path / "other", "-")


def test_a_review_cannot_be_created_twice_at_the_same_time(tmp_path: Path) -> None:
    def make_again(*_: object) -> None:
        with pytest.raises(UsageError, match="another process is writing it"):
            Review.create(tmp_path / "review", DOCS)

    assert Review.create(tmp_path / "review", DOCS, progress=make_again).sample
    assert [path.name for path in tmp_path.iterdir()] == ["review"]


def test_a_failed_creation_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("neardup.review.builder.fetch_documents", lambda *_: {})
    with pytest.raises(KeyError):
        Review.create(tmp_path / "review", DOCS)
    assert list(tmp_path.iterdir()) == []


def test_a_document_removed_meanwhile_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    index = Index.create(tmp_path / "index")
    index.add(DOCS[:2])

    def remove_first(*arguments: Any) -> Any:
        index.remove("0-0")
        return fetch_documents(*arguments)

    monkeypatch.setattr("neardup.review.builder.fetch_documents", remove_first)
    with pytest.raises(DataError, match="the document '0-0' went while the review was made"):
        Review.create(tmp_path / "review", index)


def test_invalid_files_are_named(tmp_path: Path) -> None:
    folder = Review.create(tmp_path / "review", DOCS[:6]).folder
    settings, sample = folder / "review.json", folder / "sample.jsonl"
    written = json.loads(settings.read_text(encoding="utf-8"))
    with open(sample, "a", encoding="utf-8") as file:
        file.write('{"left": 1}\n')
    lines = sample.read_bytes().count(b"\n")
    with pytest.raises(DataError, match=rf"sample\.jsonl, line {lines}: not a pair of a sample"):
        Review.open(folder)
    sample.unlink()
    with pytest.raises(EnvironmentFault, match=r"sample\.jsonl cannot be read"):
        Review.open(folder)
    for content, words in [
        ("{", "not the settings"),
        ("{}", "not the settings"),
        (json.dumps({**written, "version": 3, "new": 1}), "is 3;"),
        (json.dumps({**written, "measure": 7}), "not the settings"),
        (json.dumps({**written, "limit": "0"}), "not the settings"),
        (json.dumps({**written, "floor": "low"}), "not the settings"),
    ]:
        settings.write_text(content, encoding="utf-8")
        with pytest.raises(DataError, match=words):
            Review.open(folder)


def test_names_of_reviews() -> None:
    assert check_name("Spring-2026_b") == "Spring-2026_b"
    for name in ("", "a" * 65, "a/b", "..", "a\n", "é", "a.partial"):
        with pytest.raises(UsageError, match="allowed are 1 to 64 letters"):
            check_name(name)


def change(content: bytes, random: Random) -> bytes:
    """Damage a file: change or insert a byte, cut it, repeat it or a line of it, or empty it."""
    at, lines = random.randrange(len(content)), content.splitlines(keepends=True)
    twice = random.choice(lines)
    return random.choice(
        [
            content[:at] + bytes([content[at] ^ random.randrange(1, 256)]) + content[at + 1 :],
            content[:at] + b"\xff" + content[at:],
            content[:at],
            content * 2,
            content + twice,
            b"".join(lines[:-1]),
            b"",
        ]
    )


@pytest.mark.parametrize("name", ["review.json", "sample.jsonl"])
@pytest.mark.parametrize("is_old", [False, True])
def test_damage_is_named(name: str, is_old: bool, tmp_path: Path) -> None:
    """Each change is noticed; in a review of an earlier build, only a change that leaves no valid pair of a sample."""
    folder = Review.create(tmp_path / "review", DOCS[:12]).folder
    if is_old:
        settings = json.loads((folder / "review.json").read_bytes())
        del settings["check"]
        (folder / "review.json").write_text(json.dumps(settings), encoding="utf-8")
    assert Review.open(folder).sample
    path, random = folder / name, Random(name)
    whole, noticed = path.read_bytes(), 0
    for _ in range(300):
        path.write_bytes(change(whole, random))
        try:
            Review.open(folder).sample.sort()
        except (DataError, UsageError, EnvironmentFault):
            noticed += 1
    assert noticed == 300 or (is_old and noticed > 0)
    path.write_bytes(b"")
    with pytest.raises(DataError):
        Review.open(folder)
    path.unlink()
    path.mkdir()
    with pytest.raises(EnvironmentFault, match=name):
        Review.open(folder)


@pytest.mark.parametrize("number", ["Infinity", "1e999", "NaN", "[]", "null", "-1"])
def test_invalid_counts_are_named(number: str, tmp_path: Path) -> None:
    sample = Review.create(tmp_path / "review", DOCS[:6]).folder / "sample.jsonl"
    first, *rest = sample.read_text(encoding="utf-8").splitlines(keepends=True)
    shared = json.loads(first)["shared"]
    sample.write_text("".join([first.replace(f'"shared": {shared}', f'"shared": {number}'), *rest]), encoding="utf-8")
    with pytest.raises(DataError, match=r"sample\.jsonl, line 1: not a pair of a sample"):
        Review.open(tmp_path / "review")
