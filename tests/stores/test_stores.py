"""Document stores: SQLite and PostgreSQL compared with one model, and what they refuse."""

import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest
from hypothesis import given
from hypothesis import strategies as st

from neardup import DataError, EnvironmentFault, Gate, UsageError
from neardup.stores import sql
from neardup.stores.postgres import PostgresStore, escape, unescape
from neardup.stores.sql import SqlStore
from neardup.stores.sqlite import SqliteStore
from neardup.stores.stored_document import Changes, Role, StoredDocument
from stores import Model, Place, find, keep, make_step, open_store


def test_a_store_agrees_with_the_model(place: Place) -> None:
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


@pytest.mark.parametrize("text", ["\0", "a\0b\1c\1\2\0\0", "\1\1\1", "'\"\\ %s ? :name $1", "\U0001f600\u0301\uffff"])
def test_any_text_is_returned_unchanged(store: SqlStore, text: str) -> None:
    document = StoredDocument(f"id{text}", f"before {text} after", text, -(1 << 35), f"id{text}")
    store.apply(Changes(1, stored=[document]))
    assert store.get(f"id{text}") == document
    assert store.by_url(text) == [document]
    assert find(store, "after") == [f"id{text}"]


@pytest.mark.parametrize(
    ("time", "expected"),
    [
        (-1, -1),
        ("2024-05", 1714521600),
        ("2024-05-01T00:00:00.000001Z", "2024-05-01T00:00:00.000001Z"),
        ("1969-12-31T23:59:59.5+00:30", "1969-12-31T23:29:59.5Z"),
    ],
)
def test_times_are_stored_to_the_microsecond(store: SqlStore, time: int | str, expected: int | str) -> None:
    store.apply(Changes(1, stored=[StoredDocument("a", "", "u", time, "a")]))
    assert store.get("a") == store.by_url("u")[0] == StoredDocument("a", "", "u", expected, "a")


def test_a_store_follows_one_index(place: Place) -> None:
    with closing(open_store(*place)) as store, closing(open_store(*place)) as same:
        store.claim("one")
        same.claim("one")
        with pytest.raises(UsageError, match="is the store of another index"):
            same.claim("two")
        store.apply(keep("word"))
    with closing(open_store(*place)) as store, pytest.raises(UsageError, match="is the store of another index"):
        store.claim("two")


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


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        (StoredDocument("b", "\ud800", None, None, "b"), "surrogate"),
        (StoredDocument("b", "", None, 1 << 63, "b"), "document 'b': the time 9223372036854775808 is not an RFC 3339"),
        (StoredDocument("b", "", None, "soon", "b"), "document 'b': the time \"soon\" is not an RFC 3339"),
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


def test_another_format_is_refused(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(sql, "FORMAT", 3)
        open_store(*place).close()
    with pytest.raises(EnvironmentFault, match="no document store of format 2"):
        open_store(*place)


def test_a_closed_store_says_so(store: SqlStore) -> None:
    store.close()
    with pytest.raises(UsageError, match="closed"):
        store.position()


def test_files_that_are_not_stores_are_refused(tmp_path: Path) -> None:
    text = tmp_path / "text.db"
    text.write_text("no database at all" * 100)
    for path, reason in ((text, "not a database"), (tmp_path / "no" / "x.db", "unable to open")):
        with pytest.raises(EnvironmentFault, match=rf"{path.name}: .*{reason}"):
            SqliteStore(path)


@pytest.mark.parametrize("mode", ["DELETE", "WAL"])
@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TABLE documents (anything)",
        "CREATE TABLE state (position, owner)",
        "CREATE TABLE notes (anything)",
        "PRAGMA application_id = 7",
    ],
)
def test_a_database_of_another_program_stays_as_it_is(tmp_path: Path, statement: str, mode: str) -> None:
    path = tmp_path / "documents.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA journal_mode = {mode}")
        connection.execute(statement)
    before = path.read_bytes()
    with pytest.raises(UsageError, match=r"documents\.sqlite: a database of another program, with"):
        SqliteStore(path)
    with pytest.raises(UsageError, match="another program"):
        Gate.open(tmp_path)
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["documents.sqlite"]


def test_an_empty_file_becomes_a_store(tmp_path: Path) -> None:
    (tmp_path / "documents.sqlite").touch()
    SqliteStore(tmp_path / "documents.sqlite").close()


def test_an_unreachable_server_is_named(tmp_path: Path) -> None:
    with pytest.raises(EnvironmentFault, match="schema 'neardup'"):
        PostgresStore(f"host={tmp_path} user=postgres")


def test_a_missing_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(EnvironmentFault, match=r"pip install 'neardup\[postgres\]'"):
        PostgresStore("")


def draw_name() -> str:
    """Return a random name that nothing else on the server has."""
    return f"n{uuid4().hex}"


def run_sql(postgres: str, *lines: str) -> None:
    with psycopg.connect(postgres, autocommit=True) as connection:
        for line in lines:
            connection.execute(line.encode())


def test_a_database_in_another_encoding(postgres: str) -> None:
    latin = draw_name()
    run_sql(postgres, f"CREATE DATABASE {latin} ENCODING 'LATIN1' TEMPLATE template0")
    with pytest.raises(EnvironmentFault, match="LATIN1"):
        PostgresStore(postgres.replace("dbname=postgres", f"dbname={latin}"))


def test_a_schema_made_by_another_role(postgres: str) -> None:
    schema, role = draw_name(), draw_name()
    run_sql(postgres, f"CREATE SCHEMA {schema}", f"CREATE ROLE {role} LOGIN", f"GRANT ALL ON SCHEMA {schema} TO {role}")
    guest = postgres.replace("user=postgres", f"user={role}")
    with closing(PostgresStore(guest, schema)) as store:
        store.apply(keep("word"))
        assert find(store, "word") == ["0"]
    with pytest.raises(EnvironmentFault, match="permission denied"):
        PostgresStore(guest, "forbidden")


texts = st.text(st.sampled_from("\0\1\2\3aé"))


@given(texts, texts)
def test_escaping_is_reversible_and_keeps_the_order(one: str, two: str) -> None:
    assert unescape(escape(one)) == one
    assert "\0" not in escape(one)
    assert (escape(one) < escape(two)) == (one < two)
