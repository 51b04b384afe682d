"""Document stores: SQLite and PostgreSQL held against one model, by threads, processes, crashes and hostile input."""

import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from itertools import count
from pathlib import Path
from threading import Barrier, Event, Thread, Timer

import psycopg
import pytest
from hypothesis import given
from hypothesis import strategies as st

import stores
from neardup import DataError, EnvironmentFault, UsageError
from neardup.live.changes import Changes
from neardup.live.search import terms
from neardup.live.search.tsvector import write_tsvector
from neardup.live.stored_document import Role, StoredDocument
from neardup.live.stores import sql
from neardup.live.stores.escaped import escape, unescape
from neardup.live.stores.postgres import PostgresStore
from neardup.live.stores.sql import SqlStore
from neardup.live.stores.sqlite import SqliteStore
from stores import Model, make_step, open_store

SCHEMAS = count()
Place = tuple[str, str]


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    """A place where no store is yet."""
    kind: str = request.param
    if kind == "sqlite":
        return kind, str(tmp_path / "store.db")
    return kind, f'{request.getfixturevalue("postgres")}|my "schema" {next(SCHEMAS)}'


@pytest.fixture
def store(place: Place) -> Iterator[SqlStore]:
    with closing(open_store(*place)) as store:
        yield store


def start_writer(place: Place, first: int, last: int) -> "subprocess.Popen[str]":
    """Let a process of its own apply steps."""
    command = [sys.executable, stores.__file__, *place, str(first), str(last)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, encoding="utf-8")


def keep(*texts: str, position: int = 1) -> Changes:
    """Store texts as kept documents, "0", "1" and so on."""
    return Changes(
        position, stored=[StoredDocument(str(at), text, None, None, str(at)) for at, text in enumerate(texts)]
    )


def find(store: SqlStore, query: str) -> list[str]:
    return [found.id for found in store.search(query)]


def test_holds_what_the_model_holds(place: Place) -> None:
    model = Model()
    with closing(open_store(*place)) as store:
        model.check(store)
        for position in range(1, 120, 2):
            model.apply(make_step(position))
            store.apply(make_step(position))
            model.check(store)
    with closing(open_store(*place)) as store:
        model.check(store)


def test_a_step_applied_before_changes_nothing(store: SqlStore) -> None:
    model = Model()
    for position in range(1, 30):
        model.apply(make_step(position))
        store.apply(make_step(position))
        for before in (position, max(1, position - 3)):
            store.apply(make_step(before))
    model.check(store)


def test_an_original_hands_its_role_on(store: SqlStore) -> None:
    first = StoredDocument("1", "the same words", "http://a", 5, "1")
    second = StoredDocument("2", "The same words!", None, None, "1", "lexical")
    third = StoredDocument("3", "the same words here", None, None, "1", "near")
    store.apply(Changes(1, stored=[first, second, third]))
    assert [(found.id, found.url) for found in store.search("words")] == [("1", "http://a")]
    assert store.duplicates("1") == ["2", "3"]
    store.apply(Changes(2, removed=["1"], changed=[Role("2", "2"), Role("3", "2", "near")]))
    assert find(store, "words") == ["2"]
    assert list(store.roles()) == [Role("2", "2"), Role("3", "2", "near")]
    assert store.get("1") is None
    store.apply(Changes(3, stored=[first], changed=[Role("2", "1", "lexical"), Role("3", "1", "near")]))
    assert find(store, "words") == ["1"]


@pytest.mark.parametrize(
    ("query", "text", "is_found"),
    [
        ("학교", "나는 학교에서 왔다", True),
        ("도서", "국립도서관이", True),
        ("图书", "国家图书馆。", True),
        ("书馆", "国家图书馆。", True),
        ("図書", "国立図書館で", True),
        ("ไทย", "ภาษาไทย", True),
        ("책", "만화책", True),
        ("5월", "지난 5월에", True),
        ("iPhone", "새 IPHONE을", True),
        ("학교 나는", "나는 학교에서 왔다", True),
        ("학교 너는", "나는 학교에서 왔다", False),
        ("图书", "图 书", False),
        ("图书", "图，书", False),
        ("图书馆", "图书 书馆", False),
        ("图书馆", "书馆图书", False),
        ("a가", "x가a 가나", False),
        ("phone", "iphone을", False),
        ("walk", "walking", False),
    ],
)
def test_words_are_found(store: SqlStore, query: str, text: str, is_found: bool) -> None:
    store.apply(keep("something else, 다른 글, 别的", text))
    assert find(store, query) == (["1"] if is_found else [])


