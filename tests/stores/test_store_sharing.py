"""Shared document stores: threads, processes, a killed writer, and a server that closes its connections."""

import sqlite3
from contextlib import closing
from pathlib import Path
from threading import Barrier, Event, Thread, Timer

import psycopg
import pytest

from neardup import EnvironmentFault
from neardup.stores.postgres import PostgresStore
from neardup.stores.sql import SqlStore
from neardup.stores.sqlite import SqliteStore
from neardup.stores.stored_document import Changes, StoredDocument
from stores import Model, Place, find, keep, make_step, open_store, start_writer


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

    # several threads apply the same log: each step counts once
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
    # the store does not exist yet, so the writers also create it at the same time
    writers = [start_writer(place, 1, 60) for _ in range(4)]
    for writer in writers:
        writer.communicate()
        assert writer.returncode == 0
    model = Model()
    for position in range(1, 60):
        model.apply(make_step(position))
    with closing(open_store(*place)) as store:
        model.check(store)


def test_one_store_is_created_by_several_threads_at_once(place: Place) -> None:
    failed: list[Exception] = []
    for number in range(10):
        start = Barrier(6)

        def make(start: Barrier = start, number: int = number) -> None:
            start.wait()
            try:
                open_store(place[0], f"{place[1]}{number}").close()
            except Exception as error:  # noqa: BLE001 - any exception is a failure
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


def test_a_new_file_that_another_connection_writes_to(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as other:
        other.execute("BEGIN IMMEDIATE")
        end = Timer(0.5, other.execute, ["COMMIT"])
        end.start()
        SqliteStore(path).close()
        end.join()


def test_a_connection_that_was_cut(postgres: str) -> None:
    with closing(PostgresStore(postgres, "cut")) as store:
        store.apply(keep("word"))
        with psycopg.connect(postgres, autocommit=True) as connection:
            others = "FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname IS NOT NULL"
            connection.execute(f"SELECT pg_terminate_backend(pid, 10000) {others}".encode())
        with pytest.raises(EnvironmentFault, match="terminat"):
            store.position()
        assert find(store, "word") == ["0"]
