"""The extractors of main content, compared with the marked main texts of pages."""

from pathlib import Path

import pytest
from floors import Scores
from main_texts import mean, read_pages, score

from neardup.corpus.markup import extract_texts

OTHERS = pytest.mark.deep("pages that these take up to a minute for: only `auto` is our own")


@pytest.mark.parametrize(
    "extractor", ["auto", pytest.param("resiliparse", marks=OTHERS), pytest.param("trafilatura", marks=OTHERS)]
)
def test_main_text(extractor: str, data: Path, scores: Scores) -> None:
    """F1, precision and recall of the sets of four words, as the mean over pages."""
    pages = list(read_pages(data / "pydoc_html"))
    texts = extract_texts([page.html for page in pages], extractor)
    found = [score(one.text or "", page.main_text) for one, page in zip(texts, pages, strict=True)]
    scores.add("main text", f"pydoc_html, {extractor}", f"{len(pages)} pages", **mean(found)._asdict())