@pytest.mark.parametrize("query", ["", " ", "\0", "...", '"', "'", "·", "*", "()", "\\", ":*", "%s", "?"])
def test_nothing_is_asked_for(store: SqlStore, query: str) -> None:
    store.apply(keep("a b", "· * ()"))
    assert find(store, query) == []


@pytest.mark.parametrize(
    "query",
    [
        *('"cat', "cat'", "cat*", "cat\0", "cat:*", "(cat", "cat)", "cat'); DROP TABLE documents; --", "-cat", "^cat"),
        *(
            "cat\\",
            "words:cat",
            "cat OR dog",
            "cat NOT dog",
            "NEAR(cat dog)",
            "cat AND",
            "{cat}:",
            "!cat",
            "cat & | dog",
        ),
        "%cat?",
    ],
)
def test_a_query_has_no_syntax(store: SqlStore, query: str) -> None:
    every = "cat dog drop table documents words or not near and"
    store.apply(keep("dog", "cat catalogue", every))
    assert set(find(store, query)) == {
        str(at) for at, text in enumerate(("dog", "cat", every)) if stores.matches(query, text)
    }
    assert len(store) == 3


def test_what_says_it_most_comes_first(store: SqlStore) -> None:
    store.apply(
        keep("one cat and four dogs here", "cat cat cat and a dog here", "학교에서 온 학생", "학교 온 학생", "x", "y")
    )
    assert find(store, "cat") == ["1", "0"]
    assert find(store, "학교") == ["3", "2"]
    assert [found.id for found in store.search("cat", 1)] == ["1"]
    scores = [found.score for found in store.search("cat")]
    assert scores == sorted(scores, reverse=True)


def test_equals_come_by_id(store: SqlStore) -> None:
    store.apply(keep(*["same words"] * 12))
    assert find(store, "words") == sorted(map(str, range(12)))[:10]


def test_wrong_searches_are_refused(store: SqlStore) -> None:
    with pytest.raises(UsageError, match="limit 0"):
        store.search("a", 0)
    with pytest.raises(UsageError, match="1,001 parts"):
        store.search(" ".join(map(str, range(1001))))
    assert store.search(" ".join(map(str, range(1000)))) == []
    assert store.search("图书" * 500) == []


@pytest.mark.parametrize("text", ["\0", "a\0b\1c\1\2\0\0", "\1\1\1", "'\"\\ %s ? :name $1", "\U0001f600\u0301\uffff"])
def test_any_text_comes_back(store: SqlStore, text: str) -> None:
    document = StoredDocument(f"id{text}", f"before {text} after", text, -(1 << 63), f"id{text}")
    store.apply(Changes(1, stored=[document]))
    assert store.get(f"id{text}") == document
    assert store.by_url(text) == [document]
    assert find(store, "after") == [f"id{text}"]


def test_ids_sort_as_bytes(store: SqlStore) -> None:
    ids = ["b", "a", "B", "\0", "\1", "\2", "a\0", "a\1", "é", "\uffff", "\U00010000", "z", "a b"]
    store.apply(Changes(1, stored=[StoredDocument(key, "", None, None, key) for key in ids]))
    assert [role.id for role in store.roles()] == sorted(ids, key=str.encode)


def test_long_values(store: SqlStore) -> None:
    long = "".join(map(str, range(3000)))
    words = [f"word{number}" for number in range(150_000)]
    kept = StoredDocument(long, " ".join(words), f"http://{long}", None, long)
    store.apply(Changes(1, stored=[kept, StoredDocument("b", "x" * 9000, None, None, long, "near")]))
    store.apply(Changes(2, stored=[kept]))
    assert store.by_url(f"http://{long}") == [kept]
    assert store.duplicates(long) == ["b"]
    assert len(store) == 2
    assert find(store, "word0 word9999") == [long]
    store.apply(Changes(3, changed=[Role("b", "b")]))
    assert find(store, "x" * 300) == ["b"]


