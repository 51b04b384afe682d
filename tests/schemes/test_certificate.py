"""The certificate of a run: the same for every verb and any threads, with an interval that contains the recall."""

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

import hostile
import neardup
from command import Cli
from families import make
from neardup import Document
from records import write_records

VERBS: dict[str, Callable[..., Any]] = {
    "dedup": neardup.dedup,
    "cluster": neardup.cluster,
    "pairs": neardup.find_pairs,
}


FOUND = "1, proven: all pairs of different texts with resemblance>=0.8 are found"


def documents(texts: list[str]) -> list[Document]:
    return [Document(text, id=f"d{number}") for number, text in enumerate(texts)]


def write(folder: Path, texts: list[str]) -> Path:
    records = ({"id": f"d{number}", "text": text} for number, text in enumerate(texts))
    return write_records(folder / "docs.jsonl", records)


def certify(verb: str, texts: list[str], **options: Any) -> dict[str, Any]:
    certificate: dict[str, Any] = VERBS[verb](documents(texts), **options).summary["certificate"]
    return certificate


def test_intervals_are_narrow() -> None:
    """The intervals of runs that find half of the pairs and nine of ten do not overlap."""
    texts = make("many pairs")
    half, most = (certify("pairs", texts, recall=recall) for recall in (0.5, 0.9))
    assert half["high"] < most["low"]
    assert most["high"] - most["low"] < 0.05


def test_counts_are_exact_if_every_document_is_drawn() -> None:
    texts = make("threes")
    outcome = neardup.find_pairs(documents(texts), recall=0.8)
    certificate = outcome.summary["certificate"]
    assert certificate["documents"] == certificate["drawn"] > 0
    assert certificate["found"] == certificate["seen"] == outcome.summary["counts"]["pairs"]
    # about as many pairs share exactly one band as chance predicts
    assert certificate["alone"] == pytest.approx(certificate["alone_expected"], rel=0.3)


def test_every_verb_has_the_same_certificate() -> None:
    texts = make("copies")
    assert certify("dedup", texts, recall=0.8) == certify("cluster", texts, recall=0.8)
    assert certify("dedup", texts, recall=0.8) == certify("pairs", texts, recall=0.8)
    assert certify("cluster", texts, recall=0.8, pairs=True) == certify("pairs", texts, recall=0.8)


@pytest.mark.parametrize("name", ["a large family and many pairs", "copies"])
def test_threads_and_order_change_nothing(name: str) -> None:
    texts = make(name)
    one = certify("dedup", texts, recall=0.8, threads=1)
    assert one["documents"] >= one["drawn"] > 0
    assert certify("dedup", texts, recall=0.8, threads=3) == one
    shuffled = documents(texts)
    Random(5).shuffle(shuffled)
    # documents are drawn by id; the input order decides which of two copies represents both
    if name != "copies":
        again = neardup.dedup(shuffled, recall=0.8).summary["certificate"]
        for key in ("recall", "low", "high", "found", "missed", "drawn", "seen"):
            assert again[key] == pytest.approx(one[key], rel=1e-5), key


