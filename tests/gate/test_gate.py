"""The gate on both stores: new documents and duplicates, changed roles, and the content of the store and its search."""

import json
import shutil
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from random import Random
from threading import Barrier, Event, Thread
from typing import Any

import pytest

import neardup
from command import PATIENCE
from failing import Failing
from neardup import DataError, Document, EnvironmentFault, UsageError
from neardup.gate.gate import Gate, Page
from neardup.index import follower
from neardup.index.index import Index
from neardup.schemes import classics
from neardup.stores.document_store import DocumentStore
from neardup.stores.indexed import IndexedStore
from neardup.stores.sql import SqlStore
from neardup.stores.stored_document import Changes, StoredDocument
from oracle import Doc
from racing import POST, start_racer
from records import read_jsonl
from stores import Place, find, open_store
from systems import need_linux
from texts import corpus

GOLDEN = Path(__file__).parents[1] / "golden"
PLAIN_SKIN = """<html><head><title>{title} - Harbour diary</title><style>p {{margin: 1em}}</style></head><body>
<header><h1>Harbour diary</h1><nav><ul><li><a href="/">Home</a></li><li><a href="/about">About us</a></li>
<li><a href="/archive">All entries</a></li></ul></nav></header>
<main><article><h2>{title}</h2>{body}</article></main>
<footer>Written by hand since 2009. <a href="/rss">Feed</a></footer></body></html>"""
CARD_SKIN = """<html><head><title>{title} | Salt and Rope</title><script>var theme = "cards";</script></head><body>
<div id="page"><div class="navbar"><a href="/start">Start</a>
<a href="/photos">Photos</a> <a href="/contact">Contact</a>
</div><div class="sidebar"><h3>Most read</h3><ul><li><a href="/p/12">Ten knots you should know</a></li>
<li><a href="/p/7">How to paint a hull</a></li></ul><h3>Newsletter</h3><form><input name="mail"></form></div>
<div class="content"><article class="post"><h2>{title}</h2>{body}</article></div>
<div class="footer">Theme: Cards.
<a href="/login">Log in</a> <a href="/privacy">Privacy</a></div></div></body></html>"""


def post(skin: str, paragraphs: list[str] = POST, title: str = "The lock that would not open") -> str:
    return skin.format(title=title, body="".join(f"<p>{paragraph}</p>" for paragraph in paragraphs))


@pytest.fixture
def gate(tmp_path: Path, store: SqlStore) -> Gate:
    return Gate(Index.create(tmp_path / "index"), store)


@pytest.fixture
def earliest(tmp_path: Path, store: SqlStore) -> Gate:
    return Gate(Index.create(tmp_path / "index", policy="earliest"), store)


class NoSearch:
    """A search engine that finds nothing."""

    def put(self, documents: Sequence[StoredDocument]) -> None: ...

    def remove(self, ids: Sequence[str]) -> None: ...


def search(gate: Gate, query: str) -> list[str]:
    assert isinstance(gate.store, SqlStore)
    return find(gate.store, query)


def check_store(gate: Gate) -> None:
    """Assert that the store has the documents, roles, rules and position of the index."""
    store = gate.store
    assert isinstance(store, SqlStore)
    roles = {role.id: role.original for role in store.roles()}
    assert roles == {document.id: gate.index.verdict(document.id or "").original for document in gate.index}
    for document in gate.index:
        stored = store.get(document.id or "")
        assert stored is not None
        verdict = gate.index.verdict(stored.id)
        assert (stored.text, stored.url, stored.time) == (document.text, document.url, document.time)
        assert (stored.is_kept, stored.rule) == (verdict.kept, verdict.rule)
    assert store.position() == gate.index.position


def test_one_post_in_two_blog_skins(gate: Gate) -> None:
    first = gate.admit(Page(post(PLAIN_SKIN), "diary", "http://diary.example/lock"))
    again = gate.admit(Page(post(CARD_SKIN), "cards", "http://cards.example/p/99"))
    other = gate.admit(Page(post(CARD_SKIN, POST[::-1][:1] * 2, "New chain"), "other", "http://cards.example/p/100"))
    assert (first.kind, again.kind, other.kind) == ("new", "duplicate", "new")
    assert again.verdict.original == "diary"
    assert again.verdict.resemblance is not None
    assert again.verdict.resemblance > 0.9
    assert search(gate, "ferry islands") == ["diary"]
    assert search(gate, "Newsletter") == []
    check_store(gate)


