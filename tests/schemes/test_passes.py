"""Schemes of several passes, compared with the definition and with consecutive runs."""

import json
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import neardup
from command import run_neardup
from neardup import _core
from neardup.inputs.sources import Engine
from neardup.results import Table
from oracle import Chain, Doc, Keep
from records import read_jsonl, write_records
from texts import LANGUAGES, corpus

PASSES = [("words", 5, Fraction(9, 10)), ("eojeol", 2, Fraction(3, 5)), ("chars", 3, Fraction(1, 2))]
PARTS = [f"{unit} | shingles:{width} | whole | prefix:auto | resemblance>={least}" for unit, width, least in PASSES]
SCHEME = " ; ".join(PARTS)
IDF = "words | terms:0.2,0.8 weight=idf:corpus | digest:sha1 | each | equal"

languages = pytest.mark.parametrize("language", LANGUAGES)


def documents(docs: list[Doc]) -> list[neardup.Document]:
    return [neardup.Document(doc.text, doc.id, time=doc.time) for doc in docs]


def rows(table: Table, *names: str) -> list[tuple[Any, ...]]:
    return list(zip(*(table.column(name) for name in names), strict=True))


@pytest.mark.on_spark(0)
@languages
@pytest.mark.parametrize("keep", ["first", "longest"])
def test_decisions(language: str, keep: Keep, engine: Engine | None) -> None:
    docs = corpus(language, 5)
    chain = Chain(docs, PASSES, keep)
    sizes = Counter(chain.leader(doc.id) for doc in docs)
    decisions = neardup.dedup(documents(docs), scheme=SCHEME, keep=keep, engine=engine).decisions
    for key, original, rule, shared, leader, size in rows(
        decisions, "id", "original", "rule", "shared", "duplicate_id", "group_size"
    ):
        assert (original, rule, shared) == chain.dropped.get(key, (key, None, None))
        assert (leader, size) == (chain.leader(key), sizes[chain.leader(key)])


def test_a_leader_may_be_dropped_later() -> None:
    """The corpora contain documents whose original is dropped by a later pass, which the other tests need."""
    chains = [Chain(corpus(language, 5), PASSES) for language in LANGUAGES]
    assert any(chain.leader(key) != original for chain in chains for key, (original, *_) in chain.dropped.items())
    assert {number for chain in chains for number in chain.pass_of.values()} == {0, 1, 2}


@pytest.mark.on_spark(0)
@languages
def test_pairs(language: str, engine: Engine | None) -> None:
    docs = corpus(language, 3)
    found = neardup.find_pairs(documents(docs), scheme=SCHEME, engine=engine).pairs
    columns = ("left", "right", "rule", "shared", "left_size", "right_size")
    assert rows(found, *columns) == [tuple(pair) for pair in Chain(docs, PASSES, "earliest").pairs]


@pytest.mark.on_spark(0)
@languages
def test_clusters(language: str, engine: Engine | None) -> None:
    docs = corpus(language, 4)
    chain = Chain(docs, PASSES, "earliest")
    components = chain.components()
    sizes = Counter(components.values())
    clusters = neardup.cluster(documents(docs), scheme=SCHEME, engine=engine).clusters
    for key, cluster, leader, size, shared in rows(clusters, "id", "cluster", "leader", "size", "shared"):
        assert (cluster, leader, size) == (components[key], chain.leader(key), sizes[components[key]])
        met = chain.dropped.get(key)
        assert shared == (met[2] if met and met[0] == leader else None)


def table(docs: list[Doc]) -> pa.Table:
    return pa.table({"id": [doc.id for doc in docs], "text": [doc.text for doc in docs]})


@pytest.mark.on_spark(0)
@languages
@pytest.mark.parametrize("later", [PARTS[1], IDF])
def test_a_pass_is_a_run_over_what_is_kept(language: str, later: str, engine: Engine | None) -> None:
    """This holds also with a reference, with which every pass compares."""
    docs, reference = corpus(language, 6)[::2], table(corpus(language, 6)[1::2])
    columns = ("id", "verdict", "original", "rule", "shared", "original_size", "original_in", "verified")

    def decided(some: list[Doc], scheme: str) -> dict[str, tuple[Any, ...]]:
        options: dict[str, Any] = {"against": reference, "scheme": scheme, "id_field": "id", "engine": engine}
        found = neardup.dedup(table(some), **options).decisions
        return {row[0]: row[1:] for row in rows(found, *columns)}

    first = decided(docs, PARTS[0])
    kept = [doc for doc in docs if first[doc.id][0] == "keep"]
    assert decided(docs, f"{PARTS[0]} ; {later}") == first | decided(kept, later)


@pytest.mark.on_spark(0)
@languages
def test_cross_pairs(language: str, engine: Engine | None) -> None:
    docs, reference = corpus(language, 8)[::2], table(corpus(language, 8)[1::2])
    columns = ("left", "right", "rule", "shared", "left_size", "right_size", "verified")

    def found(some: list[Doc], scheme: str) -> set[tuple[Any, ...]]:
        options: dict[str, Any] = {"against": reference, "scheme": scheme, "id_field": "id", "engine": engine}
        pairs = neardup.find_pairs(table(some), **options).pairs
        return set(rows(pairs, *columns))

    decisions = neardup.dedup(table(docs), against=reference, scheme=PARTS[0], id_field="id").decisions
    kept = {key for key, verdict in rows(decisions, "id", "verdict") if verdict == "keep"}
    later = found([doc for doc in docs if doc.id in kept], PARTS[2])
    assert found(docs, f"{PARTS[0]} ; {PARTS[2]}") == found(docs, PARTS[0]) | later


