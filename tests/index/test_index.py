"""The index agrees with the batch jobs on the golden run, on generated corpora, and on what is left after changes."""

import json
import re
from pathlib import Path
from random import Random
from typing import Any, Literal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import neardup
from batch import check_same, count_kept, create, held_by, reopen
from neardup import Document, Index
from oracle import Doc
from records import read_jsonl
from texts import LANGUAGES, corpus

GOLDEN = Path(__file__).parents[1] / "golden"
EXPECTED: dict[str, Any] = json.loads((GOLDEN / "expected.json").read_text(encoding="utf-8"))
RECORDS = read_jsonl(GOLDEN / "docs.jsonl")

SCHEMES = {
    "bands": "words | shingles:5 | minhash:96 | bands:16x6 | resemblance>=0.8",
    "exact": "words | shingles:5 | whole | prefix:0.8 | resemblance>=0.8",
    "low": "words | shingles:2 | whole | prefix:0.4 | resemblance>=0.4",
    "chars": "chars | shingles:5 | minhash:96 | bands:16x6 | resemblance>=0.7",
    "jamo": "jamo | shingles:5 | whole | prefix:0.7 | resemblance>=0.7",
    "bytes": "bytes | shingles:8 | minhash:96 | bands:16x6 | resemblance>=0.7",
    "lines": "lines | shingles:1 | whole | prefix:0.5 | resemblance>=0.5",
    "fetterly": str(neardup.classics.fetterly()),
    "simhash": "words | shingles:3 | simhash:64 | blocks:9,single | hamming<=9",
    "henzinger": str(neardup.classics.henzinger()),
    "shingle_equal": str(neardup.classics.shingle_equal()),
    "levenshtein": "words | shingles:2 | minhash:64 | bands:16x4 | resemblance>=0.4 & levenshtein:words<=3",
    "estimate": "words | shingles:3 | minhash:64 | bands:16x4 | ~resemblance>=0.7",
    "contained": "words | shingles:3 | moduli:2 | each | containment>=0.7",
    "seeded": "words | shingles:3 | minhash:64 seed=9 | bands:16x4 | resemblance>=0.6",
    "weighted": "words | shingles:1 weight=tf | simhash:64 | blocks:6,single | hamming<=6",
    "kinds": "words | shingles:3 | minhash:64 | bands:8x8 + bands:2x2 match=2 | resemblance>=0.5",
}


def document_of(doc: Doc) -> Document:
    return Document(doc.text, doc.id, None, doc.time)


@pytest.mark.parametrize("recall", ["0.99", "exact"])
@pytest.mark.parametrize("seed", range(3))
def test_the_golden_run_in_any_order(recall: str, seed: int, tmp_path: Path) -> None:
    index = create(tmp_path / "index", 4, recall=recall, policy="earliest")
    records = Random(seed).sample(RECORDS, len(RECORDS))
    index.add([Document(record["text"], record["id"], None, record["created"]) for record in records])
    decided = {row["id"]: index.verdict(row["id"]) for row in EXPECTED["decisions"]}
    for row in EXPECTED["decisions"]:
        verdict = decided[row["id"]]
        assert (verdict.kept, verdict.original) == (row["verdict"] == "keep", row["original"])
    clusters = {tuple(index.cluster(record["id"])) for record in RECORDS}
    assert clusters == {tuple(sorted(component)) for component in EXPECTED["components"]}
    check_same(index, held_by(index), "earliest")
    index.verify()