def test_phrases_far_inside_a_text(store: SqlStore) -> None:
    far = "글 " * 20_000
    store.apply(keep(f"{far} 국립도서관에서", f"{far} 국립 립도 도서 {far} 서관", f"图书 {far} 书馆"))
    assert find(store, "국립도서관") == ["0"]
    assert find(store, "图书馆") == []


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        (StoredDocument("b", "\ud800", None, None, "b"), "surrogate"),
        (StoredDocument("b", "", None, 1 << 63, "b"), "time 9223372036854775808"),
        (Role("nobody", "a"), "'nobody'"),
    ],
)
def test_a_wrong_step_changes_nothing(store: SqlStore, wrong: StoredDocument | Role, reason: str) -> None:
    store.apply(keep("first"))
    new = StoredDocument("a", "second", None, None, "a")
    stored = [new, wrong] if isinstance(wrong, StoredDocument) else [new]
    changed = [wrong] if isinstance(wrong, Role) else []
    with pytest.raises(DataError, match=reason):
        store.apply(Changes(2, ["0"], stored, changed))
    assert store.position() == 1
    assert find(store, "first") == ["0"]
    assert store.get("a") is None


def test_readers_and_the_writer_do_not_wait(store: SqlStore) -> None:
    store.apply(keep("one", "two"))
    roles = store.roles()
    assert next(roles).id == "0"
    store.apply(Changes(2, ["1"]))
    assert [role.id for role in roles] == ["1"]
    assert len(store) == 1
    abandoned = store.roles()
    next(abandoned)
    del abandoned
    store.apply(keep("three", position=3))