@pytest.mark.parametrize("scheme", [None, classics.fetterly()])
def test_the_framework_works_as_the_default_does(tmp_path: Path, store: SqlStore, scheme: str | None) -> None:
    gate = Gate(Index.create(tmp_path / "index", scheme=scheme), store)
    text = " ".join(POST)
    near = text.replace("Monday", "Tuesday")
    kinds = [gate.admit(given).kind for given in (text, text, near, POST[0])]
    assert kinds == ["new", "duplicate", "duplicate", "new"]
    assert gate.index.verdict("#3").rule == "near"
    assert gate.index.verdict("#3").verified == (scheme is None)
    check_store(gate)


def test_a_late_original_takes_over(earliest: Gate) -> None:
    text = " ".join(POST)
    earliest.admit(Document(text, "copy", time="2024-05-02"))
    earliest.admit(Document(text.upper(), "third", time="2024-06-01"))
    late = earliest.admit(Document(text + " Sent by post.", "original", time="2024-05-01T08:00:00Z"))
    assert late.kind == "new"
    changed = {verdict.id: (verdict.original, verdict.rule) for verdict in late.changed}
    assert changed == {"copy": ("original", "near"), "third": ("original", "near")}
    assert search(earliest, "ferry") == ["original"]
    check_store(earliest)
    # without it the next earliest document is the original again, and the search finds that one
    removal = earliest.remove("original")
    changed = {verdict.id: (verdict.original, verdict.rule) for verdict in removal.changed}
    assert changed == {"copy": ("copy", None), "third": ("copy", "lexical")}
    assert search(earliest, "ferry") == ["copy"]
    check_store(earliest)


