"""Search engines behind the gate: the requests to OpenSearch, and a store that updates a search index first.

No server runs here: the client is the real one, and a recorder takes the place of its connection.
"""

import json
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import opensearchpy
import pytest

from neardup import EnvironmentFault
from neardup.stores import opensearch
from neardup.stores.indexed import IndexedStore
from neardup.stores.opensearch import OpenSearchIndex
from neardup.stores.sqlite import SqliteStore
from neardup.stores.stored_document import Changes, Role, StoredDocument
from stores import Model, make_step

CALLS: list[tuple[str, str, Any]] = []
ANSWERS: list[tuple[int, Any]] = []


class Recorder(opensearchpy.Connection):
    """Records each call and returns the next prepared answer."""

    def perform_request(self, method: str, url: str, *rest: Any, **options: Any) -> tuple[int, dict[str, str], str]:
        body = options.get("body") or (rest[1] if len(rest) > 1 else None)
        lines = [json.loads(line) for line in body.decode().splitlines()] if body else []
        CALLS.append((method, url, lines))
        status, answer = ANSWERS.pop(0)
        if status >= 400 and method != "HEAD":
            self._raise_error(status, json.dumps(answer))
        return status, {"content-type": "application/json"}, json.dumps(answer)


@pytest.fixture
def client() -> opensearchpy.OpenSearch:
    CALLS.clear()
    ANSWERS.clear()
    return opensearchpy.OpenSearch(["http://nowhere"], connection_class=Recorder, max_retries=0)


def keep(key: str, text: str, url: str | None = None) -> StoredDocument:
    return StoredDocument(key, text, url, None, key)


def accept(count: int) -> tuple[int, Any]:
    return 200, {"errors": False, "items": [{"index": {"status": 201}}] * count}


def test_an_index_is_made_once(client: Any) -> None:
    ANSWERS.extend([(404, None), (200, {"acknowledged": True}), (200, None)])
    OpenSearchIndex(client, "kept")
    OpenSearchIndex(client, "kept")
    assert [(method, url) for method, url, _ in CALLS] == [("HEAD", "/kept"), ("PUT", "/kept"), ("HEAD", "/kept")]
    [body] = CALLS[1][2]
    fields = body["mappings"]["properties"]
    assert {name: field["type"] for name, field in fields.items()} == {
        "id": "keyword",
        "url": "keyword",
        "words": "text",
        "parts": "text",
    }
    assert all(fields[name]["analyzer"] == "whitespace" for name in ("words", "parts"))


def test_documents_are_put_with_their_terms_and_removed(client: Any) -> None:
    ANSWERS.extend([(200, None), accept(2), (200, {"errors": False, "items": []})])
    index = OpenSearchIndex(client, "kept")
    long = "k" * 513
    index.put([keep("a", "The 图书馆, 학교에서", "http://a"), keep(long, "")])
    index.remove(["a", long])
    index.put([])
    index.remove([])
    digest = CALLS[1][2][2]["index"]["_id"]
    assert len(digest) == 64
    assert CALLS[1:] == [
        (
            "POST",
            "/_bulk",
            [
                {"index": {"_index": "kept", "_id": "a"}},
                {
                    "id": "a",
                    "url": "http://a",
                    "words": "the 图书馆 학교에서",
                    "parts": ["图书 书馆 馆", "학교 교에 에서 서"],
                },
                {"index": {"_index": "kept", "_id": digest}},
                {"id": long, "url": None, "words": "", "parts": []},
            ],
        ),
        (
            "POST",
            "/_bulk",
            [{"delete": {"_index": "kept", "_id": "a"}}, {"delete": {"_index": "kept", "_id": digest}}],
        ),
    ]


def test_large_puts_are_cut(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opensearch, "_BATCH", 10)
    ANSWERS.extend([(200, None), accept(2), accept(1), accept(1)])
    texts = ["one", "two", "three four five", "six"]
    OpenSearchIndex(client, "kept").put([keep(str(at), text) for at, text in enumerate(texts)])
    assert [[line["id"] for line in lines[1::2]] for _, _, lines in CALLS[1:]] == [["0", "1"], ["2"], ["3"]]


def test_refusals_name_the_documents(client: Any) -> None:
    error = {"type": "mapper_parsing_exception", "reason": "no room"}
    refused, taken = {"index": {"status": 400, "error": error}}, {"index": {"status": 201}}
    gone = {"delete": {"status": 404, "result": "not_found"}}
    ANSWERS.extend([(200, None), (200, {"errors": True, "items": [refused, taken] * 6})])
    index = OpenSearchIndex(client, "kept")
    message = r"index 'kept' refused 6 of 12 documents \('0', '2', '4', '6', '8', \.\.\.\): mapper.*: no room"
    with pytest.raises(EnvironmentFault, match=message):
        index.put([keep(str(at), "") for at in range(12)])
    ANSWERS.append((200, {"errors": True, "items": [gone, {"delete": {"status": 500, "error": error}}]}))
    with pytest.raises(EnvironmentFault, match=r"refused 1 of 2 documents \('b'\)"):
        index.remove(["a", "b"])
    ANSWERS.append((200, {"errors": False, "items": [gone]}))
    index.remove(["a"])


class MemoryIndex:
    """A search index that stores texts in memory and can be made to refuse them."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}
        self.refuses = False

    def put(self, documents: Sequence[StoredDocument]) -> None:
        if self.refuses:
            raise EnvironmentFault("full")
        self.texts.update((document.id, document.text) for document in documents)

    def remove(self, ids: Sequence[str]) -> None:
        for key in ids:
            self.texts.pop(key, None)


def test_the_search_index_contains_the_kept_documents(tmp_path: Path) -> None:
    index, model = MemoryIndex(), Model()
    inner = SqliteStore(tmp_path / "store.db")
    with closing(IndexedStore(inner, index)) as store:
        for position in range(1, 100):
            store.apply(make_step(position))
            store.apply(make_step(max(1, position - 2)))
            model.apply(make_step(position))
            assert index.texts == {document.id: document.text for document in model.kept()}
        model.check(inner)
        assert list(store.roles()) == list(inner.roles())
        assert len(store) == len(inner)
        assert store.get("a") == inner.get("a")
        assert store.by_url("u1") == inner.by_url("u1")
        assert store.duplicates("a") == inner.duplicates("a")
        other = MemoryIndex()
        IndexedStore(inner, other).refill()
        assert other.texts == index.texts


def test_a_step_that_the_index_refuses_is_applied_again(tmp_path: Path) -> None:
    index = MemoryIndex()
    with closing(IndexedStore(SqliteStore(tmp_path / "store.db"), index)) as store:
        store.apply(Changes(1, stored=[keep("a", "one"), StoredDocument("b", "two", None, None, "a", "near")]))
        changes = Changes(2, removed=["a"], changed=[Role("b", "b")])
        index.refuses = True
        with pytest.raises(EnvironmentFault, match="full"):
            store.apply(changes)
        assert store.position() == 1
        index.refuses = False
        store.apply(changes)
        assert index.texts == {"b": "two"}
        assert store.position() == 2
