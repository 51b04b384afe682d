#!/usr/bin/env python3
"""Compare the extractors of main content: F1, precision and recall beside their speed.

usage: main_text.py SET...

A set is a folder with docs.jsonl (id, html) and truth.jsonl (id, main_text), each also as .zst: pydoc_html of the
labelled data, or what marked_pages.py made. Scores are means over pages of the sets of shingles of four words. The
extractors take turns page by page on one core, so that they are measured under the same load. The rows `half 0` and
`half 1` are the pages by a bit of the CRC of their ids: rules that are adjusted on one half are judged by the other.
"""

import sys
from pathlib import Path
from time import perf_counter
from zlib import crc32

from table import lay_out, portion

from neardup.corpus.extractors import NAMES, label_of
from neardup.corpus.markup import extract_texts

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "quality"))
from main_texts import Page, Score, mean, read_pages, score

WHOLE = "whole page"
HEAD = ["set", "extractor", "pages", "F1", "precision", "recall", "half 0", "half 1", "pages/s"]


def measure(pages: list[Page]) -> dict[str, tuple[list[Score], float]]:
    """Return the score of each page by each extractor, and the seconds that it took."""
    scores: dict[str, list[Score]] = {name: [] for name in (*NAMES, WHOLE)}
    seconds = dict.fromkeys(scores, 0.0)
    for name in scores:
        # the library is loaded before it is timed
        extract_texts([pages[0].html], None if name == WHOLE else name)
    for page in pages:
        for name, rows in scores.items():
            start = perf_counter()
            [(text, _, _)] = extract_texts([page.html], None if name == WHOLE else name)
            seconds[name] += perf_counter() - start
            rows.append(score(text or "", page.main_text))
    return {name: (rows, seconds[name]) for name, rows in scores.items()}


def list_rows(folder: Path) -> list[list[str]]:
    """Return a row of the table for each extractor."""
    pages = list(read_pages(folder))
    halves = [crc32(page.id.encode()) & 1 for page in pages]
    rows = []
    for name, (scores, seconds) in measure(pages).items():
        parts = [mean([one for one, half in zip(scores, halves, strict=True) if half == wanted]) for wanted in (0, 1)]
        label = name if name == WHOLE else label_of(name)
        shares = [*mean(scores), *(part.f1 for part in parts)]
        rows.append([folder.name, label, str(len(pages)), *map(portion, shares), f"{len(pages) / seconds:.1f}"])
    return rows


if __name__ == "__main__":
    if len(sys.argv) < 2:
        raise SystemExit(__doc__)
    print(lay_out([HEAD, *(row for name in sys.argv[1:] for row in list_rows(Path(name)))]))
