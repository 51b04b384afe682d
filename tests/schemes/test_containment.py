"""A short text inside a long one is found, with the containing side and the place; also with a secret seed."""

import re
from pathlib import Path
from random import Random

import pytest

import neardup
from command import Cli
from neardup import UsageError
from neardup.schemes import classics
from oracle import Doc
from records import read_rows, write_jsonl


def texts() -> list[Doc]:
    random = Random(7)
    docs = []
    for number in range(30):
        # a hundred times as long as the part that is copied from it
        long = [f"{random.choice('abcdefgh')}{random.randrange(4000)}" for _ in range(12_000)]
        start = random.randrange(11_000)
        docs += [
            Doc(f"long{number:02}", " ".join(long), None),
            Doc(f"short{number:02}", "Quoted: " + " ".join(long[start : start + 120]) + " - end.", None),
        ]
    return docs


def test_short_texts_are_found_in_long_ones(tmp_path: Path) -> None:
    docs = texts()
    path = write_jsonl(tmp_path / "docs.jsonl", docs)
    found = neardup.find_pairs(path, scheme=classics.contained(), id_field="id", passages=True)
    pairs = found.pairs
    ends = zip(pairs.column("left"), pairs.column("right"), strict=True)
    assert set(ends) == {(f"long{number:02}", f"short{number:02}") for number in range(30)}
    assert all(share < 0.02 for share in pairs.column("left_in_right"))
    assert all(share > 0.9 for share in pairs.column("right_in_left"))
    assert set(pairs.column("verified")) == {True}
    text = {doc.id: doc.text for doc in docs}
    rows = found.passages
    columns = ("left", "right", "tokens", "left_char_start", "left_char_end", "right_char_start", "right_char_end")
    for left, right, tokens, start, end, begin, last in zip(*(rows.column(name) for name in columns), strict=True):
        assert tokens == 120
        assert text[left][start:end] == text[right][begin:last]


def test_passages_are_written(cli: Cli, tmp_path: Path) -> None:
    docs = [
        Doc("a", "\ud55c\uae00 one two three four five six", None),
        Doc("b", "one two three four five six seven", None),
    ]
    path = write_jsonl(tmp_path / "docs.jsonl", docs)
    out = tmp_path / "out"
    cli("pairs", path, "-o", out, "--id-field", "id", "--threshold", "0.3", "--passages")
    [row] = read_rows(out / "passages.parquet")
    # two Hangul syllables are one word of six bytes
    assert row == {
        "left": "a",
        "right": "b",
        "tokens": 6,
        "left_start": 7,
        "left_end": 34,
        "right_start": 0,
        "right_end": 27,
        "left_char_start": 3,
        "left_char_end": 30,
        "right_char_start": 0,
        "right_char_end": 27,
    }


def test_there_are_no_passages_without_the_option() -> None:
    with pytest.raises(UsageError, match="there are: pairs"):
        _ = neardup.find_pairs(["one two three"] * 2).passages


def test_a_secret_seed_draws_another_sample(tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "docs.jsonl", texts()[:20])
    secret = tmp_path / "secret"
    line = str(classics.contained(m=60))
    found = []
    for number in range(3):
        secret.write_bytes(bytes([number]) * 32)
        drawn = line.replace("moduli:60", f"moduli:60 seed=file:{secret}")
        pairs = neardup.find_pairs(path, scheme=drawn, id_field="id")
        assert str(secret) not in pairs.json
        assert "seed=check:" in pairs.scheme
        found.append(set(pairs.pairs.column("left")))
    # a sparse sample misses some pairs; which ones depends on the secret
    assert len({frozenset(names) for names in found}) == 3


def test_texts_that_are_too_short_to_be_contained_are_counted() -> None:
    texts = ["a lamp by the quay", "a lamp by the quay burns all night long", "burns all night"]
    found = neardup.find_pairs(texts, scheme=neardup.classics.contained(m=1))
    note = "1 of 3 documents is shorter than one feature of `shingles:5`: no longer text is found to contain it"
    assert any(line.startswith(note) for line in found.summary["notes"])
    assert len(found.pairs) == 1
    for scheme in (neardup.classics.contained(m=1, w=3), neardup.classics.banding()):
        notes = neardup.find_pairs(texts, scheme=scheme).summary["notes"]
        assert not any("to contain them" in line for line in notes)


def test_the_guide_finds_and_drops_every_question(tmp_path: Path) -> None:
    """The corpus has forty questions of 8 to 40 words, each copied into a text of several hundred words."""
    random = Random(40)

    def words(count: int) -> str:
        return " ".join(f"w{random.randrange(4000)}" for _ in range(count))

    questions = [words(8 + 32 * number // 39) for number in range(40)]
    train = [f"{words(random.randint(200, 800))} {question} {words(300)}" for question in questions]
    train += [words(600) for _ in range(60)]
    inputs, against = (
        write_jsonl(tmp_path / f"{name}.jsonl", [Doc(f"{name}{at:03}", text) for at, text in enumerate(texts)])
        for name, texts in (("train", train), ("test", questions))
    )
    guide = (Path(__file__).parents[2] / "docs/guides/contamination.md").read_text(encoding="utf-8")
    [listing, dropping] = re.findall(r'^\$ neardup (?:pairs|dedup) .* --scheme "(.*)"$', guide, re.MULTILINE)
    pairs = neardup.find_pairs(inputs, against=[Path(against)], id_field="id", scheme=listing).pairs
    expected = [(f"train{number:03}", f"test{number:03}") for number in range(40)]
    assert sorted(zip(pairs.column("left"), pairs.column("right"), strict=True)) == expected
    found = neardup.dedup(inputs, against=[Path(against)], id_field="id", scheme=dropping).decisions
    columns = zip(*(found.column(name) for name in ("id", "verdict", "original")), strict=True)
    assert sorted((one, original) for one, verdict, original in columns if verdict == "drop") == expected