def test_memory_changes_nothing(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "docs.jsonl"
    lines = (
        json.dumps({"id": f"d{number}", "text": text}) for number, text in enumerate(make("families of all sizes"))
    )
    file.write_text("\n".join(lines), encoding="utf-8")
    certificates = []
    for name, memory in (("small", "85MB"), ("large", "2GB")):
        cli("dedup", str(file), "-o", str(tmp_path / name), "--recall", "0.8", "--memory", memory)
        certificates.append(json.loads((tmp_path / name / "run.json").read_text(encoding="utf-8"))["certificate"])
    assert certificates[0] == certificates[1]


def test_recall_is_proven_or_not_known() -> None:
    texts = make("few pairs")
    exact = certify("dedup", texts, recall="exact")
    assert (exact["proven"], exact["recall"], exact["low"], exact["high"]) == (True, 1, 1, 1)
    assert exact["says"] == FOUND
    contained = certify("dedup", texts, scheme="contained")
    assert contained["recall"] is None
    assert contained["reason"] in contained["says"]
    nothing = certify("dedup", ["a b c d e f", "g h i j k l"])
    assert (nothing["recall"], nothing["seen"]) == (None, 0)
    assert "no pair of different texts was found, and only" in nothing["says"]


def test_capped_keys_are_reported() -> None:
    certificate = certify("pairs", list(hostile.spam(60)), max_family=20)
    assert certificate["capped"] > 0
    if certificate["recall"] is not None:
        assert "capped keys" in certificate["says"]


def family(members: int) -> list[str]:
    """Return near-copies of one text, each with a unique last word, so that all contain its shingles."""
    text = " ".join(f"w{number}" for number in range(80))
    return [f"{text} own{number}" for number in range(members)]


def test_nothing_is_proven_above_the_cap() -> None:
    texts = [*family(60), *make("few pairs")]
    for verb, options, meets in (
        ("pairs", {}, "are compared with the first of them only"),
        ("cluster", {"forest": True}, "are compared with the first kept ones only, at most as many as the cap"),
    ):
        stated = certify(verb, texts, recall="exact", max_family=20, **options)
        assert stated["capped"] > 0
        assert (stated["proven"], stated["recall"], stated["low"], stated["high"]) == (False, None, None, None)
        assert stated["says"] == f"not known: {stated['reason']}"
        assert stated["reason"].startswith(f"{stated['capped']} key")
        assert stated["reason"].endswith("; every pair that meets by another key is found")
        assert meets in stated["reason"]
        whole = certify(verb, texts, recall="exact", **options)
        assert (whole["proven"], whole["capped"]) == (True, 0)
    # rules that decide verdicts and clusters are not capped
    for verb in ("dedup", "cluster"):
        most: dict[str, Any] = {} if verb == "dedup" else {"max_family": 20}
        assert certify(verb, texts, recall="exact", **most)["says"] == FOUND
    listed = certify("cluster", texts, recall="exact", max_family=20, pairs=True)
    assert listed["proven"]
    assert listed["says"].startswith(f"{FOUND}; of ")
    assert listed["says"].endswith("only pairs with the first document are listed")


def test_pairs_above_the_cap() -> None:
    texts = documents([*family(60), *make("few pairs")])
    found, whole = (
        {*zip(*(run.pairs.column(side) for side in ("left", "right")), strict=True)}
        for run in (neardup.find_pairs(texts, recall="exact", max_family=most) for most in (20, 10_000))
    )
    members = {document.id for document in texts[:60]}
    missed = whole - found
    assert found < whole
    assert all({*pair} <= members for pair in missed)
    # the first document represents the family: every member is listed in a pair with it
    assert {name for pair in found for name in pair} >= members


def test_the_reason_is_the_true_one() -> None:
    for texts in (["a b c d e f g", "a b c d e f g h"], ["a b c"], [""]):
        for verb in ("dedup", "cluster", "pairs"):
            simhash = certify(verb, texts, scheme="simhash")
            assert simhash["says"].startswith("not known: the scheme judges by signatures: all pairs of ")
            assert "agree>=54 are found" in simhash["says"] or "hamming<=3 are found" in simhash["says"]
            assert (simhash["proven"], simhash["capped"]) == (False, 0)
            contained = certify(verb, texts, scheme="contained")
            assert "shares a sampled feature" in contained["says"]
            assert "capped" not in contained["says"]
            shivakumar = certify(verb, texts, scheme="shivakumar")
            assert "capped" not in shivakumar["says"]
    bands = "words | shingles:5 | minhash:96 | bands:16x6 cap=20 over=star | resemblance>=0.8"
    few = certify("dedup", make("few pairs"), scheme=bands)
    assert few["says"] == certify("dedup", make("few pairs"))["says"]
    assert certify("dedup", family(60), scheme=bands)["reason"] == "capped keys do not propose all their pairs"
    prefix = "words | shingles:5 | whole | prefix:0.8 cap=50 over=star | resemblance>=0.8"
    starred = certify("pairs", family(45), scheme=prefix, max_family=20)
    assert (starred["proven"], starred["capped"]) == (False, 0)
    for over, meets in (("star", "the first kept ones"), ("drop", "are not compared for it")):
        capped = prefix.replace("cap=50 over=star", f"cap=20 over={over}")
        assert meets in certify("dedup", family(45), scheme=capped)["reason"]


def test_the_page_and_the_notes_report_capped_keys(cli: Cli, tmp_path: Path) -> None:
    file = write(tmp_path, family(60))
    for most in ("20", "100"):
        out = tmp_path / most
        printed = cli("pairs", file, "-o", out, "--recall", "exact", "--max-family", most).stdout
        summary = json.loads((out / "run.json").read_text(encoding="utf-8"))
        page = (out / "report.html").read_text(encoding="utf-8")
        capped = most == "20"
        assert ("except for pairs that only capped keys propose" in summary["notes"][0]) == capped
        assert summary["certificate"]["says"] in printed
        assert (summary["certificate"]["says"] in page) == capped
        assert ("every pair that meets the measure is found, except for pairs that only capped keys" in page) == capped
        assert ("Every pair that meets the measure is found." in page) != capped
        assert "Nineteen of twenty" not in page
    out = tmp_path / "simhash"
    printed = cli("pairs", file, "-o", out, "--scheme", "simhash").stdout
    assert "recall      " in printed
    assert "capped keys" not in printed
    page = (out / "report.html").read_text(encoding="utf-8")
    assert "Of this run: <b>recall not known: the scheme judges by signatures: all pairs of " in page


def test_a_reference_counts_by_its_side() -> None:
    texts = make("pairs near the threshold")
    halves = documents(texts[::2]), documents(texts[1::2])
    options: dict[str, Any] = {"against": halves[1], "recall": 0.8}
    cross = neardup.find_pairs(halves[0], **options)
    certificate = cross.summary["certificate"]
    assert certificate["found"] == cross.summary["counts"]["pairs"] > 100
    assert "reference" in certificate["pairs"]
    # every pair of this corpus has one text on each side
    whole = certify("dedup", texts, recall=0.8)
    both = neardup.dedup(halves[0], **options).summary["certificate"]
    assert both["found"] == pytest.approx(whole["found"], rel=0.02)


def test_the_terminal_and_the_report_show_the_certificate(cli: Cli, tmp_path: Path) -> None:
    file = write(tmp_path, make("threes"))
    out = tmp_path / "out"
    printed = cli("dedup", str(file), "-o", str(out), "--recall", "0.8").stdout
    says = json.loads((out / "run.json").read_text(encoding="utf-8"))["certificate"]["says"]
    assert says in printed
    assert "95 % interval" in says
    page = (out / "report.html").read_text(encoding="utf-8")
    assert says.split(":")[0] in page
    assert "Nineteen of twenty" in page


def test_documents_without_features_are_reported() -> None:
    """A Korean text has no spots of English words."""
    korean = ["이 부두에 짙은 안개가 내려앉았다", "그 배는 소금을 싣고 떠난다", "모든 빵집의 오븐이 식었다"]
    english = ["the ferry leaves the quay in the fog and a gull is on the roof of the old bakery"]
    spots = "words | spots:1,3 | whole | prefix:0.5 | resemblance>=0.5"
    summary = neardup.dedup(documents([*korean, *english]), scheme=spots).summary
    assert summary["counts"]["without_features"] == 3
    assert summary["notes"][0] == (
        "3 of 4 documents have text, and none of the features that are compared, so they are like no other "
        "(`spots:1,3`: write antecedents= of the language of the documents: en, ko, zh, de, fr, es or file:PATH)"
    )
    corrected = neardup.dedup(documents(korean), scheme=spots.replace("1,3", "1,3 antecedents=ko")).summary
    assert corrected["counts"]["without_features"] == 0
    few = neardup.dedup(documents([*english * 200, *korean[:2]]), scheme=spots).summary
    assert few["counts"]["without_features"] == 2
    assert not any("none of the features" in note for note in few["notes"])