def test_racing_copies_of_threads(gate: Gate) -> None:
    distinct = [" ".join(Random(number).choices(" ".join(POST).split(), k=60)) for number in range(8)]
    start, kinds = Barrier(8), dict[str, list[str]]()

    def admit(thread: int) -> None:
        start.wait()
        for text in Random(thread).sample(distinct, 8):
            kinds.setdefault(text, []).append(gate.admit(text).kind)

    threads = [Thread(target=admit, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(sorted(found) == ["duplicate"] * 7 + ["new"] for found in kinds.values())
    assert len(kinds) == 8
    check_store(gate)


def test_racing_copies_of_processes(tmp_path: Path, place: Place) -> None:
    folder = tmp_path / "index"
    with closing(open_store(*place)) as store:
        gate = Gate(Index.create(folder), store)
        writers = [start_racer(place, folder, number) for number in range(4)]
        kinds: dict[str, list[str]] = {}
        for writer in writers:
            out, _ = writer.communicate(timeout=PATIENCE)
            assert writer.returncode == 0
            for text, kind in json.loads(out):
                kinds.setdefault(text, []).append(kind)
        assert len(kinds) == 30
        assert all(sorted(found) == ["duplicate"] * 3 + ["new"] for found in kinds.values())
        gate.index.refresh()
        gate.sync()
        check_store(gate)
        assert len(gate.index) == 120


def test_a_page_that_changes_is_an_update(gate: Gate) -> None:
    text, url = " ".join(POST), "http://diary.example/lock"
    gate.admit(Document(text, "first", url))
    gate.admit(Document(text, "copy", "http://cards.example/p/99"))
    same = gate.admit(Document(text, "first", url))
    assert (same.kind, same.unchanged, same.changed) == ("update", True, [])
    update = gate.admit(Document("All is well at the lock again, and the ferry runs on time.", "second", url))
    assert (update.kind, update.replaced, update.unchanged, update.verdict.kept) == ("update", "first", False, True)
    assert [(verdict.id, verdict.kept) for verdict in update.changed] == [("copy", True)]
    assert gate.store.get("first") is None
    assert sorted(search(gate, "ferry")) == ["copy", "second"]
    check_store(gate)


def test_pages_that_cannot_be_parsed_are_refused(gate: Gate) -> None:
    for page, place in ((Page("\ud800", url="u"), "page u"), (Page("\ud800"), "page without URL and id")):
        with pytest.raises(DataError, match=f"{place}: the HTML cannot be parsed"):
            gate.admit(page)
    wrong: Any = 5
    with pytest.raises(UsageError, match="document is 5; allowed are Document, Page, text"):
        gate.admit(wrong)
    assert len(gate.index) == 0


def test_one_document_is_not_taken_for_many(gate: Gate) -> None:
    one: list[str | Document | Page] = [
        POST[0],
        Document(POST[1], "b", "http://b.example"),
        Page(f"<p>{POST[2]}</p>", "c"),
    ]
    for given in one:
        assert [admission.kind for admission in gate.admit_all(given)] == ["new"]
    assert [document.text for document in gate.index] == POST[:3]


def test_check_stores_nothing(earliest: Gate) -> None:
    text = " ".join(POST)
    earliest.admit(Document(text, "a", "http://a.example", time=100))
    position = earliest.index.position
    assert earliest.check(Document(text, "b", time=200)).verdict.original == "a"
    assert earliest.check(Document(text, "b", time=50)).kind == "new"
    assert earliest.check(Document("Something else altogether, with words of its own.", "b")).kind == "new"
    update = earliest.check(Document(text + " More.", "b", "http://a.example", time=200))
    assert (update.kind, update.replaced, update.verdict.kept) == ("update", "a", True)
    assert earliest.check(Page(post(PLAIN_SKIN), "p", time=300)).kind in ("new", "duplicate")
    assert (earliest.index.position, len(earliest.store)) == (position, 1)


@pytest.mark.parametrize("policy", ["first", "earliest"])
@pytest.mark.parametrize("language", ["english", "korean", "chinese", "mixed"])
def test_verdicts_are_those_of_a_batch_run(tmp_path: Path, store: SqlStore, policy: str, language: str) -> None:
    docs = corpus(language, 5)
    gate = Gate(Index.create(tmp_path / "index", policy="earliest" if policy == "earliest" else "first"), store)
    order = Random(1).sample(docs, len(docs))
    gate.admit_all(Document(doc.text, doc.id, time=doc.time) for doc in order)
    check_store(gate)
    check_batch(gate, order, policy)
    gone = [doc.id for doc in Random(2).sample(docs, len(docs) // 3)]
    gate.remove(gone)
    check_store(gate)
    check_batch(gate, [doc for doc in order if doc.id not in gone], policy)


def check_batch(gate: Gate, docs: list[Doc], policy: str) -> None:
    """Compare the verdicts of a gate with those of a batch run.

    Under `first` the batch run gets no ids, so that input order decides.
    """
    if policy == "first":
        result = neardup.dedup([Document(doc.text) for doc in docs], keep="first")
        names = [docs[row - 1].id for row in result.decisions.column("row")]
        ids = dict(zip(result.decisions.column("id"), names, strict=True))
    else:
        result = neardup.dedup([Document(doc.text, doc.id, time=doc.time) for doc in docs], keep="earliest")
        ids = {doc.id: doc.id for doc in docs}
    columns = [
        result.decisions.column(name) for name in ("id", "original", "rule", "shared", "id_size", "original_size")
    ]
    for name, original, rule, shared, size, original_size in zip(*columns, strict=True):
        verdict = gate.index.verdict(ids[name])
        assert (verdict.original, verdict.rule) == (ids[original], rule)
        if rule is not None:
            assert (verdict.shared, verdict.id_size, verdict.original_size) == (shared, size, original_size)


@pytest.mark.parametrize("seed", range(3))
def test_the_golden_run_in_any_order(tmp_path: Path, store: SqlStore, seed: int) -> None:
    expected = json.loads((GOLDEN / "expected.json").read_text(encoding="utf-8"))
    records = read_jsonl(GOLDEN / "docs.jsonl")
    gate = Gate(Index.create(tmp_path / "index", policy="earliest"), store)
    for record in Random(seed).sample(records, len(records)):
        gate.admit(Document(record["text"], record["id"], time=record["created"]))
    for row in expected["decisions"]:
        verdict = gate.index.verdict(row["id"])
        assert (verdict.original, verdict.kept) == (row["original"], row["verdict"] == "keep")
    check_store(gate)


def test_an_expired_original_hands_its_role_on(
    tmp_path: Path, store: SqlStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = Gate(Index.create(tmp_path / "index", ttl="1h", most=3), store)
    now = 1_000_000.0
    monkeypatch.setattr("time.time", lambda: now)
    text = " ".join(POST)
    gate.admit(Document(text, "old"))
    now += 3000
    gate.admit(Document(text, "young"))
    now += 1000
    expired = gate.admit(Document("Words that are like no others, and few of them.", "new"))
    assert expired.expired == ["old"]
    assert [(verdict.id, verdict.kept) for verdict in expired.changed] == [("young", True)]
    assert search(gate, "ferry") == ["young"]
    gate.admit_all([Document("One more, of other words.", "x"), Document("And the last of them all today.", "y")])
    assert sorted(role.id for role in gate.store.roles()) == ["new", "x", "y"]
    now += 10_000
    assert sorted(gate.expire().removed) == ["new", "x", "y"]
    assert len(gate.store) == 0
    check_store(gate)


def test_a_store_that_failed_catches_up_later(tmp_path: Path, store: SqlStore) -> None:
    failing = Failing(store)
    as_store: DocumentStore = failing  # type: ignore[assignment]
    gate = Gate(Index.create(tmp_path / "index"), as_store)
    gate.admit(Document(POST[0], "a"))
    failing.fails = True
    with pytest.raises(EnvironmentFault, match="disk is full"):
        gate.admit(Document(POST[1], "b"))
    assert ("b" in gate.index, store.get("b")) == (True, None)
    failing.fails = False
    gate.admit(Document(POST[0], "c"))
    assert [role.id for role in store.roles()] == ["a", "b", "c"]
    gate.store = store
    check_store(gate)


def test_a_store_left_behind_catches_up(tmp_path: Path, store: SqlStore) -> None:
    texts = [
        f"number{number} " + " ".join(Random(number % 40).choices(" ".join(POST).split(), k=40))
        for number in range(300)
    ]
    gate = Gate(Index.create(tmp_path / "index"), store)
    gate.admit_all(Document(text, str(number)) for number, text in enumerate(texts[:100]))
    # the index continues without the store, and its log is truncated
    gate.index.add([Document(text, str(number)) for number, text in enumerate(texts[100:], 100)])
    gate.index.remove([str(number) for number in range(0, 300, 7)])
    gate.index.add(Document("Another text of the same id.", "7"))
    gate.index.compact()
    gate = Gate(Index.open(tmp_path / "index"), store)
    check_store(gate)
    gate.admit(Document(texts[0], "again"))
    check_store(gate)


def test_changes_made_while_a_store_catches_up(
    tmp_path: Path, store: SqlStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(follower, "_BATCH", 10)
    gate = Gate(Index.create(tmp_path / "index"), store)
    gate.admit_all(Document(f"a text of its own, number {number}", f"a{number}") for number in range(5))
    gate.index.add([Document(f"another text, {number}", f"b{number}") for number in range(25)])
    gate.index.compact()
    index = Index.open(tmp_path / "index")
    applied = store.apply

    def apply(changes: Changes) -> None:
        applied(changes)
        monkeypatch.setattr(store, "apply", applied)
        index.remove(["a1", "b24"])
        index.add([Document(f"a text that came late, {number}", f"c{number}") for number in range(25)])

    monkeypatch.setattr(store, "apply", apply)
    check_store(Gate(index, store))


class PositionRecorder:
    """A store that records only the position up to which changes were applied."""

    def __init__(self) -> None:
        self.last = 0

    def position(self) -> int:
        return self.last

    def apply(self, changes: Changes) -> None:
        self.last = max(self.last, changes.position)


def test_steps_that_are_not_on_the_disk_are_not_applied_to_the_store(tmp_path: Path) -> None:
    need_linux("limits of files")
    import resource

    index, recorder, done = Index.create(tmp_path / "index"), PositionRecorder(), Event()
    index.add("a text")
    store: Any = recorder

    def follow_index() -> None:
        while not done.is_set():
            follower.follow(index.core, store)

    thread = Thread(target=follow_index)
    thread.start()
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, before[1]))
    try:
        for number in range(5):
            with pytest.raises(EnvironmentFault, match="cannot write"):
                index.add([Document(f"{number} {at} " * 2000) for at in range(200)])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        done.set()
        thread.join()
    assert (index.position, recorder.last) == (1, 1)


def test_a_log_that_a_power_failure_left_longer_than_it_says(tmp_path: Path) -> None:
    with Gate.open(tmp_path / "gate") as gate:
        gate.admit(Document(POST[0], "a"))
        [log] = (tmp_path / "gate" / "index").glob("log-*")
        before = log.read_bytes()
        gate.admit(Document(POST[1], "b"))
    # the disk has the record, but not the length that was written after it
    with open(log, "r+b") as file:
        file.write(before)
    assert "b" not in Index.open(tmp_path / "gate" / "index")
    with Gate.open(tmp_path / "gate") as gate:
        assert gate.index.position == 2
        check_store(gate)


def test_an_older_copy_of_the_index_is_refused(tmp_path: Path, store: SqlStore) -> None:
    Gate(Index.create(tmp_path / "index"), store).admit("Some words.")
    shutil.copytree(tmp_path / "index", tmp_path / "copy")
    Gate(Index.open(tmp_path / "index"), store).admit("Others.")
    with pytest.raises(UsageError, match="the store is at step 2, the index at 1: an older copy"):
        Gate(Index.open(tmp_path / "copy"), store)


def test_many_documents_are_applied_in_batches(
    tmp_path: Path, store: SqlStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(follower, "_BATCH", 3)
    gate = Gate(Index.create(tmp_path / "index", policy="earliest"), store)
    gate.admit_all(Document(POST[number % 3], f"a{number}", time=9) for number in range(3))
    sizes, applied = [], store.apply

    def apply(changes: Changes) -> None:
        sizes.append((len(changes.stored), len(changes.changed)))
        applied(changes)

    monkeypatch.setattr(store, "apply", apply)
    gate.admit_all(Document(POST[number % 3], f"b{number}", time=10 - number) for number in range(8))
    assert sizes == [(3, 3), (3, 0), (2, 0)]
    check_store(gate)


def test_the_store_of_another_gate_is_refused(tmp_path: Path, store: SqlStore) -> None:
    Gate(Index.create(tmp_path / "one"), store).admit("Some words.")
    other = Index.create(tmp_path / "two")
    other.add(["More", "words", "here."])
    with pytest.raises(UsageError, match="store of another index"):
        Gate(other, store)
    with pytest.raises(UsageError, match="store of another index"):
        Gate(other, IndexedStore(store, NoSearch()))
    assert (store.position(), len(store)) == (1, 1)
    Gate(Index.open(tmp_path / "one"), store)


def test_refused_documents_change_nothing(gate: Gate) -> None:
    gate.admit(Document(POST[0], "a", "http://a.example"))
    with pytest.raises(DataError, match="`a` is in the index already"):
        gate.admit(Document(POST[1], "a"))
    with pytest.raises(DataError, match="2024-13-01"):
        gate.admit(Document(POST[1], "b", time="2024-13-01"))
    for unfit, reason in (
        (Document(POST[1], time=1.5), "document 1: the time 1.5 is not"),  # type: ignore[arg-type]
        (Document(POST[1], 5), "document 1: its id is 5; allowed are str and None"),  # type: ignore[arg-type]
        (Document("half of a pair: \ud800"), "document 1: its text is .*, which is not UTF-8: a lone surrogate"),
    ):
        for ask in (gate.admit, gate.check):
            with pytest.raises(DataError, match=reason):
                ask(unfit)
    with pytest.raises(DataError, match="`x` is not in the index"):
        gate.remove("x")
    with pytest.raises(DataError, match="given twice"):
        gate.admit_all([Document(POST[1], "b"), Document(POST[2], "b")])
    assert (gate.index.position, len(gate.store)) == (1, 1)
    check_store(gate)


def test_a_folder_is_opened_or_made(tmp_path: Path) -> None:
    with Gate.open(tmp_path / "gate", threshold=0.7, policy="earliest", ttl="30d") as gate:
        gate.admit(Document(POST[0], "a", time="2024"))
    with Gate.open(tmp_path / "gate") as gate:
        assert gate.admit(Document(POST[0], "b", time="2023")).changed[0].original == "b"
        assert search(gate, "ferry") == ["b"]
    with pytest.raises(UsageError, match=r"the index is of scheme .*0\.7.*, not .*0\.9"):
        Gate.open(tmp_path / "gate", threshold=0.9)
    with pytest.raises(UsageError, match=r"policy is first; the index in .* was made with earliest"):
        Gate.open(tmp_path / "gate", policy="first")
    with pytest.raises(UsageError, match="allowed are first, earliest"):
        Gate.open(tmp_path / "other", policy="latest")  # type: ignore[arg-type]
    (tmp_path / "file").touch()
    with pytest.raises(EnvironmentFault, match="file"):
        Gate.open(tmp_path / "file")
    with pytest.raises(UsageError, match="ttl is 'soon'"):
        Gate.open(tmp_path / "other", ttl="soon")
