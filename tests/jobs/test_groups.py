"""Which pairs count: within and across groups, only with a reference, only of documents that are long enough."""

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa
import pytest

import neardup
from command import run_neardup
from neardup import UsageError
from neardup.output.written import plural
from oracle import Corpus, Doc, across, tokens, within
from records import read_rows, write_records
from texts import corpus

COUNTS: dict[str, Callable[[Doc, Doc], bool]] = {"within": within, "across": across}
PAIR = ("left", "right", "rule", "shared", "left_size", "right_size")


def rows(table: Any, names: tuple[str, ...]) -> list[tuple[Any, ...]]:
    return list(zip(*(table.column(name) for name in names), strict=True))


def grouped(language: str, seed: int, *, copies: int = 0) -> list[Doc]:
    """Make documents with random groups, some without one; `copies` of them occur again, in any group."""
    random = Random(f"{language} {seed}")
    docs = corpus(language, seed)
    docs += [doc._replace(id=f"copy {at}") for at, doc in enumerate(random.choices(docs, k=copies))]
    random.shuffle(docs)
    return [doc._replace(group=random.choice(["a", "b", "c", None])) for doc in docs]


def table_of(docs: list[Doc]) -> pa.Table:
    return pa.table(
        {
            "id": [doc.id for doc in docs],
            "text": [doc.text for doc in docs],
            "time": pa.array([doc.time for doc in docs], pa.int64()),
            "user": pa.array([doc.group for doc in docs], pa.string()),
        }
    )


def check_decisions(found: Any, expected: dict[str, tuple[str, str | None, int]]) -> None:
    for key, verdict, original, rule, shared in rows(found, ("id", "verdict", "original", "rule", "shared")):
        leader, how, common = expected[key]
        assert (verdict, original, rule) == ("keep" if leader == key else "drop", leader, how), key
        assert shared == (None if how is None else common)


@pytest.mark.parametrize("language", ["english", "korean", "mixed"])
@pytest.mark.parametrize("copies", [0, 60])
@pytest.mark.parametrize("groups", ["within", "across"])
@pytest.mark.parametrize("keep", ["first", "longest"])
def test_decisions_of_groups(language: str, copies: int, groups: str, keep: str) -> None:
    docs = grouped(language, 3, copies=copies)
    expected = Corpus(docs, counts=COUNTS[groups]).originals(keep)
    options: dict[str, Any] = {"id_field": "id", "keep": keep, "group_field": "user", "groups": groups}
    check_decisions(neardup.dedup(table_of(docs), recall="exact", **options).decisions, expected)


@pytest.mark.parametrize("language", ["english", "thai"])
@pytest.mark.parametrize("copies", [0, 60])
@pytest.mark.parametrize("groups", ["within", "across"])
def test_pairs_and_clusters_of_groups(language: str, copies: int, groups: str) -> None:
    docs = grouped(language, 8, copies=copies)
    expected = Corpus(docs, counts=COUNTS[groups])
    options: dict[str, Any] = {"recall": "exact", "id_field": "id", "group_field": "user", "groups": groups}
    pairs = neardup.find_pairs(table_of(docs), **options).pairs
    assert rows(pairs, PAIR) == [tuple(pair) for pair in expected.pairs()]
    components, leaders = expected.components(), expected.originals("first")
    sizes = list(components.values())
    found = neardup.cluster(table_of(docs), keep="first", pairs=True, **options)
    assert rows(found.pairs, PAIR) == rows(pairs, PAIR)
    for key, label, leader, size in rows(found.clusters, ("id", "cluster", "leader", "size")):
        assert (label, leader, size) == (components[key], leaders[key][0], sizes.count(components[key])), key


@pytest.mark.parametrize("groups", [None, "within", "across"])
@pytest.mark.parametrize("only_against", [False, True])
def test_groups_and_a_reference(groups: str | None, only_against: bool) -> None:
    made = grouped("english", 5, copies=40)
    docs = [doc._replace(id=f"{'ri'[at % 3 > 0]}{doc.id}") for at, doc in enumerate(made)]
    reference = [doc for doc in docs if doc.id[0] == "r"]
    documents = [doc for doc in docs if doc.id[0] == "i"]

    def counts(left: Doc, right: Doc) -> bool:
        is_cross = left.id[0] != right.id[0]
        return (groups is None or COUNTS[groups](left, right)) and (is_cross or not only_against)

    oracle = Corpus(documents, counts=counts)
    both = Corpus([*reference, *documents], counts=counts)
    oracle.tokens, oracle.sets = both.tokens, both.sets
    kept: list[Doc] = list(reference)
    expected: dict[str, str] = {}
    for doc in documents:
        original = next((leader for leader in kept if oracle.compare(doc, leader, Fraction(4, 5))), None)
        expected[doc.id] = doc.id if original is None else original.id
        kept += [doc] * (original is None)
    options: dict[str, Any] = {"recall": "exact", "id_field": "id", "keep": "first", "only_against": only_against}
    if groups:
        options |= {"group_field": "user", "groups": groups}
    found = neardup.dedup(table_of(documents), against=table_of(reference), **options)
    assert dict(rows(found.decisions, ("id", "original"))) == expected


def test_many_copies_in_few_groups() -> None:
    """Copies of a group share one fate; with the reference, every group of them has its own original."""
    text = "nobody knows who lights the lamp at the end of the quay every night"
    docs = [Doc(f"{at:04}", text, group="ab"[at % 7 == 3]) for at in range(300)]
    options: dict[str, Any] = {"id_field": "id", "group_field": "user", "groups": "across"}
    found = neardup.dedup(table_of(docs), **options)
    check_decisions(found.decisions, Corpus(docs, counts=across).originals("first"))
    assert [row["pairs"] for row in neardup.find_pairs(table_of(docs), **options).summary["groups"]["listed"]] == [
        sum(doc.group == "a" for doc in docs) * sum(doc.group == "b" for doc in docs)
    ] * 2


