"""Profiles on labelled sets, beside the default scheme; and the effect of leaving frames out on pages of one site."""

from pathlib import Path

import pytest
from floors import Scores
from labelled import FIRST, Found, Labelled, Rows, Run, read_stated, write_planted
from planted import plant, read_alone, retype, scan
from programs import CHANGES, write_files
from sets import read_records

SITE = "https://site.example"
"""Host for sets whose URLs have none."""


ALTERNATIVES = {
    "noisy": {"pairs of words": "words | shingles:2 | minhash:auto | bands:auto | resemblance>=0.45"},
    "short": {"words": "words | shingles:1 | whole | prefix:0.5 | resemblance>=0.5"},
    "code": {"words by three": "words | shingles:3 | minhash:auto | bands:auto | resemblance>=0.5"},
}
"""Obvious alternatives to each profile, which are not as good."""


def read_pages(name: str, data: Path, path: Path) -> Labelled:
    """Read a set whose labels are pages."""
    clusters = {row["id"]: row["cluster"] for row in read_records(data / name / "truth.jsonl.zst")}
    pages = ({**row, "url": row["url"].replace("repo:", SITE)} for row in read_records(data / name / "docs.jsonl.zst"))
    return Labelled(path, pages, lambda document: str(clusters[document]))


def compare(profile: str, name: str, labelled: Labelled, run: Run, rows: Rows, scores: Scores, *options: str) -> None:
    """Score a profile; the note has the figures of the default scheme and the alternatives on the same documents."""
    notes = []
    for title, scheme in (("the default", None), *ALTERNATIVES.get(profile, {}).items()):
        other = labelled.score(run, rows, scheme, *options)
        notes.append(f"{title}: recall {other['recall']:.4f}, precision {other['precision']:.4f}")
    scores.add(f"profile {profile}", name, "; ".join(notes), **labelled.score(run, rows, profile, *options))


@pytest.mark.parametrize("hundredths", [2, 5, 8])
def test_noisy(hundredths: int, data: Path, tmp_path: Path, run: Run, rows: Rows, scores: Scores) -> None:
    texts = read_alone(data / "law_codes_19c_dev", 300, 3000)
    labelled = write_planted(plant(texts, scan(hundredths / 100)), tmp_path / "docs.jsonl")
    compare("noisy", f"law_codes_19c_dev, {hundredths} in 100 mistaken", labelled, run, rows, scores)


@pytest.mark.shows
@pytest.mark.parametrize("edits", [1, 2, 3])
@pytest.mark.parametrize("name", ["nsmc_reviews", "cve_2020_2021"])
def test_short(name: str, edits: int, data: Path, tmp_path: Path, run: Run, rows: Rows, scores: Scores) -> None:
    texts = [text for text in read_alone(data / name, 12, 30_000) if len(text) <= 140][:3000]
    labelled = write_planted(plant(texts, retype(edits)), tmp_path / "docs.jsonl")
    compare("short", f"{name}, {edits} edits", labelled, run, rows, scores)


@pytest.mark.parametrize(
    ("profile", "name"), [("noisy", "law_codes_19c_dev"), ("short", "nsmc_reviews"), ("short", "cve_2020_2021")]
)
def test_stated_pairs(
    profile: str, name: str, data: Path, tmp_path: Path, deep: bool, run: Run, rows: Rows, scores: Scores
) -> None:
    """Recall of pairs that a set lists by its own definition, except those near its threshold of 0.5."""
    stated = read_stated(data, name, tmp_path / "docs.jsonl", None if deep else FIRST)
    wanted = stated.reaching(0.55)

    def recall(*options: str) -> float:
        table = rows(run("pairs", stated.path, "--max-family", "1000000", *options) / "pairs.parquet")
        return len(wanted & {(row["left"], row["right"]) for row in table}) / len(wanted)

    note = f"{len(wanted):,} pairs; the default: recall {recall():.4f}"
    scores.add(f"profile {profile}", f"{name}, stated pairs", note, recall=recall("--scheme", profile))


@pytest.mark.parametrize("change", CHANGES)
def test_code(change: str, data: Path, tmp_path: Path, run: Run, rows: Rows, scores: Scores) -> None:
    labelled = write_planted(write_files(800, CHANGES[change]), tmp_path / "docs.jsonl")
    compare("code", f"made programs, {change}", labelled, run, rows, scores)


READINGS = {
    "raw HTML": ("--text-field", "html"),
    "its text": ("--html-field", "html"),
    "main content": ("--html-field", "html", "--main-content", "--extractor", "resiliparse"),
    "main content by auto": ("--html-field", "html", "--main-content"),
}


@pytest.mark.parametrize("reading", READINGS)
def test_web(reading: str, data: Path, tmp_path: Path, run: Run, rows: Rows, scores: Scores) -> None:
    pages = read_pages("kafka_html", data, tmp_path / "docs.jsonl")
    compare("web", f"kafka_html, {reading}", pages, run, rows, scores, "--url-field", "url", *READINGS[reading])


@pytest.mark.parametrize("name", ["react_ko_sweeps", "win32_sweeps"])
def test_web_texts(name: str, data: Path, tmp_path: Path, run: Run, rows: Rows, scores: Scores) -> None:
    pages = read_pages(name, data, tmp_path / "docs.jsonl")
    compare("web", name, pages, run, rows, scores, "--url-field", "url")


def count_false(found: list[Found], least: float) -> tuple[int, int]:
    """Return the numbers of true pairs, and of false pairs of different texts, from a resemblance of `least` on."""
    above = [one for one in found if one.resemblance >= least]
    return sum(one.is_true for one in above), sum(not one.is_true and not one.is_equal for one in above)


def find_equal_recall(found: list[Found], true: int) -> float:
    """Return the highest threshold at which `true` true pairs are found; 0 if there are fewer."""
    reached = sorted((one.resemblance for one in found if one.is_true), reverse=True)
    return reached[true - 1] if len(reached) >= true else 0.0


THRESHOLDS = {"raw HTML": (0.3, 0.4, 0.5, 0.6, 0.7, 0.8), "its text": (0.3, 0.4, 0.5, 0.6), "main content": (0.3,)}
"""Thresholds with enough false pairs of different texts.

Above them there are fewer than a hundred, or 251 where little frame is left.
"""


FRAMED = pytest.mark.deep("frames of texts cut as many false pairs as those of HTML, or of main content")


@pytest.mark.parametrize(
    "reading", ["its text", *(pytest.param(one, marks=FRAMED) for one in ("raw HTML", "main content"))]
)
def test_frames_cut_false_pairs_at_equal_recall(
    reading: str, data: Path, tmp_path: Path, run: Run, rows: Rows, scores: Scores
) -> None:
    """Share of the false pairs at a threshold that frames remove at the threshold with as many true pairs."""
    pages = read_pages("kafka_html", data, tmp_path / "docs.jsonl")
    scheme = "words | shingles:5{} | whole | prefix:0.2 | resemblance>=0.2"
    options = ("--url-field", "url", *READINGS[reading])
    whole, left = (pages.find(run, rows, scheme.format(frame), *options) for frame in ("", " frame=0.05"))
    for least in THRESHOLDS[reading]:
        true, false = count_false(whole, least)
        other = find_equal_recall(left, true)
        found, remaining = count_false(left, other)
        assert found >= true
        note = (
            f"recall {true / pages.positives:.4f}: {false:,} false pairs, {remaining:,} at {other:.4f} without frames"
        )
        scores.add("false pairs cut", f"kafka_html, {reading}, {least}", note, share=1 - remaining / false)