@pytest.mark.parametrize("policy", ["first", "earliest"])
@pytest.mark.parametrize("scheme", SCHEMES)
def test_generated_corpora_under_every_scheme(scheme: str, policy: Any, tmp_path: Path) -> None:
    """Documents are added in any order and removed, segments are merged, and the index is reopened in between."""
    random = Random(scheme)
    index = create(tmp_path / "index", 6, scheme=SCHEMES[scheme], policy=policy)
    docs = [doc._replace(id=f"{name}/{doc.id}") for name in LANGUAGES for doc in corpus(name, 3, families=4)]
    random.shuffle(docs)
    half = len(docs) // 2
    index.add(map(document_of, docs[:half]))
    index.remove([doc.id for doc in docs[:half:5]])
    check_same(index, held_by(index), policy)
    assert 0 < index.info()["kept"] < index.info()["documents"]
    index = reopen(index, 6)
    index.compact()
    index.add(map(document_of, docs[half:]))
    index.remove([doc.id for doc in docs[half::4]])
    left = [doc.id for at, doc in enumerate(docs) if (at % 5 if at < half else (at - half) % 4)]
    assert [document.id for document in index] == left
    check_same(index, held_by(index), policy)
    check_same(reopen(index, 6), held_by(index), policy)
    index.verify()


@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_without_ids(language: str, tmp_path: Path) -> None:
    """The verdicts are those of a run on the texts alone: input order decides."""
    index = create(tmp_path / "index")
    texts = [doc.text for doc in corpus(language, 4)]
    index.add(texts)
    rows = neardup.dedup(texts).decisions
    originals = [f"#{row.split(':')[1]}" for row in rows.column("original")]
    assert [index.verdict(f"#{number}").original for number in rows.column("row")] == originals
    check_same(index, held_by(index), "first")


WORDS = st.lists(st.sampled_from(["quay", "heron", "lamp", "river", "stone", "copper"]), min_size=3, max_size=7)
TEXT = st.one_of(WORDS.map(" ".join), WORDS.map(lambda words: " ".join(words).upper()), st.sampled_from(["", " ", "!"]))
TIME = st.sampled_from([None, 5, 6, "1970-01-01T00:00:05.5Z", "1970", "1970-01-01T00:00:05.000001Z"])
URL = st.one_of(st.none(), st.integers(0, 5).map("http://example.org/{}".format))
STEP = st.one_of(
    st.tuples(st.just("add"), st.lists(st.tuples(TEXT, URL, TIME), min_size=1, max_size=4)),
    st.tuples(st.just("remove"), st.lists(st.integers(0, 30), min_size=1, max_size=3)),
    st.tuples(st.sampled_from(["compact", "reopen"]), st.none()),
)


@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
@given(st.lists(STEP, max_size=14), st.sampled_from(["first", "earliest"]), st.booleans())
def test_the_index_agrees_with_batch_jobs_after_random_steps(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, Any]], policy: Any, named: bool
) -> None:
    scheme = "words | shingles:1 | whole | prefix:0.6 | resemblance>=0.6"
    index = create(tmp_path_factory.mktemp("any") / "index", 3, scheme=scheme, policy=policy)
    present: dict[str, Document] = {}
    originals: dict[str, str] = {}
    count = 0
    for step, what in steps:
        if step == "add":
            documents = []
            for text, url, time in what:
                count += 1
                # the ids are not in ascending order
                documents.append(Document(text, f"d{count * 37 % 101}" if named else None, url, time))
            for document, admission in zip(documents, index.add(documents), strict=True):
                if admission.replaced is not None and not admission.unchanged:
                    del present[admission.replaced], originals[admission.replaced]
                if not admission.unchanged:
                    present[admission.verdict.id] = document
                originals |= {verdict.id: verdict.original for verdict in [*admission.changed, admission.verdict]}
        elif step == "remove":
            removal = index.remove([name for at, name in enumerate(present) if at in what])
            for name in removal.removed:
                del present[name], originals[name]
            originals |= {verdict.id: verdict.original for verdict in removal.changed}
        elif step == "compact":
            index.compact()
        else:
            index = reopen(index, 3)
        assert originals == {name: index.verdict(name).original for name in present}
    if present:
        check_same(index, present, policy)
    index.verify()


