"""Real texts in English, in Korean, with Chinese or Japanese, and others, compared with the slow oracle."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sets import TEXTS, read_records

from oracle import Corpus, Doc

HAN = re.compile(r"[\u4e00-\u9fff]")
HANGUL = re.compile(r"[\uac00-\ud7a3]")
MOST, FEW, PART = 300, 60, 12
"""Documents in a sample of the deep tier, by default, and in a row of one set; the oracle compares every pair."""
LONGEST = 20_000
"""Maximum characters of a sampled text."""


def share(pattern: re.Pattern[str], text: str) -> float:
    return len(pattern.findall(text)) / len(text) if text else 0.0


def has_han(text: str) -> bool:
    return HAN.search(text) is not None


def is_korean(text: str) -> bool:
    return share(HANGUL, text) > 0.2


def is_english(text: str) -> bool:
    return text.isascii()


def is_mixed(text: str) -> bool:
    return not text.isascii() and not has_han(text) and not is_korean(text)


def sample(data: Path, wanted: Callable[[str], bool], *, deep: bool) -> list[Doc]:
    """Return runs of consecutive documents of each set, so that families stay together; every set has an equal part."""

    def fitting(name: str) -> Iterator[Doc]:
        for row in read_records(data / name / "docs.jsonl.zst"):
            if len(row["text"]) <= LONGEST and wanted(row["text"]):
                yield Doc(row["id"], row["text"])

    most = MOST if deep else FEW
    sources = [fitting(name) for name in TEXTS]
    docs: list[Doc] = []
    while sources and len(docs) < most:
        for source in list(sources):
            taken = [doc for doc, _ in zip(source, range(PART), strict=False)]
            if not taken:
                sources.remove(source)
            docs += taken
    return docs[:most]


@pytest.mark.parametrize("wanted", [is_english, is_korean, has_han, is_mixed], ids=lambda wanted: wanted.__name__)
def test_exact_runs_equal_the_oracle(
    wanted: Callable[[str], bool],
    data: Path,
    tmp_path: Path,
    deep: bool,
    run: Callable[..., Path],
    rows: Callable[[Path], list[dict[str, Any]]],
) -> None:
    """Pairs with their rules and counts, and every decision, equal those of the oracle."""
    docs = sample(data, wanted, deep=deep)
    if not docs:
        pytest.skip("no such texts in this folder")
    path = tmp_path / "docs.jsonl"
    with path.open("w", encoding="utf-8", newline="\n") as file:
        # every other line has \uXXXX escapes, so both forms of JSON strings are read
        for number, doc in enumerate(docs):
            record = {"id": doc.id, "text": doc.text}
            file.write(json.dumps(record, ensure_ascii=number % 2 == 0) + "\n")
    corpus = Corpus(docs)
    columns = ("left", "right", "rule", "shared", "left_size", "right_size")
    found = rows(run("pairs", path, "--recall", "exact") / "pairs.parquet")
    assert [tuple(row[column] for column in columns) for row in found] == [tuple(pair) for pair in corpus.pairs()]
    decisions = rows(run("dedup", path, "--recall", "exact", "--no-kept") / "decisions.parquet")
    expected = {name: original for name, (original, _, _) in corpus.originals("first").items()}
    assert {row["id"]: row["original"] for row in decisions} == expected
