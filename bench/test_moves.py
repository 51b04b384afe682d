"""The makers of labelled moves: the same seed makes the same set, and every page has its label."""

from pathlib import Path
from random import Random

import moves
import pytest

WORDS = [f"word{number}" for number in range(500)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make labelled sweeps of 400 pages that stay."""
    folder = tmp_path_factory.mktemp("set")
    random = Random(1)
    texts = {f"repo:/a/{number}.html": ". ".join(random.choices(WORDS, k=60)) for number in range(400)}
    documents = [
        {"id": f"{url}@{sweep}", "url": url, "sweep": sweep, "text": text}
        for sweep in "12"
        for url, text in texts.items()
    ]
    labels = [{"from": "1", "to": "2", "kind": "same", "a": f"{url}@1", "b": f"{url}@2"} for url in texts]
    moves.write_records(folder / "docs.jsonl.zst", documents)
    moves.write_records(folder / "transitions.jsonl.zst", labels)
    return folder


@pytest.mark.parametrize("way", moves.WAYS)
def test_every_page_has_a_label(folder: Path, way: str) -> None:
    site = moves.make(folder, way, "3")
    begun = [step["a"] for step in site.steps if step["kind"] != "replaced" and step["a"]]
    ended = [step["b"] for step in site.steps if step["b"]]
    assert len(begun) == len(set(begun))
    assert len(ended) == len(set(ended))
    assert sorted((*begun, *ended)) == sorted(f"{url}@{sweep}" for sweep, url in site.documents)
    again = moves.make(folder, way, "3")
    assert (site.documents, site.steps) == (again.documents, again.steps)
    assert moves.make(folder, way, "4").documents != site.documents


def test_edits_change_a_text_as_far_as_asked(folder: Path) -> None:
    site = moves.make(folder, "edits", "3")
    moved = [step for step in site.steps if step["kind"] == "moved+changed"]
    texts = {f"{url}@{sweep}": text for (sweep, url), text in site.documents.items()}
    assert len(moved) > 50
    assert all(0.3 <= moves.resemblance(texts[str(one["a"])], texts[str(one["b"])]) <= 0.6 for one in moved)
