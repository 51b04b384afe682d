"""Each classic: in three scripts, on documents without words and of one word, compared with its own measure."""

from collections.abc import Callable
from itertools import combinations

import pytest

import neardup
from neardup import Document, UsageError
from neardup.inputs.sources import Engine
from neardup.schemes import classics
from neardup.schemes.named import find_named
from oracle import Doc
from texts import corpus

LANGUAGES = ("english", "korean", "chinese")
LEXICON = ("i-match", "i-match-randomised", "tianwang")
"""Schemes that count their documents first, so that `explain` cannot decide about two texts alone."""
CHANCE = ("banding", "contained")
"""Schemes whose keys miss some of the pairs that their measure accepts."""
TEXTS = [name for name in classics.CLASSICS if name != "given-fingerprints"]


def documents(language: str) -> list[Doc]:
    extra = [("empty", ""), ("blank", " \n"), ("word", "stone"), ("Word", "Stone!"), ("other", "돌"), ("third", "石")]
    return [*corpus(language, 5), *(Doc(name, text, None) for name, text in extra)]


def find(name: str, docs: list[Doc], **options: object) -> neardup.PairList:
    given = [Document(doc.text, doc.id) for doc in docs]
    return neardup.find_pairs(given, scheme=find_named(name), **options)  # type: ignore[arg-type]


def ends(pairs: neardup.PairList) -> set[tuple[str, str]]:
    return set(zip(pairs.pairs.column("left"), pairs.pairs.column("right"), strict=True))


@pytest.mark.on_spark(0)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", TEXTS)
def test_pairs_are_those_that_meet_the_measure(name: str, language: str, engine: Engine | None) -> None:
    docs = documents(language)
    found = find(name, docs, engine=engine)
    scheme = str(find_named(name))
    rules = dict(
        zip(
            zip(found.pairs.column("left"), found.pairs.column("right"), strict=True),
            found.pairs.column("rule"),
            strict=True,
        )
    )
    if name in LEXICON:
        assert all(rules[pair] for pair in rules)
        return
    text = {doc.id: doc.text for doc in docs}
    expected = {}
    for pair in combinations(sorted(text, key=str.encode), 2):
        rule = neardup.explain(text[pair[0]], text[pair[1]], scheme=scheme).rule
        if rule is not None:
            expected[pair] = rule
    if name in CHANCE:
        assert rules.items() <= expected.items()
        assert len(rules) > 0.9 * len(expected)
    else:
        assert rules == expected
    assert len(rules) > 5


@pytest.mark.on_spark(0)
@pytest.mark.parametrize("name", TEXTS)
def test_documents_without_and_of_one_word(name: str, engine: Engine | None) -> None:
    pairs = ends(find(name, documents("english"), engine=engine))
    alone = {"empty", "blank", "other", "third"}
    assert not any(alone & set(pair) for pair in pairs)
    # one word each, which is equal except for case and punctuation
    assert (("Word", "word") in pairs) == (name not in ("identical", "shivakumar"))


@pytest.mark.parametrize("verb", ["dedup", "cluster"])
@pytest.mark.parametrize("name", TEXTS)
def test_every_verb_gives_one_digest(name: str, verb: str) -> None:
    docs = [Document(doc.text, f"{language}/{doc.id}") for language in LANGUAGES for doc in documents(language)]
    run = getattr(neardup, verb)
    scheme = find_named(name)
    digests = {
        run(docs, scheme=scheme, **budget).digest for budget in ({"threads": 1}, {"threads": 3, "memory": "80M"})
    }
    assert len(digests) == 1


@pytest.mark.parametrize("rule", [2, 3, 4, 5])
def test_chinese_by_words(rule: int) -> None:
    page, other = "商人买茶叶大米，农民种大米。", "商人买大米茶叶，农民种大米。"
    assert not len(neardup.find_pairs([page, other], scheme=classics.tianwang(rule)).pairs)
    assert len(neardup.find_pairs([page, other], scheme=classics.tianwang(rule, unit="segmented")).pairs) == 1


@pytest.mark.parametrize("make", [classics.tianwang, classics.i_match, classics.i_match_randomised, classics.spotsigs])
def test_units_of_words(make: Callable[..., neardup.Scheme]) -> None:
    for unit in ("words", "eojeol", "segmented"):
        assert str(make(unit=unit)) == str(make()).replace("words |", f"{unit} |")
    with pytest.raises(UsageError, match="there are words, eojeol, segmented, chars"):
        make(unit="syllables")


def test_the_rule_shingles_means_equal_feature_sets() -> None:
    texts = ["one\ntwo\nthree", "three\none\ntwo\none", "one\ntwo\nfour"]
    for line in ("lines | chunks:1 | whole | each", "words | shingles:1 | digest", "given | shingles:1 | whole | each"):
        scheme = f"{line} | resemblance>=0.5" if "each" in line else f"{line} | each | equal"
        pairs = neardup.find_pairs(texts, scheme=scheme).pairs
        rules = dict(
            zip(zip(pairs.column("left"), pairs.column("right"), strict=True), pairs.column("rule"), strict=True)
        )
        assert rules.pop(("1:1", "1:2")) == "shingles", scheme
        assert set(rules.values()) <= {"near"}, scheme


def test_names() -> None:
    assert str(find_named("henzinger")) == str(classics.henzinger())
    with pytest.raises(UsageError, match=r"no scheme 'simhsh'; near are simhash"):
        neardup.find_pairs(["a b"], scheme="simhsh")
    with pytest.raises(UsageError, match="rule is 6; allowed are 1, 2, 3, 4, 5"):
        classics.tianwang(6)
