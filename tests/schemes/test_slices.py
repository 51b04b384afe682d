"""A component larger than the memory is processed in slices, which does not change the results."""

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

import kills
from command import run_neardup
from records import enough, write_records

# Documents that share a word are candidates so often that nearly all are in one component.
SCHEME = kills.ONE_COMPONENT
CAPPED = "words | shingles:1 | minhash:24 | bands:24x1 cap=20 | resemblance>=0.6"
VERBS = [["dedup"], ["dedup", "--keep", "longest"], ["cluster"], ["cluster", "--pairs"], ["pairs"]]
TWO_PASSES = f"words | shingles:2 | minhash:24 | bands:8x3 | resemblance>=0.9 ; {SCHEME}"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    random = Random(11)
    words = [f"word{number}" for number in range(3000)]
    records = []
    for family in range(5000):
        base = random.choices(words, k=random.randrange(8, 20))
        for member in range(random.choice([1, 1, 2, 3, 5])):
            copy = [word if random.random() < 0.93 else random.choice(words) for word in base]
            records.append({"id": f"{family}/{member}", "text": " ".join(copy)})
    random.shuffle(records)
    folder = tmp_path_factory.mktemp("slices")
    write_records(folder / "docs.jsonl", records[2000:])
    write_records(folder / "reference.jsonl", [{**record, "id": f"r{record['id']}"} for record in records[:4000]])
    return folder


def results(out: Path) -> dict[str, Any]:
    run = json.loads((out / "run.json").read_text())
    return {name: run[name] for name in ("digest", "counts", "certificate")}


@pytest.mark.parametrize("against", [False, True], ids=["", "against"])
@pytest.mark.parametrize("scheme", [SCHEME, CAPPED, TWO_PASSES], ids=["default", "capped", "two passes"])
@pytest.mark.parametrize("verb", VERBS, ids=" ".join)
def test_slices_change_nothing(verb: list[str], scheme: str, against: bool, folder: Path, tmp_path: Path) -> None:
    arguments: list[str | Path] = [*verb, folder / "docs.jsonl", "--id-field", "id", "--scheme", scheme]
    arguments += ["--against", folder / "reference.jsonl"] if against else []
    run_neardup(*arguments, "-o", tmp_path / "roomy")
    run_neardup(*arguments, "-o", tmp_path / "tight", *kills.TIGHT)
    assert results(tmp_path / "tight") == results(tmp_path / "roomy")


@pytest.mark.parametrize("verb", VERBS, ids=" ".join)
def test_a_certificate_draws_the_same_from_common_keys(verb: list[str], tmp_path: Path) -> None:
    """Pages of one frame share many rare features, and with them many equal buckets, of which one is kept."""
    random = Random(12)
    frames = [" ".join(f"frame{frame}word{word}" for word in range(10)) for frame in range(12)]
    block = " ".join(f"block{word}" for word in range(60))
    texts = [f"{block} {random.choice(frames)} own{at} own{at + 1}" for at in range(3000)]
    write_records(tmp_path / "docs.jsonl", [{"id": f"d{at}", "text": text} for at, text in enumerate(texts)])
    arguments: list[str | Path] = [*verb, tmp_path / "docs.jsonl", "--id-field", "id"]
    run_neardup(*arguments, "-o", tmp_path / "roomy", "--threads", "3")
    run_neardup(*arguments, "-o", tmp_path / "tight", *kills.TIGHT)
    roomy, tight = results(tmp_path / "roomy"), results(tmp_path / "tight")
    assert roomy["certificate"]["seen"] > 0
    assert roomy["certificate"]["drawn"] < 3000
    assert tight == roomy


def test_a_forest_is_not_built_in_slices(folder: Path, tmp_path: Path) -> None:
    arguments: list[str | Path] = ["cluster", folder / "docs.jsonl", "--forest", "--id-field", "id", "--scheme", SCHEME]
    arguments += ["-o", tmp_path / "out"]
    done = run_neardup(*arguments, *kills.TIGHT, code=2)
    assert "the forest of the largest family of documents that keys connect" in done.stderr
    run_neardup(*arguments, *kills.TIGHT[:-1], enough(done.stderr))