def test_replacing_by_url_is_removing_and_adding(tmp_path: Path) -> None:
    docs = corpus("mixed", 5, families=10)
    index = create(tmp_path / "index", 4)
    for at, doc in enumerate(docs):
        index.add(Document(doc.text, doc.id, f"http://example.org/{at % 17}"))
    assert [document.id for document in index] == [doc.id for doc in docs[-17:]]
    check_same(index, held_by(index), "first")
    # an equal document keeps its place
    [admission] = index.add(Document(docs[-17].text, url=f"http://example.org/{(len(docs) - 17) % 17}"))
    assert (admission.unchanged, admission.replaced) == (True, docs[-17].id)
    assert next(iter(index)).id == docs[-17].id


@pytest.mark.parametrize(
    ("scheme", "reason"),
    [
        ("words | shingles:1 weight=idf:corpus | simhash:64 | blocks:3,single | hamming<=3", r"lexicon\.parquet"),
        ("words | shingles:5 | minhash:96 | bands:16x6 cap=5 over=drop | resemblance>=0.8", "over=star"),
        (f"{SCHEMES['exact']} ; {SCHEMES['jamo']}", "pass"),
    ],
)
def test_a_scheme_that_needs_the_whole_corpus_is_refused(scheme: str, reason: str, tmp_path: Path) -> None:
    with pytest.raises(neardup.UsageError, match=reason):
        Index.create(tmp_path / "index", scheme=scheme)
    assert not (tmp_path / "index").exists()