def test_copies_across_groups_without_features() -> None:
    """Equal texts count as exact copies, whatever their keys and features."""
    docs = [Doc("a", "one two", group="x"), Doc("b", "One two!", group="x"), Doc("c", "one two", group="y")]
    options: dict[str, Any] = {"id_field": "id", "group_field": "user", "groups": "across"}
    # The second scheme finds no features in so short a text.
    for features in ("shingles:5", "spots:3,2"):
        scheme = f"words | {features} | whole | each | resemblance>=0.8"
        decisions = neardup.dedup(table_of(docs), scheme=scheme, **options).decisions
        found = rows(decisions, ("id", "original", "rule"))
        assert found == [("a", "a", None), ("b", "b", None), ("c", "a", "identical")]


def test_the_groups_of_a_run_are_counted(tmp_path: Path) -> None:
    docs = grouped("english", 2, copies=30)
    records = [{"id": doc.id, "text": doc.text, "user": doc.group or ""} for doc in docs]
    path = write_records(tmp_path / "in.jsonl", records)
    out = tmp_path / "out"
    printed = run_neardup("dedup", path, "-o", out, "--id-field", "id", "--group-field", "user").stdout
    groups = neardup.dedup(path, id_field="id", group_field="user").summary["groups"]
    assert '<table class="groups">' in (out / "report.html").read_text(encoding="utf-8")
    without = sum(doc.group is None for doc in docs)
    assert (groups["count"], groups["without"]) == (3, without)
    assert f"3, counted in run.json; {plural(without, 'document')} without one" in printed
    dropped = {row["id"] for row in read_rows(out / "decisions.parquet") if row["verdict"] == "drop"}
    for row in groups["listed"]:
        own = [doc.id for doc in docs if doc.group == row["name"]]
        assert (row["documents"], row["dropped"]) == (len(own), len(dropped & set(own)))
        assert row["pairs"] is None
    assert "groups" not in neardup.dedup(path, id_field="id").summary


def test_groups_need_a_field(tmp_path: Path) -> None:
    path = write_records(tmp_path / "in.jsonl", [{"id": "a", "text": "one", "user": 1}])
    with pytest.raises(UsageError, match="groups needs group_field"):
        neardup.dedup(path, groups="within")
    with pytest.raises(UsageError, match="allowed are within, across"):
        neardup.dedup(path, groups="inside", group_field="user")  # type: ignore[call-overload]
    with pytest.raises(neardup.DataError, match=r'"owner" \(group_field\); the fields are "id", "text", "user"'):
        neardup.dedup(path, group_field="owner", groups="within")
    refused: list[dict[str, Any]] = [{"forest": True}, {"index": True, "output": tmp_path / "out"}]
    for options in refused:
        with pytest.raises(UsageError, match="groups"):
            neardup.cluster(path, group_field="user", groups="within", **options)


@pytest.mark.parametrize("least", [1, 3, 21])
def test_short_documents_are_left_alone(least: int) -> None:
    docs = grouped("english", 4, copies=40)

    def counts(left: Doc, right: Doc) -> bool:
        return min(len(tokens(left.text)), len(tokens(right.text))) >= least

    options: dict[str, Any] = {"recall": "exact", "id_field": "id", "min_tokens": least}
    found = neardup.dedup(table_of(docs), **options)
    check_decisions(found.decisions, Corpus(docs, counts=counts).originals("first"))
    assert found.summary["counts"]["below_min_tokens"] == sum(len(tokens(doc.text)) < least for doc in docs)
    pairs = neardup.find_pairs(table_of(docs), **options).pairs
    assert rows(pairs, PAIR) == [tuple(pair) for pair in Corpus(docs, counts=counts).pairs()]


@pytest.mark.parametrize("groups", [None, "within", "across"])
@pytest.mark.parametrize("keep", ["first", "longest"])
def test_one_document_stays_of_each_component(groups: str | None, keep: str) -> None:
    docs = grouped("english", 6, copies=30)
    expected = Corpus(docs, counts=COUNTS[groups] if groups else None)
    components, order = expected.components(), expected.order(keep)
    heads = {label: next(doc.id for doc in order if components[doc.id] == label) for label in components.values()}
    options: dict[str, Any] = {"group_field": "user", "groups": groups} if groups else {}
    found = neardup.dedup(table_of(docs), recall="exact", id_field="id", keep=keep, one_per="component", **options)
    by_id = {doc.id: doc for doc in docs}
    sizes = list(components.values())
    columns = ("id", "verdict", "original", "rule", "shared", "duplicate_id", "group_size")
    for key, verdict, original, rule, shared, leader, size in rows(found.decisions, columns):
        head = heads[components[key]]
        assert (verdict, leader, size) == ("keep" if key == head else "drop", head, sizes.count(components[key])), key
        if key != head:
            pair = expected.compare(by_id[key], by_id[original], Fraction(4, 5))
            assert pair is not None
            assert (pair.rule, pair.shared) == (rule, shared)


def test_one_per_leader_is_the_default() -> None:
    docs = grouped("english", 6)
    one = neardup.dedup(table_of(docs), id_field="id")
    other = neardup.dedup(table_of(docs), id_field="id", one_per="leader")
    assert one.digest == other.digest
