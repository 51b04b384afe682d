"""Folds on texts that are damaged as scans, old prints and other spellings do, beside the same line without them."""

import json
from pathlib import Path

import pytest
from floors import Scores
from labelled import FIRST, Labelled, Rows, Run, Stated, read_stated, write_planted
from planted import Damage, accent, divide, in_turn, plant, read_alone, respell, scan, set_in_old_type
from spellings import BARE, JOINER, compose, point, write_digits

DEFAULT = "words{} | shingles:5 | minhash:auto | bands:auto | resemblance>=0.8"
NOISY = "chars{} | shingles:5 | minhash:auto | bands:auto | resemblance>=0.5"
EXACT = "words{} | shingles:5 | whole | prefix:auto | resemblance>=0.5"
"""Lines with a place for the option: the default one, the profile noisy, and all pairs of the default one at 0.5."""

Pair = tuple[str, str]


def write_note(figures: dict[str, float]) -> str:
    """Return the figures of a line without folds as a note."""
    return f"without: recall {figures['recall']:.4f}, precision {figures['precision']:.4f}"


def compare(
    folds: str, name: str, labelled: Labelled, run: Run, rows: Rows, scores: Scores, line: str = DEFAULT
) -> None:
    """Score a line with folds; the note has its figures without them."""
    note = write_note(labelled.score(run, rows, line.format("")))
    scores.add(f"fold {folds}", name, note, **labelled.score(run, rows, line.format(f" fold={folds}")))


@pytest.fixture(scope="module")
def laws(data: Path) -> list[str]:
    """Texts of laws that are in no pair."""
    return read_alone(data / "law_codes_19c_dev", 300, 3000)


HYPHENS = {"-": "-", "not sign": "¬", "soft hyphen": "\u00ad"}


@pytest.mark.parametrize("hyphen", HYPHENS)
def test_divided_words(hyphen: str, laws: list[str], tmp_path: Path, run: Run, rows: Rows, scores: Scores) -> None:
    labelled = write_planted(plant(laws, divide(HYPHENS[hyphen])), tmp_path / "docs.jsonl")
    compare("hyphens", f"law_codes_19c_dev, words divided by {hyphen}", labelled, run, rows, scores)


@pytest.mark.parametrize("hundredths", [2, 5])
def test_accents(hundredths: int, laws: list[str], tmp_path: Path, run: Run, rows: Rows, scores: Scores) -> None:
    labelled = write_planted(plant(laws, accent(hundredths / 100)), tmp_path / "docs.jsonl")
    compare("marks", f"law_codes_19c_dev, {hundredths} accents in 100", labelled, run, rows, scores)


def test_old_type(laws: list[str], tmp_path: Path, run: Run, rows: Rows, scores: Scores) -> None:
    labelled = write_planted(plant(laws, set_in_old_type), tmp_path / "docs.jsonl")
    compare("latin", "law_codes_19c_dev, letters of old prints", labelled, run, rows, scores)


@pytest.mark.parametrize("hundredths", [2, 5, 8])
def test_scans(hundredths: int, laws: list[str], tmp_path: Path, run: Run, rows: Rows, scores: Scores) -> None:
    """All damage of a scan at once, under the line of the profile noisy."""
    damage = in_turn(scan(hundredths / 100), accent(0.02), divide("-"))
    labelled = write_planted(plant(laws, damage), tmp_path / "docs.jsonl")
    name = f"law_codes_19c_dev, divided, 2 accents and {hundredths} in 100 mistaken, noisy"
    compare("marks+hyphens", name, labelled, run, rows, scores, NOISY)


def score_stated(
    folds: str, name: str, stated: Stated, wanted: set[Pair], run: Run, rows: Rows, scores: Scores
) -> None:
    """Score the recall of the pairs that are wanted, and the share of stated pairs among all pairs that are found."""

    def find(option: str) -> set[Pair]:
        options = ("--max-family", "1000000", "--scheme", EXACT.format(option))
        table = rows(run("pairs", stated.path, *options) / "pairs.parquet")
        return {(row["left"], row["right"]) for row in table}

    def score(found: set[Pair]) -> dict[str, float]:
        return {"recall": len(wanted & found) / len(wanted), "precision": len(found & stated.pairs.keys()) / len(found)}

    without, found = find(""), find(f" fold={folds}")
    note = (
        f"{write_note(score(without))}; {len(found):,} pairs, of which {len(found - without):,} are new;"
        f" {len(without - found):,} are missing"
    )
    scores.add(f"fold {folds}", name, note, **score(found))


@pytest.mark.parametrize("folds", ["marks", "latin", "marks+latin+hyphens"])
def test_stated_pairs(folds: str, data: Path, tmp_path: Path, deep: bool, run: Run, rows: Rows, scores: Scores) -> None:
    """Real scans with little to fold: nothing is lost."""
    stated = read_stated(data, "law_codes_19c_dev", tmp_path / "docs.jsonl", None if deep else FIRST)
    wanted = stated.reaching(0.55)
    score_stated(folds, "law_codes_19c_dev, stated pairs, from 0.5", stated, wanted, run, rows, scores)


def test_soft_hyphens(data: Path, tmp_path: Path, deep: bool, run: Run, rows: Rows, scores: Scores) -> None:
    """Words that the printer divided: the set has a space for each line end after a soft hyphen."""
    stated = read_stated(data, "law_codes_19c_dev", tmp_path / "docs.jsonl", None if deep else FIRST)
    records = map(json.loads, stated.path.read_text(encoding="utf-8").rstrip("\n").split("\n"))
    divided = {record["id"] for record in records if "\u00ad" in record["text"]}
    wanted = {pair for pair in stated.reaching(0.55) if divided.intersection(pair)}
    score_stated("hyphens", "law_codes_19c_dev, divided by printers, from 0.5", stated, wanted, run, rows, scores)


SPELLINGS: dict[str, tuple[str, str, Damage]] = {
    "Arabic, letters for each other": ("arabic", "Arabic", respell(BARE, 0.05)),
    "Arabic, vowel signs": ("marks", "Arabic", point(0.01)),
    "Arabic, digits": ("digits", "Arabic", write_digits("Arabic")),
    "Persian, digits": ("digits", "Persian", write_digits("Persian")),
    "Hindi, digits": ("digits", "Hindi", write_digits("Hindi")),
    "Persian, Arabic ya": ("arabic", "Persian", respell({"ی": "ي"}, 0.1)),
    "Persian, a space for the joiner": ("joiners", "Persian", respell({JOINER: " "}, 0.1)),
    "Persian, no joiner": ("joiners", "Persian", respell({JOINER: ""}, 0.1)),
}
"""A fold, a language, and its other spelling. Without the fold a joiner is not seen, so that one left out is equal."""


@pytest.mark.parametrize("name", SPELLINGS)
def test_spellings(name: str, data: Path, tmp_path: Path, run: Run, rows: Rows, scores: Scores) -> None:
    """Texts of word lists, each beside a copy in another spelling."""
    folds, language, damage = SPELLINGS[name]
    labelled = write_planted(plant(compose(language, 1000), damage), tmp_path / "docs.jsonl")
    compare(folds, name, labelled, run, rows, scores)