@pytest.mark.on_spark(0)
def test_verified_depends_on_the_pass_that_decided(engine: Engine | None) -> None:
    texts = ["one two three four five six", "six one two three four five", "One two three four, five six!"]
    texts += ["seven eight", "seven eight nine ten eleven twelve", "twelve eleven ten nine eight seven"]
    verified = "words | shingles:3 | whole | prefix:0.6 | resemblance>=0.6"
    unverified = "words | shingles:1 | simhash:64 | blocks:0 | hamming<=0"
    result = neardup.dedup(texts, scheme=f"{verified} ; {unverified}", engine=engine)
    found = [(row[0], row[1]) for row in rows(result.decisions, "rule", "verified")]
    assert found == [(None, None), ("near", True), ("lexical", True), (None, None), (None, None), ("shingles", False)]
    assert not result.summary["verified"]
    assert [one["dropped"] for one in result.summary["passes"]] == [2, 1]
    assert [one["documents"] for one in result.summary["passes"]] == [6, 4]


@pytest.mark.on_spark(0)
def test_capped_keys_name_their_pass(engine: Engine | None) -> None:
    texts = [f"{word} common words stand here" for word in ("one", "two", "three", "four")]
    capped = "words | shingles:2 | whole | each cap=3 over=drop | resemblance>=0.9"
    result = neardup.dedup(texts, scheme=f"{capped} ; {capped} ; {PARTS[0]}", engine=engine)
    assert [(key["pass"], key["size"]) for key in result.summary["capped"]] == [(1, 4)] * 3 + [(2, 4)] * 3


@pytest.mark.parametrize("verb", ["dedup", "cluster", "pairs"])
def test_nothing_depends_on_the_machine(verb: Any, tmp_path: Path) -> None:
    docs = [doc._replace(id=f"{language}/{doc.id}") for language in LANGUAGES for doc in corpus(language, 2)]
    path = write_records(tmp_path / "docs.jsonl", [{"id": doc.id, "text": doc.text} for doc in docs])
    budgets: list[dict[str, Any]] = [
        {"threads": 1},
        {"threads": 5, "chunk": 4096},
        {"threads": 2, "memory": 64 << 20},
        {"threads": 1, "chunk": 4096, "memory": 64 << 20},
    ]
    fields: dict[str, Any] = {"id_field": "id", "scheme": f"{SCHEME} ; {IDF}"}
    runs: list[Any] = [{**fields, **budget} for budget in budgets]
    assert len({json.loads(_core.run(verb, [str(path)], options).summary)["digest"] for options in runs}) == 1


def test_files(tmp_path: Path) -> None:
    """A run writes passages by the tokens of the pass that found the pair, every counted lexicon, and a report."""
    docs = corpus("english", 1)
    path = write_records(tmp_path / "docs.jsonl", [{"id": doc.id, "text": doc.text} for doc in docs])
    out = tmp_path / "out"
    scheme = f"{IDF} ; {PARTS[0]} ; {IDF.replace('0.2,0.8', '0.1,0.5')}"
    run_neardup("dedup", path, "-o", out, "--id-field", "id", "--scheme", scheme)
    summary = json.loads((out / "run.json").read_text(encoding="utf-8"))
    lexicons = [one["lexicon"] for one in summary["passes"]]
    for name, digest in [("lexicon.parquet", lexicons[0]), ("lexicon-3.parquet", lexicons[2])]:
        assert pq.read_metadata(out / name).metadata[b"digest"].decode() == digest
    assert lexicons[1] is None
    assert not (out / "lexicon-2.parquet").exists()
    assert sum(one["dropped"] for one in summary["passes"]) == summary["counts"]["dropped"] > 0
    kept = {row["id"] for row in read_jsonl(out / "kept" / "docs.jsonl")}
    assert len(kept) == summary["counts"]["kept"]
    page = (out / "report.html").read_text(encoding="utf-8")
    assert "resemblance&gt;=0.9" in page
    pairs = tmp_path / "pairs"
    run_neardup("pairs", path, "-o", pairs, "--id-field", "id", "--scheme", SCHEME, "--passages")
    passages = pq.read_table(pairs / "passages.parquet").to_pylist()
    by_pass = Chain(docs, PASSES).pairs
    assert {(row["left"], row["right"]) for row in passages} <= {(pair.left, pair.right) for pair in by_pass}
    refused = run_neardup("recluster", pairs, "-o", tmp_path / "again", "--threshold", "0.9", code=2).stderr
    assert "a result of several passes" in refused


def test_functions_for_one_pass_refuse_several(tmp_path: Path) -> None:
    with pytest.raises(neardup.UsageError, match="only one pass is supported"):
        neardup.explain("a b", "a c", scheme=SCHEME)
    with pytest.raises(neardup.UsageError, match="pass 2 wants others than pass 1"):
        neardup.dedup(["a"], scheme=f"{PARTS[0]} ; given | shingles:1 | whole | prefix:0.5 | resemblance>=0.5")
    with pytest.raises(neardup.UsageError, match="counted for one pass"):
        neardup.build_lexicon(["a"], tmp_path / "lexicon", scheme=SCHEME)
