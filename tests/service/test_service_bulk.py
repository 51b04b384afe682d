"""Many documents in one request: the answers are in the order of the lines, whatever the lines contain."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from starlette.types import Message, Receive, Scope, Send

from neardup import Index
from neardup.service.api.examples import FERRY, OVEN
from neardup.service.api.spool import Spool
from service_story import NDJSON, asking, make, make_store, read_lines, write_lines

MANY = 1_000


def admit(client: TestClient, content: Any) -> list[dict[str, Any]]:
    answer = client.post("/api/bulk/admit", content=content, headers=NDJSON)
    assert answer.status_code == 200
    return read_lines(answer.content)


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return make_store(tmp_path / "store", sweeps=False)


def test_problems_are_reported_in_the_order_of_the_lines(store: Path) -> None:
    lines = [
        b'{"text": "first", "id": "one"}',
        b"{",
        b'{"text": "another", "id": "ferry"}',
        b"",
        b'{"text": "\\ud800"}',
        b"\xff\xfe",
        b"[" * 10_000,
        b'{"text": "late", "time": "soon"}',
        b'{"html": "<p>a page</p>", "id": "page"}',
        b"   ",
        b'{"id": "empty"}\r',
        json.dumps({"text": OVEN, "id": "last"}).encode() + b"\r",
    ]
    with asking(store) as client:
        answers = admit(client, b"\n".join(lines))
    assert [one.get("id") or one["status"] for one in answers] == [
        "one", 422, 422, 422, 422, 422, 422, "page", 422, "last",
    ]  # fmt: skip
    details = ["EOF", "`ferry` is in the index already", "hex escape", "expected value", "recursion", "date-time"]
    for one, detail in zip(answers[1:7], details, strict=True):
        assert detail in one["detail"]
    assert (answers[-1]["original"], answers[-1]["kind"]) == ("oven", "duplicate")
    assert Index.open(store).get("page").text.strip() == "a page"


@pytest.mark.parametrize("end", [b"", b"\n", b"\n\n\n", b"\r\n"])
def test_ends_of_bodies(store: Path, end: bytes) -> None:
    with asking(store) as client:
        answers = admit(client, json.dumps({"text": FERRY}).encode() + end)
        assert [one["original"] for one in answers] == ["ferry"]
        assert admit(client, end) == []


def test_a_line_that_is_too_long_ends_the_answer(store: Path) -> None:
    long = json.dumps({"text": "a" * 5_000}).encode()
    with asking(store, body=4_096) as client:
        for content in (
            b'{"text": "one", "id": "one"}\n' + long + b'\n{"text": "two", "id": "two"}\n',
            iter([b'{"text": "three"}\n', *(b"a" * 1_024 for _ in range(100))]),
        ):
            answers = admit(client, content)
            assert [one.get("status") for one in answers] == [None, 413]
            assert answers[-1]["detail"] == "a line has at most 4,096 bytes"
    assert "two" not in Index.open(store)


def test_lines_may_arrive_in_pieces_of_any_size(store: Path) -> None:
    body = write_lines([{"text": f"text {number}", "id": f"n{number}"} for number in range(20)])
    for size in (1, 7, len(body)):
        with asking(store) as client:
            answers = admit(client, (body[start : start + size] for start in range(0, len(body), size)))
        assert [one["id"] for one in answers] == [f"n{number}" for number in range(20)]


def test_many_lines(store: Path) -> None:
    """Batches that contain refused documents get the same answers as single documents."""
    records = [{"text": f"{FERRY} {number % 50}", "id": f"d{number % (MANY - 10)}"} for number in range(MANY)]
    with asking(store) as client:
        answers = admit(client, write_lines(records))
        checked = read_lines(client.post("/api/bulk/check", content=write_lines(records), headers=NDJSON).content)
    assert [one["id"] for one in answers[: MANY - 10]] == [f"d{number}" for number in range(MANY - 10)]
    assert {one["status"] for one in answers[MANY - 10 :]} == {422}
    assert all(one["unchanged"] for one in checked[: MANY - 10])
    assert len(Index.open(store)) == 3 + MANY - 10


@pytest.mark.parametrize("most", [1 << 28, 1000])
def test_a_spool_returns_what_was_put_in(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    monkeypatch.setattr("neardup.service.api.spool.MOST", most)
    pieces = [bytes([number % 256]) * (number * 997 % 100_000) for number in range(60)]

    async def put(spool: Spool) -> None:
        for piece in pieces:
            await spool.put(piece)
            await asyncio.sleep(0)
        spool.end()

    async def pass_on() -> bytes:
        with Spool() as spool:
            putting = asyncio.create_task(put(spool))
            taken = [piece async for piece in spool.pieces()]
            await putting
        return b"".join(taken)

    assert asyncio.run(pass_on()) == b"".join(pieces)


def test_a_put_beyond_the_limit_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("neardup.service.api.spool.MOST", 5)

    async def fill() -> bytes:
        with Spool() as spool:
            for _ in range(2):
                await spool.put(b"abc")
            third = asyncio.create_task(spool.put(b"def"))
            await asyncio.sleep(0.05)
            assert not third.done()
            taken = await anext(spool.pieces())
            await third
            spool.end()
            return taken + b"".join([piece async for piece in spool.pieces()])

    assert asyncio.run(fill()) == b"abcabcdef"


def test_a_full_disk_cuts_the_answer_off(
    store: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: Any) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr(Spool, "put", fail)
    messages: list[Message] = []
    app = make(store)

    async def watch(scope: Scope, receive: Receive, send: Send) -> None:
        async def record(message: Message) -> None:
            messages.append(message)
            await send(message)

        await app(scope, receive, record)

    with TestClient(watch) as client:
        client.post("/api/bulk/check", content=write_lines([{"text": "one"}]), headers=NDJSON)
    # the server closes a connection when its answer has no end
    assert [message["type"] for message in messages if message["type"].startswith("http")] == ["http.response.start"]
    assert "a bulk request was given up: no space left on device" in caplog.text
