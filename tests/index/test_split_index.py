"""An index in several folders, used by one process or by one process per folder, agrees with an index in one folder."""

import json
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from random import Random, choice
from typing import Any

import pyarrow as pa
import pytest

from batch import check_same, create, held_by, reopen
from command import PATIENCE, run_neardup
from neardup import DataError, Document, Gate, Index, UsageError
from neardup.gate import SqliteStore
from records import write_records
from texts import LANGUAGES, corpus

DOCS = [
    Document(doc.text, f"{language}/{doc.id}", f"http://example.org/{number % 90}" if number % 3 else None, doc.time)
    for language in LANGUAGES
    for number, doc in enumerate(corpus(language, 3))
]


def free_address() -> str:
    """Return a free address whose port is outside of the ranges from which systems assign ports."""
    while True:
        address = ("127.0.0.1", choice(range(10_000, 32_000)))
        with socket.socket() as one, suppress(OSError):
            one.bind(address)
            return f"{address[0]}:{address[1]}"


@pytest.mark.parametrize("policy", ["first", "earliest"])
@pytest.mark.parametrize("parts", [False, True])
def test_four_folders_agree_with_one(policy: Any, parts: bool, tmp_path: Path) -> None:
    random, options = Random(policy), {"policy": policy, "parts": parts}
    one = create(tmp_path / "one", 7, **options)
    four = create(tmp_path / "four", 5, folders=4, **options)
    shards = [f"shard-{shard}" for shard in range(4)]
    assert sorted(path.name for path in (tmp_path / "four").iterdir()) == [".neardup", *shards]
    for start in range(0, len(DOCS), 40):
        batch = DOCS[start : start + 40]
        for question in batch[::9]:
            assert four.check(question) == one.check(question)
            assert four.query(question.text) == one.query(question.text)
            if parts:
                query = question.text[: len(question.text) // 2]
                found, expected = (index.query(query, by="containment", threshold="0.3") for index in (four, one))
                assert (list(found), found.thin, found.cut) == (list(expected), expected.thin, expected.cut)
        # the answers contain the step numbers and the changes of each step
        assert four.add(batch) == one.add(batch)
        gone = random.sample(sorted(str(document.id) for document in one), 5)
        assert four.remove(gone) == one.remove(gone)
        if start % 80:
            four = reopen(four, 6)
    for index in (one, four):
        check_same(index, held_by(index), policy)
    assert list(four) == list(one)
    assert pa.table(four) == pa.table(one)
    four.compact()
    four.verify()
    assert [four.get(str(document.id)) for document in one] == list(one)
    ours, theirs = four.info(), one.info()
    for name in ("documents", "kept", "steps", "policy", "scheme"):
        assert ours[name] == theirs[name]
    assert (ours["folders"], theirs["folders"]) == (4, 1)


def test_texts_are_stored_with_their_keys(tmp_path: Path) -> None:
    """Each of very many folders stores only a few of the texts."""
    index = Index.create(tmp_path / "split", folders=64)
    index.add(DOCS)
    texts = sum(len(document.text.encode()) for document in index)
    assert index.info()["documents"] == len(index) > 100
    index.compact()
    assert index.info()["text_bytes"] < 16 * texts
    shard = Index.open(tmp_path / "split" / "shard-7")
    assert len(shard) == len(index)
    assert shard.info()["text_bytes"] < texts / 2
    with pytest.raises(UsageError, match="this is shard 7 of 64 of an index: open the whole index"):
        shard.add("one more")


def test_a_gate_with_four_folders_agrees_with_one(tmp_path: Path) -> None:
    results: list[Any] = []
    for folders in (None, 4):
        with Gate.open(tmp_path / str(folders), folders=folders, policy="earliest") as gate:
            results.append(gate.admit_all(DOCS))
            store = gate.store
            assert isinstance(store, SqliteStore)
            results.append([store.get(str(document.id)) for document in gate.index])
    assert results[:2] == results[2:]


def test_a_split_index_is_opened_with_its_options(tmp_path: Path) -> None:
    Index.create(tmp_path / "index", folders=3)
    with pytest.raises(UsageError, match=r"folders is 4; the index in .* was made with 3"):
        Index.open_or_create(tmp_path / "index", folders=4)
    with pytest.raises(UsageError, match="folders is 0; allowed are 1 to 1024"):
        Index.create(tmp_path / "other", folders=0)
    Index.create(tmp_path / "whole")
    with pytest.raises(UsageError, match="this index is whole, and has no other shards"):
        Index.open(tmp_path / "whole", peers="127.0.0.1:1")
    for folders in (None, 2):
        with pytest.raises(UsageError, match="there is an index already"):
            Index.create(tmp_path / "index", folders=folders)
        with pytest.raises(UsageError, match="there is an index already"):
            Index.create(tmp_path / "whole", folders=folders)
    (tmp_path / "index" / "shard-1").rename(tmp_path / "gone")
    with pytest.raises(UsageError, match="this folder must contain all shards of one index"):
        Index.open(tmp_path / "index")


NONE = {"url": None, "time": None}
"""The fields of records without a URL and a time."""


class Shard:
    """A process that adds documents to one shard; its output goes to files."""

    def __init__(self, folder: Path, shard: int, address: str, docs: Path) -> None:
        self.out, self.errors = (docs.with_name(f"shard-{shard}.{kind}") for kind in ("out", "errors"))
        fields = ("--id-field", "id", "--url-field", "url", "--time-field", "time", "--each", "--peers", address)
        command = [sys.executable, "-m", "neardup", "index", "add", folder / f"shard-{shard}", docs, *fields]
        with self.out.open("w") as out, self.errors.open("w") as errors:
            self.process = subprocess.Popen([*map(str, command)], stdout=out, stderr=errors)

    def finish(self) -> str:
        """Wait for the end of the process, and return what it wrote to the standard error."""
        self.process.wait(PATIENCE)
        return self.errors.read_text()

    def kill_after(self, lines: int) -> None:
        """Kill the process when it has printed `lines` lines, unless it ends before."""
        while self.process.poll() is None and self.out.read_bytes().count(b"\n") < lines:
            time.sleep(0.01)
        self.process.kill()


RunShards = Callable[..., list[Shard]]


@pytest.fixture
def run_shards() -> Iterator[RunShards]:
    """Start a process for each shard of an index: all of them with the same documents, or each with its own."""
    started: list[Shard] = []

    def start(folder: Path, *docs: Path, shards: int = 4) -> list[Shard]:
        address = free_address()
        running = [Shard(folder, shard, address, docs[shard % len(docs)]) for shard in range(shards)]
        started.extend(running)
        return running

    yield start
    for shard in started:
        shard.process.kill()
        shard.process.wait()


def test_four_processes_agree_with_one(tmp_path: Path, run_shards: RunShards) -> None:
    records = [{"id": doc.id, "text": doc.text, "url": doc.url, "time": doc.time} for doc in DOCS]
    docs = write_records(tmp_path / "docs.jsonl", records)
    fields = ("--id-field", "id", "--url-field", "url", "--time-field", "time", "--each")
    whole = run_neardup("index", "create", tmp_path / "one", docs, "--policy", "earliest", *fields)
    run_neardup("index", "create", tmp_path / "four", "--policy", "earliest", "--folders", 4)
    for shard in run_shards(tmp_path / "four", docs):
        errors = shard.finish()
        assert shard.process.returncode == 0, errors
        assert shard.out.read_text() == whole.stdout
    one, four = Index.open(tmp_path / "one"), Index.open(tmp_path / "four")
    assert list(four) == list(one)
    assert [four.verdict(str(document.id)) for document in one] == [one.verdict(str(document.id)) for document in one]
    four.verify()


@pytest.mark.shows(1)
@pytest.mark.parametrize("seed", range(3))
def test_a_killed_shard_catches_up(seed: int, tmp_path: Path, run_shards: RunShards) -> None:
    random = Random(seed)
    docs = write_records(tmp_path / "docs.jsonl", [{"id": doc.id, "text": doc.text, **NONE} for doc in DOCS])
    Index.create(tmp_path / "four", folders=4)
    for _ in range(3):
        running = run_shards(tmp_path / "four", docs)
        random.choice(running).kill_after(random.randrange(len(DOCS)))
        for shard in running:
            shard.finish()
    for shard in run_shards(tmp_path / "four", docs):
        errors = shard.finish()
        assert shard.process.returncode == 0, errors
    whole = Index.create(tmp_path / "one")
    whole.add(doc._replace(url=None, time=None) for doc in DOCS)
    four = Index.open(tmp_path / "four")
    assert list(four) == list(whole)
    assert [four.verdict(str(doc.id)) for doc in DOCS] == [whole.verdict(str(doc.id)) for doc in DOCS]
    four.verify()


def test_shards_with_different_requests_fail(tmp_path: Path, run_shards: RunShards) -> None:
    Index.create(tmp_path / "two", folders=2)
    texts = (f"text {number} of two" for number in range(2))
    docs = [
        write_records(tmp_path / f"{number}.jsonl", [{"id": "a", "text": text, **NONE}])
        for number, text in enumerate(texts)
    ]
    for shard in run_shards(tmp_path / "two", *docs, shards=2):
        errors = shard.finish()
        assert shard.process.returncode != 0
        assert "must receive the same requests, in the same order" in errors
    assert len(Index.open(tmp_path / "two")) == 0


def test_a_shard_without_its_peers_fails_with_a_message(tmp_path: Path) -> None:
    from neardup import _core

    Index.create(tmp_path / "two", folders=2)
    with pytest.raises(UsageError, match="peers: shards 1 of 2 did not connect to"):
        _core.Index.open(str(tmp_path / "two" / "shard-0"), peers=free_address(), timeout=0.3)
    with pytest.raises(UsageError, match="peers: shard 0 does not answer at"):
        _core.Index.open(str(tmp_path / "two" / "shard-1"), peers=free_address(), timeout=0.3)


def test_refused_documents_change_no_shard(tmp_path: Path) -> None:
    index = Index.create(tmp_path / "four", folders=4)
    index.add([Document("one text of some words", "a")])
    with pytest.raises(DataError, match="id `a` is in the index already"):
        index.add([Document("another text of some words", "b"), Document("yet another", "a")])
    assert [document.id for document in index] == ["a"]
    assert json.loads(index.core.info())["steps"] == 1
