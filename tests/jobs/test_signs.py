"""Signs that bear meaning: kept apart at threshold 1, counted below it, and never passed over in silence."""

from pathlib import Path

import pytest

import neardup
from command import Cli
from neardup import UsageError
from neardup.inputs.sources import Engine
from records import write_records

SENTENCE = "solve for x and give the answer as a whole number of apples"
TEXTS = [
    f"{SENTENCE} x + 12 = 40",
    f"{SENTENCE} x - 12 = 40",
    f"{SENTENCE.upper()}, x + 12 = 40.",
    f"{SENTENCE} x / 12 = 40 👍",
    "the quay was empty and the last boat had left for the island",
    "The quay was empty, and the last boat had left for the island.",
    "the quay was empty and the last boat had left for the mainland",
]
IDS = [f"d{number}" for number in range(len(TEXTS))]
DOCUMENTS = [{"id": name, "text": text} for name, text in zip(IDS, TEXTS, strict=True)]


def test_threshold_1_keeps_texts_that_differ_in_a_sign() -> None:
    found = neardup.dedup(TEXTS, threshold="1")
    assert found.kept_rows == [0, 1, 3, 4, 6]
    assert found.summary["scheme"].startswith("words signs=keep | shingles:5 |")
    assert "signs_only" not in found.summary["counts"]


@pytest.mark.on_spark(1)
def test_below_it_they_are_dropped_counted_and_the_option_is_named(tmp_path: Path, engine: Engine | None) -> None:
    path = write_records(tmp_path / "docs.jsonl", DOCUMENTS)
    found = neardup.dedup(path, id_field="id", threshold="0.9", engine=engine)
    assert found.kept_rows == [0, 4, 6] if engine is None else found.summary["counts"]["kept"] == 3
    assert found.summary["counts"]["lexical"] == 4
    assert found.summary["counts"]["signs_only"] == 2
    [note] = [note for note in found.summary["notes"] if "signs" in note]
    assert note.startswith("2 of the dropped documents differ from the original in signs only")
    assert "--threshold 1" in note
    assert "signs=keep" in note


def test_texts_that_differ_in_layout_alone_are_not_counted() -> None:
    found = neardup.dedup(["A text, of some words!", "a  text of\nsome words", "“a text” of some words"])
    assert found.kept_rows == [0]
    assert found.summary["counts"]["signs_only"] == 0
    assert not any("signs" in note for note in found.summary["notes"])


@pytest.mark.parametrize("unit", ["chars", "lines", "bytes", "code"])
def test_units_in_which_signs_are_compared_count_nothing(unit: str) -> None:
    line = f"{unit} | shingles:1 | whole | prefix:0.5 | resemblance>=0.5"
    assert "signs_only" not in neardup.dedup(TEXTS, scheme=line).summary["counts"]


def test_a_scheme_line_decides_alone() -> None:
    line = "words | shingles:5 | whole | prefix:1 | resemblance>=1"
    found = neardup.dedup(TEXTS, scheme=line)
    assert (found.summary["scheme"], found.kept_rows) == (line, [0, 4, 6])
    kept = neardup.dedup(TEXTS, scheme=line.replace("words", "words signs=keep"))
    assert kept.kept_rows == [0, 1, 3, 4, 6]


def test_each_pass_counts_what_it_dropped() -> None:
    lines = ["words signs=keep | shingles:5 | whole | prefix:1 | resemblance>=1"]
    lines.append("words | shingles:5 | whole | prefix:0.9 | resemblance>=0.9")
    counts = neardup.dedup(TEXTS, scheme=" ; ".join(lines)).summary["counts"]
    assert (counts["kept"], counts["signs_only"]) == (3, 2)


def test_recluster_at_1_needs_signs(tmp_path: Path) -> None:
    for name, threshold in (("without", "0.9"), ("with", "1")):
        neardup.find_pairs(TEXTS, threshold=threshold, output=tmp_path / name)
    assert len(neardup.recluster(tmp_path / "with", "1").clusters) == 4
    for thresholds in (["1"], ["0.95", "1"]):
        with pytest.raises(UsageError, match=r"without: a result without signs, .*run it again with --threshold 1"):
            neardup.results.at_thresholds(tmp_path / "without", thresholds)
    with pytest.raises(UsageError, match="signs"):
        neardup.recluster(tmp_path / "without", "1")
    assert len(neardup.recluster(tmp_path / "without", "0.95").clusters) > 0


def test_the_difference_shows_the_sign() -> None:
    changes = neardup.explain(TEXTS[0], TEXTS[1]).changes
    assert [(change.kind, change.text.strip()) for change in changes if change.kind != "equal"] == [
        ("removed", "+"),
        ("added", "-"),
    ]


def test_the_command_prints_the_tokens(tmp_path: Path, cli: Cli) -> None:
    path = tmp_path / "note.txt"
    path.write_text("Thun\u00adder\u00adstorm x + 12", encoding="utf-8")
    lines = cli("explain", "--tokens", path).stdout.splitlines()
    assert lines == ["thunderstorm\t0\t16\tThun<U+00AD>der<U+00AD>storm", "x\t17\t18", "12\t21\t23"]
    line = "words signs=keep | shingles:5 | whole | prefix:1 | resemblance>=1"
    assert "+\t19\t20" in cli("explain", "--tokens", path, "--scheme", line).stdout.splitlines()
    assert '"folded": true' in cli("explain", "--tokens", path, "--json").stdout
    assert "leave out B" in cli("explain", "--tokens", path, path, code=2).stderr
    assert "--tokens takes A alone" in cli("explain", path, code=2).stderr