def test_threads_see_whole_steps(store: SqlStore) -> None:
    keys = ["a", "b", "c"]

    def make(position: int) -> Changes:
        documents = [StoredDocument(key, f"word number{position}", None, None, key, str(position)) for key in keys]
        return Changes(position, stored=documents)

    store.apply(make(1))
    done = Event()
    wrong: list[object] = []

    def read() -> None:
        last = 0
        while not done.is_set():
            before = store.position()
            rules = {int(role.rule or 0) for role in store.roles()}
            after = store.position()
            found = sorted(find(store, "word"))
            if len(rules) != 1 or not last <= before <= min(rules) <= after or found != keys:
                wrong.append((last, before, rules, after, found))
            last = after

    readers = [Thread(target=read) for _ in range(4)]
    for reader in readers:
        reader.start()

    def write() -> None:
        for position in range(2, 60):
            store.apply(make(position))

    # the same log by several threads: each step counts once
    writers = [Thread(target=write) for _ in range(3)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    done.set()
    for reader in readers:
        reader.join()
    assert not wrong
    assert store.position() == 59
    assert sorted(find(store, "number59")) == keys
    assert find(store, "number58") == []


def test_processes_write_one_log(place: Place) -> None:
    # a store that is not there yet: they make it at the same time, too
    writers = [start_writer(place, 1, 60) for _ in range(4)]
    for writer in writers:
        writer.communicate()
        assert writer.returncode == 0
    model = Model()
    for position in range(1, 60):
        model.apply(make_step(position))
    with closing(open_store(*place)) as store:
        model.check(store)


def test_many_make_one_store_at_the_same_time(place: Place) -> None:
    failed: list[Exception] = []
    for number in range(10):
        start = Barrier(6)

        def make(start: Barrier = start, number: int = number) -> None:
            start.wait()
            try:
                open_store(place[0], f"{place[1]}{number}").close()
            except Exception as error:  # noqa: BLE001 - whatever it is, it is the failure
                failed.append(error)

        makers = [Thread(target=make) for _ in range(6)]
        for maker in makers:
            maker.start()
        for maker in makers:
            maker.join()
    assert not failed


def test_a_killed_writer_leaves_a_whole_step(place: Place) -> None:
    model = Model()
    for reach in (1, 7, 30, 31, 90):
        writer = start_writer(place, model.position + 1, 1_000_000)
        assert writer.stdout is not None
        for line in writer.stdout:
            if int(line) >= reach:
                break
        writer.kill()
        writer.communicate()
        with closing(open_store(*place)) as store:
            assert store.position() >= reach
            for position in range(model.position + 1, store.position() + 1):
                model.apply(make_step(position))
            model.check(store)


def test_search_is_made_again_when_texts_are_cut_in_another_way(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(sql, "TERMS", "0, Unicode 1.1")
        patch.setattr(sql, "search_terms", lambda text: terms.search_terms(f"old {len(text)}"))
        with closing(open_store(*place)) as store:
            dropped = StoredDocument("d", "학교", None, None, "0", "near")
            store.apply(keep("학교에서", "글")._replace(stored=[*keep("학교에서", "글").stored, dropped]))
            assert find(store, "old") == ["0", "1"]
    for _ in range(2):
        with closing(open_store(*place)) as store:
            assert find(store, "old") == []
            assert find(store, "학교") == ["0"]
            assert store.position() == 1


def test_another_format_is_refused(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(sql, "FORMAT", 2)
        open_store(*place).close()
    with pytest.raises(EnvironmentFault, match="no document store of format 1"):
        open_store(*place)


def test_a_closed_store_says_so(store: SqlStore) -> None:
    store.close()
    with pytest.raises(UsageError, match="closed"):
        store.position()


def test_a_file_that_is_something_else(tmp_path: Path) -> None:
    text = tmp_path / "text.db"
    text.write_text("no database at all" * 100)
    other = tmp_path / "other.db"
    with closing(sqlite3.connect(other)) as connection:
        connection.execute("CREATE TABLE documents (anything)")
    for path, reason in (
        (text, "not a database"),
        (other, "already exists"),
        (tmp_path / "no" / "x.db", "unable to open"),
    ):
        with pytest.raises(EnvironmentFault, match=rf"{path.name}: .*{reason}"):
            SqliteStore(path)
    with closing(sqlite3.connect(other)) as connection:
        assert connection.execute("SELECT name FROM sqlite_master").fetchall() == [("documents",)]


def test_a_new_file_that_another_writes_to(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as other:
        other.execute("BEGIN IMMEDIATE")
        end = Timer(0.5, other.execute, ["COMMIT"])
        end.start()
        SqliteStore(path).close()
        end.join()


def test_a_server_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(EnvironmentFault, match="schema 'neardup'"):
        PostgresStore(f"host={tmp_path} user=postgres")


def test_a_database_in_another_encoding(postgres: str) -> None:
    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute("CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0")
    with pytest.raises(EnvironmentFault, match="LATIN1"):
        PostgresStore(postgres.replace("dbname=postgres", "dbname=latin"))


def test_a_connection_that_was_cut(postgres: str) -> None:
    with closing(PostgresStore(postgres, "cut")) as store:
        store.apply(keep("word"))
        with psycopg.connect(postgres, autocommit=True) as connection:
            others = "FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname IS NOT NULL"
            connection.execute(f"SELECT pg_terminate_backend(pid, 10000) {others}".encode())
        with pytest.raises(EnvironmentFault, match="terminat"):
            store.position()
        assert find(store, "word") == ["0"]


def test_a_schema_made_by_others(postgres: str) -> None:
    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute("CREATE SCHEMA given")
        connection.execute("CREATE ROLE guest LOGIN")
        connection.execute("GRANT ALL ON SCHEMA given TO guest")
    guest = postgres.replace("user=postgres", "user=guest")
    with closing(PostgresStore(guest, "given")) as store:
        store.apply(keep("word"))
        assert find(store, "word") == ["0"]
    with pytest.raises(EnvironmentFault, match="permission denied"):
        PostgresStore(guest, "forbidden")


def test_a_tsvector_stays_within_its_limits() -> None:
    vector = write_tsvector(terms.search_terms("a b " * 20_000 + "图书"))
    places = {entry.partition(":")[0]: entry.partition(":")[2].split(",") for entry in vector.split(" ")}
    assert {word: len(found) for word, found in places.items()} == {"'a'": 255, "'b'": 255, "'图书'": 2, "'书'": 1}
    assert places["'图书'"] == ["16383A", "16383D"]
    assert places["'书'"] == ["16383D"]
    assert write_tsvector([]) == ""


texts = st.text(st.sampled_from("\0\1\2\3aé"))


@given(texts, texts)
def test_escaped_texts_come_back_and_sort_as_before(one: str, two: str) -> None:
    assert unescape(escape(one)) == one
    assert "\0" not in escape(one)
    assert (escape(one) < escape(two)) == (one < two)
