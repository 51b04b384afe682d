"""No scheme costs the square of the number of documents that share a key, and every scheme reports its capped keys."""

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow
import pytest

import hostile
import neardup
from neardup.schemes import classics
from neardup.schemes.named import find_named

CAP = 20
SMALL, LARGE = 400, 1600
COMMON = 1000
"""Number of documents above which a key is common, and rarer keys replace it, if the measure has a resemblance."""
COMPLETE = ("exact-join", "spotsigs")
UNCAPPED = (*COMPLETE, "banding")
FINGERPRINTS = ("simhash", "simhash-128", "random-projection", "given-fingerprints")
VERBS: dict[str, Callable[..., Any]] = {
    "dedup": neardup.dedup,
    "cluster": neardup.cluster,
    "pairs": neardup.find_pairs,
}


@cache
def make(corpus: str, count: int) -> list[str]:
    return list(hostile.CORPORA[corpus](count))


@cache
def make_fingerprints(corpus: str, count: int) -> pyarrow.Table:
    return pyarrow.table({"text": pyarrow.array(hostile.FINGERPRINTS[corpus](count), pyarrow.uint64())})


def documents(name: str, corpus: str, count: int) -> Any:
    return (make_fingerprints if name == "given-fingerprints" else make)(corpus, count)


def capped(name: str, cap: int) -> str:
    """Return the scheme line of a classic with another cap."""
    tokens, features, signature, keys, measure = str(find_named(name)).split(" | ")
    over = "" if "over=drop" in keys else " over=star"
    keys = re.sub(r" cap=\d+", f" cap={cap}", keys) if "cap=" in keys else f"{keys} cap={cap}{over}"
    return " | ".join([tokens, features, signature, keys, measure])


def work(outcome: Any) -> tuple[float, float]:
    """Return the proposed pairs and the full comparisons per document."""
    documents, effort = outcome.summary["counts"]["documents"], outcome.summary["effort"]
    return effort["proposed"] / documents, effort["compared"] / documents


def assert_level(small: Any, large: Any) -> None:
    for before, after in zip(work(small), work(large), strict=True):
        assert after <= 1.5 * before + 5, (before, after)


@pytest.mark.parametrize("verb", ["cluster", "pairs"])  # clusters have leaders as in dedup
@pytest.mark.parametrize(
    ("name", "corpus"),
    [
        (name, corpus)
        for name in classics.CLASSICS
        for corpus in hostile.CORPORA
        # up to 2,048 fingerprints of a key are compared with each other; see test_large_keys_of_fingerprints
        if name not in COMPLETE and (name not in FINGERPRINTS or corpus == "shuffled")
    ],
)
def test_work_grows_with_the_documents(name: str, verb: str, corpus: str) -> None:
    line = capped(name, CAP)
    small, large = (VERBS[verb](documents(name, corpus, count), scheme=line) for count in (SMALL, LARGE))
    assert_level(small, large)
    assert all(one["size"] > CAP for one in large.summary["capped"])
    # if the cap changed the result, its keys are reported
    free = VERBS[verb](documents(name, corpus, SMALL), scheme=capped(name, 10**6))
    assert free.summary["capped"] == []
    assert small.digest == free.digest or small.summary["capped"]


@pytest.mark.parametrize("corpus", hostile.CORPORA)
@pytest.mark.parametrize("name", UNCAPPED)
def test_keys_without_a_cap_lose_nothing_and_cost_less_than_the_square(name: str, corpus: str) -> None:
    scheme = find_named(name)
    # there are sixteen bands, so more documents are needed until all keys of the boilerplate are common
    sizes = (SMALL, LARGE) if name in COMPLETE else (8 * COMMON, 24 * COMMON)
    small, large = (neardup.cluster(make(corpus, count), scheme=scheme) for count in sizes)
    assert_level(small, large)
    assert large.summary["passes"][0]["caps"] == [None]
    assert large.summary["capped"] == []
    # the result is the same without the rarest features, which a cap turns off
    assert small.digest == neardup.cluster(make(corpus, sizes[0]), scheme=capped(name, 10**6)).digest


