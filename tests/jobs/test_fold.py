"""Folding a ranked list, compared with the leader rule of the oracle."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from command import Cli, run_process
from neardup import DataError, Document, UsageError, fold
from neardup.results import Folded
from oracle import Corpus, Doc
from records import write_records
from texts import LANGUAGES, corpus

BREAD = "Mix a kilo of flour with warm water, wait an hour, add the salt and fold the dough four times before it rests."
COPY = BREAD.upper()
EDITED = BREAD.replace("four", "five")
BOATS = "The last boat of the season leaves the island when the fog comes in, and nobody is there to see it go."
RESULTS = st.lists(
    st.sampled_from([BREAD, COPY, EDITED, BOATS, f"{BOATS} {BREAD}", "", "!!!", "one word"]), max_size=12
)


@given(RESULTS)
def test_nothing_is_lost_and_the_best_comes_first(results: list[str]) -> None:
    folded = fold(results)
    assert sorted(text for one in folded for text in (one.best, *one.others)) == sorted(results)
    bests = [one.best for one in folded]
    assert bests[:1] == results[:1]
    # the best results keep their order, and folding them again changes nothing
    places = iter(results)
    assert all(text in places for text in bests)
    assert fold(bests) == [Folded(text, []) for text in bests]


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_groups_are_those_of_the_leader_rule(language: str) -> None:
    docs = corpus(language, 3, families=15)
    originals = {name: original for name, (original, _, _) in Corpus(docs).originals("first").items()}
    results = [Document(doc.text, doc.id, time=doc.time or 0) for doc in docs]
    groups = [(one.best.id, [other.id for other in one.others]) for one in fold(results)]
    expected = [
        (doc.id, [other.id for other in docs if originals[other.id] == doc.id != other.id])
        for doc in docs
        if originals[doc.id] == doc.id
    ]
    assert groups == expected
    assert [one.best for one in fold(doc.text for doc in docs)] == [_text(docs, name) for name, _ in expected]


def _text(docs: list[Doc], name: str) -> str:
    return next(doc.text for doc in docs if doc.id == name)


def test_thresholds_and_schemes() -> None:
    results = [BREAD, BOATS, EDITED, COPY]
    assert fold(results) == [Folded(BREAD, [COPY]), Folded(BOATS, []), Folded(EDITED, [])]
    assert fold(results, threshold=0.5) == fold(results, "1/2") == [Folded(BREAD, [EDITED, COPY]), Folded(BOATS, [])]
    assert len(fold(results, scheme="chars | shingles:3 | minhash:auto | bands:auto | resemblance>=0.7")) == 2
    assert fold([]) == []
    with pytest.raises(UsageError, match="between 0 and 1"):
        fold(results, threshold=2)
    assert fold(results, threshold=0.5, scheme="banding") == fold(results, threshold=0.5)
    with pytest.raises(UsageError, match="the scheme henzinger takes no threshold"):
        fold(results, threshold=0.5, scheme="henzinger")
    with pytest.raises(UsageError, match="this is one"):
        fold(BREAD)
    with pytest.raises(DataError, match="x"):
        fold([Document(BREAD, "x"), Document(BOATS, "x")])


def test_the_command(cli: Cli, tmp_path: Path) -> None:
    records = [
        {"id": "a", "url": "http://a/", "text": BREAD},
        {"id": "b", "url": "http://b/", "text": BOATS},
        {"id": "c", "text": COPY},
        {"id": "d", "url": "http://d/\u202e", "text": f"{BREAD} Now."},
    ]
    path = write_records(tmp_path / "results.jsonl", records)
    lines = cli("fold", path).stdout.splitlines()
    assert lines == ["rank\tresult\tfolded", "1\thttp://a/\t3 4", "2\thttp://b/\t"]
    groups = json.loads(cli("fold", path, "--id-field", "id", "--json").stdout)
    assert groups == [
        {
            "rank": 1,
            "id": "a",
            "url": "http://a/",
            "others": [{"rank": 3, "id": "c", "url": None}, {"rank": 4, "id": "d", "url": "http://d/\u202e"}],
        },
        {"rank": 2, "id": "b", "url": "http://b/", "others": []},
    ]
    with path.open() as file:
        assert run_process("fold", "-", "--threshold", "1", stdin=file).stdout.splitlines()[1] == "1\thttp://a/\t3"
    twice = write_records(tmp_path / "twice.jsonl", [records[1], records[0], {**records[0], "text": COPY}])
    lines = cli("fold", twice, "--id-field", "id").stdout.splitlines()
    assert lines[1:] == ["1\thttp://b/\t", "2\thttp://a/\t3"]
    html = write_records(tmp_path / "html.jsonl", [{"page": f"<p>{text}</p>"} for text in (BREAD, COPY)])
    assert cli("fold", html, "--html-field", "page").stdout.splitlines()[1:] == [f"1\t{html.name}:1\t2"]
    assert "no such" in cli("fold", tmp_path / "nothing.jsonl", code=1).stderr
    assert cli("fold", write_records(tmp_path / "empty.jsonl", [])).stdout == "rank\tresult\tfolded\n"
