"""Extracted texts compared with the marked main texts of pages."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from sets import read_records

SHINGLE = 4
"""Number of words in a shingle."""
_WORD = re.compile(r"\w+")


class Page(NamedTuple):
    """A page of HTML and its marked main text."""

    id: str
    html: str
    main_text: str


class Score(NamedTuple):
    """How much of a text is main text, and how much of the main text it is; F1 is their harmonic mean."""

    f1: float
    precision: float
    recall: float


def read_pages(folder: Path) -> Iterator[Page]:
    """Yield the pages of a set, with docs.jsonl (id, html) and truth.jsonl (id, main_text), which may end in .zst."""
    docs, truth = (_records(folder, name) for name in ("docs", "truth"))
    main_texts = {row["id"]: row["main_text"] for row in truth}
    yield from (Page(row["id"], row["html"], main_texts[row["id"]]) for row in docs)


def _records(folder: Path, name: str) -> Iterable[dict[str, str]]:
    packed = folder / f"{name}.jsonl.zst"
    return read_records(packed if packed.exists() else folder / f"{name}.jsonl")


def score(text: str, main_text: str) -> Score:
    """Compare the sets of shingles of a text with those of the main text, in lower case."""
    found, wanted = _shingles(text), _shingles(main_text)
    both = len(found & wanted)
    if not found or not wanted:
        same = float(found == wanted)
        return Score(same, same, same)
    return Score(2 * both / (len(found) + len(wanted)), both / len(found), both / len(wanted))


def mean(scores: list[Score]) -> Score:
    """Return the mean over pages."""
    return Score(*(sum(figures) / len(scores) for figures in zip(*scores, strict=True)))


def _shingles(text: str) -> set[tuple[str, ...]]:
    words = _WORD.findall(text.lower())
    return {tuple(words[at : at + SHINGLE]) for at in range(max(1, len(words) - SHINGLE + 1))} if words else set()