@pytest.mark.parametrize("name", ["banding", "exact-join"])
@pytest.mark.parametrize("verb", ["dedup", "cluster"])
def test_a_text_just_below_the_threshold_is_not_compared_with_the_family(verb: str, name: str) -> None:
    found = VERBS[verb](list(hostile.nearly_near(24 * COMMON)), scheme=find_named(name))
    proposed, compared = work(found)
    assert found.summary["counts"]["kept"] > 4 * COMMON
    # a document is still proposed with others by keys that are almost common, of which it has at most sixteen
    assert proposed < COMMON / 8
    assert compared < 1


@pytest.mark.parametrize("corpus", hostile.CORPORA)
@pytest.mark.parametrize("name", COMPLETE)
def test_shortened_lists_of_complete_keys_are_reported(name: str, corpus: str) -> None:
    scheme = find_named(name)
    small, large = (neardup.find_pairs(make(corpus, count), scheme=scheme, max_family=CAP) for count in (SMALL, LARGE))
    assert_level(small, large)
    free = neardup.find_pairs(make(corpus, SMALL), scheme=scheme, max_family=10**6)
    assert small.digest == free.digest or small.summary["capped"]


@pytest.mark.parametrize("corpus", ["spam", "boilerplate"])
def test_large_keys_of_fingerprints(corpus: str, *, deep: bool) -> None:
    scheme = classics.given_fingerprints()
    sizes = (80_000, 320_000) if deep else (40_000, 120_000)
    small, large = (neardup.dedup(make_fingerprints(corpus, count), scheme=scheme) for count in sizes)
    assert_level(small, large)


def test_unrelated_fingerprints_of_one_block_are_separated_by_more_bits() -> None:
    proposed, _ = work(neardup.dedup(make_fingerprints("one-key", 40_000), scheme=classics.given_fingerprints()))
    assert proposed < 40_000 / 1000


def test_capped_lists_of_the_default_are_reported() -> None:
    """By default the pairs of a very large family are not all listed."""
    summary = neardup.find_pairs(make("shuffled", 10_100)).summary
    assert summary["passes"][0]["caps"] == [10_000]
    assert summary["capped"]
    assert all(10_000 < one["size"] <= 10_100 and len(one["sample"]) == 5 for one in summary["capped"])


def test_spam_of_one_key_is_found_under_every_policy() -> None:
    """Each family that shares a capped key keeps one document, the first in policy order."""
    block = [" ".join(f"x{family}y{at}" for at in range(40)) for family in range(7)]
    texts = [f"{text} {block[at % 7]}" for at, text in enumerate(make("spam", 700))]
    for keep in ("first", "latest", "longest"):
        free, tight = (
            neardup.dedup(
                texts, keep=keep, scheme=f"words | shingles:5 | minhash:96 | bands:16x6{cap} | resemblance>=0.8"
            )
            for cap in ("", " cap=50")
        )
        assert tight.summary["capped"]
        assert tight.digest == free.digest
        assert tight.summary["counts"]["kept"] == 7


def test_the_command_and_the_report_show_capped_keys(cli: Any, tmp_path: Path) -> None:
    path = tmp_path / "docs.jsonl"
    path.write_text(
        "".join(f'{{"text": {text!r}}}\n'.replace("'", '"') for text in make("spam", 100)), encoding="utf-8"
    )
    line = "words | shingles:5 | minhash:96 | bands:16x6 cap=50 | resemblance>=0.8"
    printed = cli("dedup", path, "-o", tmp_path / "out", "--scheme", line).stdout
    assert re.search(
        r"^capped keys +\d+ of more than 50 documents, not compared pair by pair; listed in run.json$",
        printed,
        re.MULTILINE,
    )
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert "Capped keys" in page
    assert "starred" in page
