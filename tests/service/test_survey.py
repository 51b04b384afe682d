"""Surveys: the clusters of an index, compared with the answers of the index itself."""

from fractions import Fraction
from pathlib import Path

import pytest

from neardup import Document, Index
from neardup.survey.found_cluster import GIANT, ORDERS, find_risks, sort_clusters
from neardup.survey.survey import Survey, cut_cluster

NAMES = "harbour lamp rope gull tide anchor mast sail keel buoy pier net crate oar deck hull wharf crane dock reef"
WORDS = NAMES.split()


def walk(first: int, step: int = 7) -> str:
    """Return a text of 40 words, taken from `WORDS` in steps of `step` from `first`, each with a number behind it."""
    return " ".join(WORDS[(first + number * step) % len(WORDS)] + str(number // 3) for number in range(40))


def changed(text: str, *places: int) -> str:
    """Return the text with the words at some places replaced."""
    words = text.split()
    for place in places:
        words[place] = f"other{place}"
    return " ".join(words)


BASE, ALONE = walk(0), walk(3, 11)
DOCUMENTS = [
    Document(BASE, "base", time="2026-02-01"),
    Document(BASE, "copy", time="2026-03-01"),
    Document(changed(BASE, 39), "near", time="2026-01-01"),
    Document(changed(BASE, 39, 0), "far"),
    Document(ALONE, "alone"),
    Document(walk(5, 13), "b", time="2026-05-01"),
    Document(walk(5, 13), "a", time="2026-04-01T10:00:00Z"),
]


@pytest.fixture
def index(tmp_path: Path) -> Index:
    made = Index.create(tmp_path / "index", threshold="0.8")
    made.add(DOCUMENTS)
    return made


def test_a_cluster_by_containment_is_not_weak(tmp_path: Path) -> None:
    made = Index.create(tmp_path / "index", scheme="words | shingles:5 | moduli:1 | each | containment>=0.8")
    made.add([Document(BASE, "part"), Document(f"{BASE} {ALONE} {walk(9, 3)}", "whole")])
    [found] = Survey.make(made).clusters()
    assert found.weakest is not None
    assert found.weakest.resemblance < 0.5
    assert "weak" not in found.risks


def test_a_survey_agrees_with_the_index(index: Index) -> None:
    survey = Survey.make(index)
    assert (survey.position, survey.documents, len(survey)) == (7, 7, 2)
    for document in index:
        name = str(document.id)
        found = survey.cluster_of(name)
        expected = index.cluster(name)
        if len(expected) == 1:
            assert found is None
            continue
        assert found is not None
        assert sorted(member.id for member in found.members) == expected
        originals = {one: index.verdict(one).original for one in expected}
        assert {member.id: member.leader for member in found.members} == originals
        assert (found.id, found.size, found.kept) == (expected[0], len(expected), len(set(originals.values())))


def test_members_are_sorted_by_time_and_links_by_resemblance(index: Index) -> None:
    found = Survey.make(index).cluster_of("copy")
    assert found is not None
    assert [member.id for member in found.members] == ["near", "base", "copy", "far"]
    assert [link.key for link in found.links] == [("base", "near"), ("far", "near"), ("base", "copy")]
    # 36 shingles of 5 words each: a new last word changes one, a new first one another
    assert [link.exact for link in found.links] == [Fraction(35, 37), Fraction(35, 37), Fraction(1)]
    assert found.links[0].resemblance == pytest.approx(35 / 37, abs=1e-6)


def test_links_are_a_tree_and_each_cut_makes_one_part_more(index: Index) -> None:
    found = Survey.make(index).cluster_of("base")
    assert found is not None
    keys = [link.key for link in found.links]
    assert len(keys) == found.size - 1
    for count in range(len(keys) + 1):
        parts = cut_cluster(found, keys[:count])
        assert len(parts) == count + 1
        assert sorted(member.id for part in parts for member in part) == sorted(member.id for member in found.members)
    assert [[one.id for one in part] for part in cut_cluster(found, keys[:1])] == [["near", "far"], ["base", "copy"]]


def test_orders(index: Index) -> None:
    survey = Survey.make(index)
    assert {order: [one.id for one in survey.clusters(order)] for order in ORDERS} == {
        "size": ["base", "a"],
        "risk": ["base", "a"],
        "date": ["a", "base"],
    }
    undated = [one._replace(first=None, last=None) for one in survey.clusters("date")[:1]]
    assert [one.id for one in sort_clusters([*undated, *survey.clusters("date")[1:]], "date")] == ["base", "a"]


def test_risks() -> None:
    half = Fraction(1, 2)
    assert find_risks(2, 1, Fraction(5, 8), half) == ()
    assert find_risks(2, 1, Fraction(5, 8) - Fraction(1, 1000), half) == ("weak",)
    assert find_risks(GIANT, 2, Fraction(1, 2), half) == ("weak", "wide", "giant")
    assert find_risks(GIANT - 1, 1, None, half) == ()


@pytest.mark.parametrize(
    "scheme",
    [
        "words | shingles:3 | simhash:64 | blocks:3,single | hamming<=3",
        "words | shingles:5 | whole | prefix:0.8 | resemblance>=0.8",
        "words | shingles:3 | moduli:2 | each | containment>=0.7",
    ],
)
def test_schemes_with_and_without_links(scheme: str, tmp_path: Path) -> None:
    index = Index.create(tmp_path / "index", scheme=scheme)
    index.add(DOCUMENTS)
    survey = Survey.make(index)
    found = survey.cluster_of("copy")
    assert found is not None
    assert len(found.links) == (0 if "hamming" in scheme else found.size - 1)
    assert sum(map(len, cut_cluster(found, set()))) == found.size
    assert len(cut_cluster(found, set())) == 1


def test_an_empty_index(tmp_path: Path) -> None:
    survey = Survey.make(Index.create(tmp_path / "index"))
    assert (len(survey), survey.clusters("risk"), survey.cluster_of("base")) == (0, [], None)