@pytest.mark.parametrize("policy", ["first", "earliest"])
def test_documents_beyond_the_limits_of_age_and_number_expire(
    policy: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    docs = corpus("english", 6, families=10)
    index = create(tmp_path / "index", 4, scheme=SCHEMES["low"], policy=policy, ttl="1m", most=12)
    documents = {doc.id: document_of(doc) for doc in docs}
    arrived: dict[str, int] = {}
    random, now, latest = Random(6), 1_700_000_000, 0
    for at, doc in enumerate(docs):
        # the clock may go back, but a document never counts as older than those before it
        now += random.choice([-5, 0, 1, 2, 8])
        latest = max(latest, now)
        monkeypatch.setattr("time.time", lambda now=now: now + 0.75)
        [admission] = index.add(document_of(doc))
        arrived[doc.id] = latest
        left = [name for name, when in arrived.items() if when >= now - 60]
        while count_kept({name: documents[name] for name in left}, scheme=SCHEMES["low"], keep=policy) > 12:
            del left[0]
        assert admission.expired == [name for name in arrived if name not in left]
        arrived = {name: arrived[name] for name in left}
        assert [document.id for document in index] == left
        if at % 9 == 0:
            index = reopen(index, 4)
            check_same(index, held_by(index), policy)
    check_same(index, held_by(index), policy)
    monkeypatch.setattr("time.time", lambda: latest + 60)
    assert arrived[left[-1]] == latest
    assert index.expire().removed == [name for name, when in arrived.items() if when < latest]
    monkeypatch.setattr("time.time", lambda: latest + 61)
    index.expire()
    assert len(index) == 0
    index.verify()


def test_copies_do_not_count_towards_the_limit(tmp_path: Path) -> None:
    """A document gets the verdict that `check` predicted, and only then the oldest documents expire."""
    lines = ["a lamp by the quay burns late", "bread is sold before dawn", "two ferries wait in the fog"]
    index = create(tmp_path / "index", 4, most=2)
    for at, text in enumerate([lines[0], lines[1], *[lines[0]] * 5, lines[2], lines[1], lines[0]]):
        checked = index.check(Document(text))
        [admission] = index.add(Document(text, f"d{at}"))
        assert (admission.verdict.kept, admission.verdict.original) == (
            checked.verdict.kept,
            f"d{at}" if checked.verdict.kept else checked.verdict.original,
        )
        # when a third text arrives, the copies of the first text expire as well
        assert admission.expired == {7: ["d0", "d1"], 8: ["d2", "d3", "d4", "d5", "d6"], 9: ["d7"]}.get(at, [])
        assert sum(index.verdict(str(document.id)).kept for document in index) == index.info()["kept"] <= 2


def test_times_are_ordered_to_the_microsecond(tmp_path: Path) -> None:
    times: list[int | str | None] = [
        6,
        "1970-01-01T00:00:05.000002Z",
        None,
        "1970-01-01T00:00:05.000001Z",
        "1970-01-01T01:00:05.5+01:00",
        "2024-05",
    ]
    present = {f"d{at}": Document("a lamp by the quay", f"d{at}", None, time) for at, time in enumerate(times)}
    index = create(tmp_path / "index", 2, policy="earliest")
    index.add(present.values())
    check_same(index, present, "earliest")
    for original in ("d3", "d1", "d4", "d0", "d5", "d2"):
        assert all(index.verdict(name).original == original for name in present)
        index.remove(original)
        del present[original]
        check_same(reopen(index, 2), present, "earliest")


def test_times_are_stored_to_the_microsecond(tmp_path: Path) -> None:
    index = create(tmp_path / "index", 2, policy="earliest")
    times: list[int | str | None] = [7, "1970-01-01T00:00:06.25Z", None, "1970-01-01T00:00:06.000001Z", -1]
    index.add([Document("a lamp by the quay", f"d{at}", None, time) for at, time in enumerate(times)])
    for same in (index, reopen(index, 2)):
        assert [document.time for document in same] == times
        assert [same.get(f"d{at}").time for at in range(5)] == times
        hits = {hit.id: hit.time for hit in same.query("a lamp by the quay")}
        assert hits == {f"d{at}": time for at, time in enumerate(times)}
    copy = create(tmp_path / "copy", 2, policy="earliest")
    copy.add(neardup.read(tmp_path / "index"))
    assert [one.unchanged for one in copy.add(index)] == [True] * 5
    index.remove("d4")
    originals = set(neardup.dedup(list(index), keep="earliest").decisions.column("original"))
    assert originals == {index.verdict(f"d{at}").original for at in range(4)} == {"d3"}


def test_an_existing_index_must_have_the_requested_options(tmp_path: Path) -> None:
    Index.create(tmp_path / "index", parts=True, most=5)
    for options in ({}, {"parts": True}, {"most": 5, "policy": "first"}):
        assert len(Index.open_or_create(tmp_path / "index", **options)) == 0
    with pytest.raises(neardup.UsageError, match=r"parts is False; the index in .* was made with True"):
        Index.open_or_create(tmp_path / "index", parts=False)
    with pytest.raises(neardup.UsageError, match=r"most is 6; the index in .* was made with 5"):
        Index.open_or_create(tmp_path / "index", most=6)


def test_refusals_name_the_document(tmp_path: Path) -> None:
    index = Index.create(tmp_path / "index")
    wrong: list[tuple[Any, str]] = [
        (Document("x", time="soon"), 'the time "soon" is not an RFC 3339'),
        (Document("x", time=1.5), "the time 1.5 is not an RFC 3339"),  # type: ignore[arg-type]
        (Document("x", time=10**30), "the time 1000000000000000000000000000000 is not an RFC 3339"),
        (Document("\ud800"), "a lone surrogate is no character"),
        (Document(5), "its text is 5; allowed"),  # type: ignore[arg-type]
    ]
    for document, reason in wrong:
        with pytest.raises(neardup.DataError, match=f"^document 300: .*{reason}"):
            index.add([*(["x"] * 299), document])
        with pytest.raises(neardup.DataError, match=f"^document 1: .*{reason}"):
            index.check(document)
    assert len(index) == 256 * len(wrong)
    with pytest.raises(neardup.UsageError, match="threshold is 'nan'"):
        index.query("x", threshold="nan")
    assert len(index.query("x", limit=10**30)) == len(index)


def add_as_checked(index: Index, document: Document) -> neardup.index.Admission:
    """Add a document, and assert that `check` predicted the result or the refusal."""
    try:
        checked = index.check(document)
    except neardup.DataError as refusal:
        with pytest.raises(neardup.DataError, match=re.escape(str(refusal))):
            index.add(document)
        raise
    [admission] = index.add(document)
    assert (admission.kind, admission.replaced, admission.unchanged) == (
        checked.kind,
        checked.replaced,
        checked.unchanged,
    )
    assert admission.verdict == checked.verdict
    return admission


@pytest.mark.parametrize("seed", range(30))
def test_a_batch_equals_single_documents(tmp_path: Path, seed: int) -> None:
    """Ids, URLs and texts are few, so that they collide; earlier documents of a batch count as added."""
    random, refused = Random(seed), 0
    together, singly = create(tmp_path / "together", 4), create(tmp_path / "singly", 4)
    for number in range(40):
        batch = [
            Document(random.choice("xyz"), random.choice([None, "a", "b", "c"]), random.choice([None, "", "u", "v"]))
            for _ in range(random.randrange(1, 6))
        ]
        try:
            admissions = together.add(batch)
        except neardup.DataError:
            refused += 1
            with pytest.raises(neardup.DataError):
                [add_as_checked(singly, document) for document in batch]
            singly = create(tmp_path / f"singly{number}", 4)
            together = create(tmp_path / f"together{number}", 4)
        else:
            assert admissions == [add_as_checked(singly, document) for document in batch]
            assert list(together) == list(singly)
    assert 0 < refused < 40


@pytest.mark.parametrize("scheme", ["simhash", "words | shingles:3 | minhash:96 | bands:16x6 | ~resemblance>=0.5"])
def test_the_value_of_a_hit_is_that_of_the_pair(scheme: str, tmp_path: Path) -> None:
    """A copy has no value, because no condition decides it."""
    text = "the ferry leaves the long stone quay at seven and comes back at noon on market days"
    others = {"copy": text, "case": text.replace("the", "The"), "twice": f"{text} {text}", "near": f"{text} again"}
    documents = [Document(text, "own"), *(Document(other, name) for name, other in others.items())]
    index = Index.create(tmp_path / "index", scheme=scheme)
    index.add(documents)
    pairs = neardup.find_pairs(documents, scheme=scheme).pairs
    columns = (pairs.column(name) for name in ("left", "right", "rule", "value"))
    expected = {
        (left if right == "own" else right): (rule, value)
        for left, right, rule, value in zip(*columns, strict=True)
        if "own" in (left, right)
    }
    found = {hit.id: (hit.rule, hit.value) for hit in index.query(id="own")}
    assert found == expected
    assert found["copy"] == ("identical", None)
    assert found["case"] == ("lexical", None)


@pytest.mark.parametrize("policy", ["first", "earliest"])
def test_check_and_add_return_the_same_verdict(policy: Literal["first", "earliest"], tmp_path: Path) -> None:
    """The verdicts agree even if other documents expire for the new one, or if it replaces another."""
    random = Random(7)
    words = [f"w{number}" for number in range(9)]
    for trial in range(12):
        index = Index.create(tmp_path / f"{trial}", threshold=0.3, policy=policy, most=1 + trial % 3)
        for number in range(14):
            text = " ".join(random.choice(words) if random.random() < 0.25 else words[at] for at in range(9))
            url = f"http://h/{random.randrange(5)}" if random.random() < 0.5 else None
            document = Document(text, f"d{number}", url, random.randrange(5) if policy == "earliest" else None)
            checked = index.check(document)
            [added] = index.add([document])
            assert (checked.verdict, checked.replaced, checked.unchanged) == (
                added.verdict,
                added.replaced,
                added.unchanged,
            )
        index.verify()
