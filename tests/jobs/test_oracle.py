"""The core compared with the oracle, on generated corpora in many scripts."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import neardup
from command import run_neardup
from neardup import _core
from neardup.inputs.sources import Engine
from neardup.results import Table
from oracle import SPACE, WORD, Corpus, Doc, Keep, normalise, tokens
from records import write_jsonl
from texts import LANGUAGES, corpus

SEEDS = range(3)
POLICIES: list[Keep] = ["earliest", "first", "latest", "longest", "shortest"]
PAIR = ("left", "right", "rule", "shared", "left_size", "right_size")

languages = pytest.mark.parametrize("language", LANGUAGES)
seeds = pytest.mark.parametrize("seed", SEEDS)


def documents(docs: list[Doc]) -> list[neardup.Document]:
    return [neardup.Document(doc.text, doc.id, time=doc.time) for doc in docs]


def rows(table: Table, names: tuple[str, ...]) -> list[tuple[Any, ...]]:
    return list(zip(*(table.column(name) for name in names), strict=True))


def line(unit: str) -> str:
    return f"{unit} | shingles:1 | whole | prefix:auto | resemblance>=0.8"


def check_tokens(text: str, unit: str, signs: bool = False) -> None:
    expected = tokens(text, unit, signs)
    scheme = line(f"{unit} signs=keep" if signs else unit)
    found = _core.tokens(text, scheme)
    assert _core.count(text, scheme)[0] == len(expected)
    if unit == "bytes":
        assert len(found) == len(expected)
    else:
        assert [token for token, _, _ in found] == expected


@languages
@seeds
@pytest.mark.parametrize("unit", ["words", "eojeol", "chars", "jamo", "bytes"])
def test_tokens(language: str, seed: int, unit: str) -> None:
    for doc in corpus(language, seed):
        check_tokens(doc.text, unit)
        if unit in ("words", "eojeol"):
            check_tokens(doc.text, unit, signs=True)


# code points that the tables of both the oracle and the core contain
KNOWN = st.characters(exclude_categories=["Cs", "Cn", "Co"])
MARKS = st.sampled_from(
    "\u0301\u0323\u0327\u093c\u094d\u0345\u3099\u1161\u11a8\u0e33\u0eb3ΣσİIß가\u1100_ー・'’.· "
    "\u00ad\u200c\u0640\ufe77\u0e4d\u0e32²½①Ⓐ™´№ﬁＡ+-–:;=(),#1👍\ufe0f"
)


@settings(max_examples=400)
@given(st.text(st.one_of(KNOWN, MARKS), max_size=60), st.sampled_from(["words", "eojeol", "chars", "jamo"]))
def test_tokens_of_any_text(text: str, unit: str) -> None:
    check_tokens(text, unit)
    if unit in ("words", "eojeol"):
        check_tokens(text, unit, signs=True)


@settings(max_examples=200)
@given(st.text(st.sampled_from("abcXYZ_09 ,.'-éßñ"), max_size=80))
def test_spans_cover_the_words(text: str) -> None:
    found = [text.encode()[start:end].decode() for _, start, end in _core.tokens(text, line("words"))]
    assert [normalise(word) for word in found] == WORD.findall(normalise(text))


@settings(max_examples=300)
@given(st.text(st.one_of(st.sampled_from("我们在图书馆看书東京タワーへ行วันนี้อากาศດີ。，a_7 "), KNOWN), max_size=60))
def test_segments_are_the_words_cut(text: str) -> None:
    text = normalise(text)
    places = [[span for _, *span in _core.tokens(text, line(unit))] for unit in ("eojeol", "segmented")]
    words, segments = ([text.encode()[start:end] for start, end in found] for found in places)
    assert b"".join(words) == b"".join(segments)
    assert all(segments)
    edges = [{place for span in found for place in span} for found in places]
    assert edges[0] <= edges[1]
    assert _core.count(text, "segmented | shingles:1 | whole | prefix:auto | resemblance>=0.8")[0] == len(segments)


@pytest.mark.on_spark(0)
@languages
@seeds
def test_pairs(language: str, seed: int, engine: Engine | None) -> None:
    docs = corpus(language, seed)
    found = neardup.find_pairs(documents(docs), recall="exact", engine=engine).pairs
    assert rows(found, PAIR) == [tuple(pair) for pair in Corpus(docs).pairs()]


@pytest.mark.on_spark(0)
@languages
@pytest.mark.parametrize("threshold", ["1/3", "0.5", "0.7", "0.95", "1"])
def test_pairs_at_other_thresholds(language: str, threshold: str, engine: Engine | None) -> None:
    docs = corpus(language, 7)
    found = neardup.find_pairs(documents(docs), threshold=threshold, recall="exact", engine=engine).pairs
    # at 1, signs are tokens
    corpora = Corpus(docs, signs=threshold == "1")
    assert rows(found, PAIR) == [tuple(pair) for pair in corpora.pairs(Fraction(threshold))]


@pytest.mark.on_spark(0)
@pytest.mark.parametrize("unit", ["words", "eojeol", "chars", "jamo", "bytes"])
@pytest.mark.parametrize("width", [1, 2, 3, 8])
@pytest.mark.parametrize("language", ["english", "korean", "mixed"])
def test_pairs_of_other_schemes(language: str, unit: str, width: int, engine: Engine | None) -> None:
    docs = corpus(language, 11)
    line = f"{unit} | shingles:{width} | whole | prefix:auto | resemblance>=0.6"
    found = neardup.find_pairs(documents(docs), scheme=line, engine=engine).pairs
    assert rows(found, PAIR) == [tuple(pair) for pair in Corpus(docs, width, unit).pairs(Fraction(3, 5))]


@pytest.mark.on_spark(0)
@languages
@seeds
def test_banded_pairs_are_true_and_nearly_all(language: str, seed: int, engine: Engine | None) -> None:
    docs = corpus(language, seed)
    found = set(rows(neardup.find_pairs(documents(docs), engine=engine).pairs, PAIR))
    expected = {tuple(pair) for pair in Corpus(docs).pairs()}
    assert found <= expected
    equal = {pair for pair in expected if pair[2] != "near"}
    assert equal <= found
    assert len(found) >= 0.95 * len(expected)


@pytest.mark.on_spark(0)
@languages
@pytest.mark.parametrize("keep", POLICIES)
def test_decisions(language: str, keep: Keep, engine: Engine | None) -> None:
    docs = corpus(language, 5)
    result = neardup.dedup(documents(docs), recall="exact", keep=keep, engine=engine)
    expected = Corpus(docs).originals(keep)
    for key, verdict, original, rule, shared in rows(result.decisions, ("id", "verdict", "original", "rule", "shared")):
        leader, how, common = expected[key]
        assert (verdict, original, rule) == ("keep" if leader == key else "drop", leader, how), key
        assert shared == (None if how is None else common)


@pytest.mark.on_spark(0)
@languages
def test_prefer_comes_before_the_policy(language: str, engine: Engine | None) -> None:
    docs = [doc._replace(rank=number % 3) for number, doc in enumerate(corpus(language, 9))]
    table = [
        {"id": doc.id, "text": doc.text, "time": doc.time, "site": ["best", "good", "other"][doc.rank]} for doc in docs
    ]
    import polars

    result = neardup.dedup(
        polars.DataFrame(table, schema_overrides={"time": polars.Int64}),
        recall="exact",
        id_field="id",
        time_field="time",
        prefer="site=best,good",
        engine=engine,
    )
    expected = Corpus(docs).originals("earliest")
    found = dict(rows(result.decisions, ("id", "original")))
    assert found == {key: leader for key, (leader, _, _) in expected.items()}


@pytest.mark.on_spark(0)
@languages
@seeds
def test_clusters(language: str, seed: int, engine: Engine | None) -> None:
    docs = corpus(language, seed)
    table = neardup.cluster(documents(docs), recall="exact", engine=engine).clusters
    expected = Corpus(docs)
    components = expected.components()
    leaders = expected.originals("earliest" if any(doc.time is not None for doc in docs) else "first")
    sizes = list(components.values())
    for key, label, leader, size in rows(table, ("id", "cluster", "leader", "size")):
        assert (label, leader, size) == (components[key], leaders[key][0], sizes.count(components[key])), key


@pytest.mark.on_spark(0)
@languages
def test_without_ids_the_order_is_that_of_the_input(language: str, engine: Engine | None) -> None:
    docs = [doc._replace(id=f"{number:06}") for number, doc in enumerate(corpus(language, 4))]
    result = neardup.dedup([doc.text for doc in docs], recall="exact", engine=engine)
    expected = Corpus(docs).originals("first")
    kept = [doc.text for doc in docs if expected[doc.id][0] == doc.id]
    assert result.kept == kept
    assert result.kept_rows == [int(key) for key, (leader, _, _) in expected.items() if key == leader]


def test_blank_means_unicode_white_space() -> None:
    blanks = [chr(point) for point in range(0x3001) if SPACE.fullmatch(chr(point))]
    result = neardup.find_pairs([blank for blank in blanks for _ in range(2)])
    assert len(result.pairs) == 0
    assert len(neardup.find_pairs(["\u200b", "\u200b"]).pairs) == 1


@pytest.mark.on_spark(0)
@languages
def test_against(language: str, engine: Engine | None) -> None:
    docs = corpus(language, 6)
    half = len(docs) // 2
    # the two namespaces may share ids
    references = [doc._replace(id=docs[number].id) for number, doc in enumerate(docs[half : 2 * half])]
    ours = [doc._replace(id=f"in {doc.id}") for doc in docs[:half]]
    whole = Corpus([*ours, *(doc._replace(id=f"ref {doc.id}") for doc in references)])
    expected = {
        (pair.left[3:], pair.right[4:], pair.shared)
        for pair in whole.pairs()
        if pair.left.startswith("in ") and pair.right.startswith("ref ")
    }
    result = neardup.find_pairs(
        documents(docs[:half]),
        against=_core.collect((d.id, d.text, None, None, None) for d in references),
        recall="exact",
        time_field=None,
        engine=engine,
    )
    assert set(rows(result.pairs, ("left", "right", "shared"))) == expected


def test_against_drops_documents_that_are_in_the_reference(tmp_path: Path) -> None:
    docs = corpus("english", 8)
    half = len(docs) // 2
    ours = write_jsonl(tmp_path / "ours.jsonl", docs[:half])
    reference = write_jsonl(tmp_path / "reference.jsonl", docs[half:])
    before = reference.read_bytes()
    run_neardup("dedup", ours, "-o", tmp_path / "out", "--id-field", "id", "--recall", "exact", "--against", reference)
    assert reference.read_bytes() == before
    assert not (tmp_path / "out" / "kept" / "reference.jsonl").exists()
    whole = Corpus([*docs[half:], *docs[:half]])
    kept: list[Doc] = list(docs[half:])
    expected: dict[str, str] = {}
    for doc in docs[:half]:
        leader = next((one for one in kept if whole.compare(doc, one, Fraction(4, 5))), doc)
        expected[doc.id] = leader.id
        if leader is doc:
            kept.append(doc)
    from records import read_rows

    found = read_rows(tmp_path / "out" / "decisions.parquet")
    assert {row["id"]: row["original"] for row in found} == expected
    references = {doc.id for doc in docs[half:]}
    for row in found:
        assert row["original_in"] == ("reference" if row["original"] in references else "input")
