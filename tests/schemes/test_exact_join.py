"""The exact join finds every pair, examines few others, and reports the memory that it needs."""

import json
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest

import hostile
import neardup
from command import run_neardup
from neardup.inputs.sources import Engine
from records import enough, write_records

MOST_PROPOSED = 10
"""Upper bound on the proposed pairs per document: with its leader, and with some that share a rare phrase."""


def texts_of_families(random: Random, count: int) -> list[str]:
    """Return texts of 1 to 49 words, and copies of them with words changed and moved."""
    words = [f"w{number}" for number in range(400)]
    texts: list[str] = []
    for _ in range(count):
        kind = random.randrange(4)
        text = random.choice(texts).split() if texts and kind else random.choices(words, k=random.randrange(1, 50))
        for _ in range(random.randrange(4) if kind > 1 else 0):
            text[random.randrange(len(text))] = random.choice(words)
        at = random.randrange(len(text)) if kind > 2 else 0
        texts.append(" ".join([*text[at:], *text[:at]]))
    return texts


@pytest.mark.on_spark(0)
@pytest.mark.parametrize("threshold", ["0.05", "0.3", "1/2", "2/3", "0.8", "0.95", "1"])
def test_every_pair_at_or_above_the_threshold(threshold: str, engine: Engine | None) -> None:
    texts = texts_of_families(Random(threshold), 300)
    sets = []
    for text in texts:
        words = text.split()
        sets.append({tuple(words[at : at + 2]) for at in range(max(1, len(words) - 1))})
    least = Fraction(threshold)
    expected = {
        (left, right, len(sets[left] & sets[right]))
        for right in range(len(sets))
        for left in range(right)
        if Fraction(len(sets[left] & sets[right]), len(sets[left] | sets[right])) >= least
    }
    scheme = f"words | shingles:2 | whole | prefix:auto | resemblance>={threshold}"
    ids = [f"{number:03}" for number in range(len(texts))]
    documents = [neardup.Document(id=name, text=text) for name, text in zip(ids, texts, strict=True)]
    budgets: list[Any] = [{"threads": 1}, {"threads": 3, "memory": "72M"}] if engine is None else [{}]
    for budget in budgets:
        found = neardup.find_pairs(documents, scheme=scheme, engine=engine, **budget).pairs
        columns = [found.column(name) for name in ("left", "right", "shared")]
        assert {(int(left), int(right), shared) for left, right, shared in zip(*columns, strict=True)} == expected


@pytest.mark.parametrize("verb", [neardup.dedup, neardup.cluster])
@pytest.mark.parametrize("corpus", hostile.CORPORA)
def test_common_features_are_not_keys(corpus: str, verb: Any) -> None:
    """All documents share a block; only documents that share a rare feature are proposed."""
    documents = list(hostile.CORPORA[corpus](3000))
    effort = verb(documents, recall="exact").summary["effort"]
    assert effort["proposed"] <= MOST_PROPOSED * len(documents)


def test_documents_of_unique_words_are_not_proposed() -> None:
    documents = [" ".join(f"d{number}w{at}" for at in range(40)) for number in range(2000)]
    shared = "all of them begin and end with the same long sentence which is too little to be alike"
    effort = neardup.dedup([f"{shared} {text}" for text in documents], recall="exact").summary["effort"]
    assert effort == {"proposed": 0, "compared": 0}


def test_too_little_memory_for_features_is_refused_with_the_need(tmp_path: Path) -> None:
    """Counting takes a byte for each of some million features, besides the memory of any run."""
    random = Random(5)
    records = [{"id": str(at), "text": "".join(random.choices("abcdefghijklmnop", k=60_000))} for at in range(120)]
    docs = write_records(tmp_path / "docs.jsonl", records)
    scheme = "chars | shingles:9 | whole | prefix:auto | resemblance>=0.9"
    arguments: list[str | Path] = ["dedup", docs, "-o", tmp_path / "out", "--id-field", "id", "--threads", "1"]
    arguments += ["--scheme", scheme, "--no-kept", "--quiet"]
    done = run_neardup(*arguments, "--memory", "55M", code=2)
    assert "too little for counting in how many documents each feature occurs" in done.stderr
    run_neardup(*arguments, "--memory", enough(done.stderr))
    assert json.loads((tmp_path / "out" / "run.json").read_text())["counts"]["kept"] == len(records)
